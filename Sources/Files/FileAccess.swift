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

  /// Creates the access of the file with the given status.
  init(_ status: stat) {
    (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode & 0o7777)
  }

  /// Creates the access of the file at a path, following links; returns `nil` if no file exists.
  package init?(of path: FilePath) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// Applies this owner, group and mode to a file as far as this process is permitted to.
  ///
  /// Only root can change the owner of a file, and only a member of a group can give a file to that group. The
  /// set-user-ID and set-group-ID bits are kept only together with that user or group. If the group cannot be kept, its
  /// members become others, and some of the others become members of the file's group. Both classes then get the
  /// permissions that group and others had in common, so nobody gains a permission. Errors are ignored: the content is
  /// what matters, and some file systems do not support owners or modes.
  package func give(to file: FileDescriptor) {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { return }
    if status.st_uid != owner || status.st_gid != group {
      if fchown(file.rawValue, owner, group) != 0 { _ = fchown(file.rawValue, uid_t.max, group) }
      guard fstat(file.rawValue, &status) == 0 else { return }
    }
    // The mode is set last, because changing the owner or group clears bits of it.
    let mode = mode(underOwner: status.st_uid, group: status.st_gid)
    if status.st_mode & 0o7777 != mode { _ = fchmod(file.rawValue, mode) }
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
