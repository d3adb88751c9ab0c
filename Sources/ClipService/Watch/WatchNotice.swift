package import SystemPackage

/// Something that a person should know about a watch.
package enum WatchNotice: Sendable {
  /// A named folder was removed, moved away or unmounted.
  case folderGone(FilePath)
  /// A named folder is back.
  case folderIsBack(FilePath)
  /// The system reports no changes, so the folders are searched at intervals.
  case polling(Reason, seconds: Int)

  /// Why the system reports no changes.
  package enum Reason: Sendable {
    /// There are more folders than a user may watch.
    case tooManyFolders
    /// There are more programs that watch folders than a user may run.
    case tooManyPrograms
    /// The folder is on a network file system, where other machines may change it.
    case network(FilePath)
    case failed(Errno)
  }
}
