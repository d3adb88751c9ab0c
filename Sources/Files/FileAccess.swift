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

  /// The access of the file with this status.
  init(_ status: stat) {
    (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode & 0o7777)
  }

  /// The access of the file that a path leads to; `nil` when no file exists.
  package init?(of path: FilePath) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// Gives a file this owner, group and mode, as far as this process may.
  ///
  /// Only root can give a file to another owner, and only a member of a group can give it to that group. A mode that sets
  /// the user or group is kept only together with that user or group. Where the group cannot be kept, its members become
  /// others, and some of the others become the file's group. Both then have what the group and all others had before, so
  /// nobody gains a right. Errors are ignored: the content is what counts, and some file systems have no owners or modes.
  package func give(to file: FileDescriptor) {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { return }
    if status.st_uid != owner || status.st_gid != group {
      if fchown(file.rawValue, owner, group) != 0 { _ = fchown(file.rawValue, uid_t.max, group) }
      guard fstat(file.rawValue, &status) == 0 else { return }
    }
    // The mode comes last: a change of the owner or group takes bits from it.
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
