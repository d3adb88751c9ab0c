internal import Glibc

/// Syncing of files and folders to disk.
package enum FileSync {
  /// Syncs a file or folder, its content and its attributes, as `fsync(2)` does.
  ///
  /// File systems that cannot sync, some of those in user space or on a network, report `EINVAL`. That is not
  /// an error, because data on them cannot be kept in a safer way.
  package static func whole(_ descriptor: CInt) -> CInt { ignoringUnsupported(fsync(descriptor)) }

  /// Syncs the content of a file, as `fdatasync(2)` does.
  package static func content(_ descriptor: CInt) -> CInt { ignoringUnsupported(fdatasync(descriptor)) }

  private static func ignoringUnsupported(_ result: CInt) -> CInt {
    result != 0 && [EINVAL, ENOTSUP].contains(errno) ? 0 : result
  }
}
