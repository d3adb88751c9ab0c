internal import Glibc
package import SystemPackage

/// The owner, group and mode of a file, which together control access to it.
package struct FileAccess: Sendable {
  private let owner: uid_t
  private let group: gid_t
  private var mode: mode_t

  /// The permission bits of the mode.
  package var permissions: FilePermissions {
    get { FilePermissions(rawValue: mode & 0o7777) }
    set { mode = newValue.rawValue }
  }

  /// Whether the file belongs to the user of this process.
  package var isOfThisUser: Bool { owner == geteuid() }

  init(owner: uid_t, group: gid_t, mode: mode_t) {
    (self.owner, self.group, self.mode) = (owner, group, mode)
  }

  /// Creates the access of the file at a path, following links; returns `nil` if no file exists.
  package init?(of path: FilePath) {
    guard let status = try? FileStatus(of: path) else { return nil }
    self = status.access
  }

  /// Creates the access of files that belong to the file at a path, such as the lock and the covers of a board; returns
  /// `nil` if that file does not exist.
  ///
  /// They have the same owner and group, and everyone who can read or write the file can read or write them. They are
  /// always readable and writable by their owner, and never executable.
  package init?(ofFilesOf path: FilePath) {
    self.init(of: path)
    let readWrite: FilePermissions = [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
    permissions = permissions.intersection(readWrite).union(.ownerReadWrite)
  }

  /// The access of a folder of files with this access: those who can read them can find them.
  var ofFolder: FileAccess { FileAccess(owner: owner, group: group, mode: mode | mode >> 2 & 0o111) }

  /// Gives a new folder this access.
  ///
  /// A folder that passes its group on to its files, as inherited from the folder above it, continues to do so.
  func give(toFolder folder: FileDescriptor) {
    guard let present = try? FileStatus(of: folder).access else { return }
    var access = ofFolder
    if present.permissions.contains(.setGroupID) { access.permissions.insert(.setGroupID) }
    access.give(to: folder)
  }

  /// Applies to a file what this process is permitted to set of this owner, group and mode.
  ///
  /// Only root can change the owner of a file, and only a member of a group can give a file to that group. The
  /// set-user-ID and set-group-ID bits are kept only together with that user or group. If the group cannot be kept, its
  /// members become others, and some of the others become members of the file's group. Both classes then get the
  /// permissions that group and others had in common, so no user gains a permission. Errors are ignored: the content is
  /// what matters, and some file systems do not support owners or modes.
  package func give(to file: FileDescriptor) {
    guard var present = try? FileStatus(of: file).access else { return }
    if present.owner != owner || present.group != group {
      if fchown(file.rawValue, owner, group) != 0 { _ = fchown(file.rawValue, uid_t.max, group) }
      guard let changed = try? FileStatus(of: file).access else { return }
      present = changed
    }
    // The mode is set last, because changing the owner or group clears bits of it.
    let mode = mode(underOwner: present.owner, group: present.group)
    if present.mode != mode { _ = fchmod(file.rawValue, mode) }
  }

  private func mode(underOwner newOwner: uid_t, group newGroup: gid_t) -> mode_t {
    var mode = mode
    if newOwner != owner { mode &= ~mode_t(S_ISUID) }
    if newGroup != group {
      let common = mode >> 3 & mode & 0o7
      mode = mode & ~(mode_t(S_ISGID) | 0o77) | common << 3 | common
    }
    return mode
  }
}
