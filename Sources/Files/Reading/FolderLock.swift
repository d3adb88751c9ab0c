internal import Glibc
package import SystemPackage

/// An advisory lock of a folder, which lasts as long as the value.
///
/// Any number of processes may share it, or one has it alone. The kernel releases it however the process ends.
package struct FolderLock: ~Copyable {
  private let folder: FileDescriptor

  /// Locks a folder for this process alone.
  ///
  /// - Throws: The system's error; `wouldBlock` if another process has a lock.
  package init(exclusively path: FilePath) throws(Errno) {
    try self.init(path, LOCK_EX | LOCK_NB)
  }

  /// Locks a folder together with others, after waiting for a process that has it alone.
  ///
  /// - Throws: The system's error.
  package init(sharing path: FilePath) throws(Errno) {
    try self.init(path, LOCK_SH)
  }

  private init(_ path: FilePath, _ operation: CInt) throws(Errno) {
    folder = try Self.locked(path, operation)
  }

  private static func locked(_ path: FilePath, _ operation: CInt) throws(Errno) -> FileDescriptor {
    let folder: FileDescriptor
    do {
      folder = try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
    } catch {
      throw error as? Errno ?? .ioError
    }
    while flock(folder.rawValue, operation) != 0 {
      let error = Errno(rawValue: errno)
      if error == .interrupted { continue }
      try? folder.close()
      throw error
    }
    return folder
  }

  deinit {
    try? folder.close()
  }
}
