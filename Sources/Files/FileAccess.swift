internal import Glibc
package import SystemPackage

/// The owner, group and mode of a file, which together decide who may use it.
package struct FileAccess: Sendable {
  private let owner: uid_t
  private let group: gid_t
  private var mode: mode_t

  /// The bits of the mode that give rights.
  package var permissions: FilePermissions {
    get { FilePermissions(rawValue: mode & 0o7777) }
    set { mode = newValue.rawValue }
  }

  /// Whether the owner is the user of this process.
  var isOfThisUser: Bool { owner == geteuid() }

  init(owner: uid_t, group: gid_t, mode: mode_t) {
    (self.owner, self.group, self.mode) = (owner, group, mode)
  }

  /// The access of the file that a path leads to; `nil` when no file exists.
  package init?(of path: FilePath) {
    guard let status = try? FileStatus(of: path) else { return nil }
    self = status.access
  }

  /// Gives a file this owner, group and mode, as far as this process may.
  ///
  /// Only root can give a file to another owner, and only a member of a group can give it to that group. A mode that sets
  /// the user or group is kept only together with that user or group. Where the group cannot be kept, its members become
  /// others, and some of the others become the file's group. Both then have what the group and all others had before, so
  /// nobody gains a right. Errors are ignored: the content is what counts, and some file systems have no owners or modes.
  package func give(to file: FileDescriptor) {
    guard var present = try? FileStatus(of: file).access else { return }
    if present.owner != owner || present.group != group {
      if fchown(file.rawValue, owner, group) != 0 { _ = fchown(file.rawValue, uid_t.max, group) }
      guard let changed = try? FileStatus(of: file).access else { return }
      present = changed
    }
    // The mode comes last: a change of the owner or group takes bits from it.
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
