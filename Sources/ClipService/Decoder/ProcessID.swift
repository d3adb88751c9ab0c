internal import Files
internal import Synchronization
internal import SystemPackage

/// The ID of a process, for as long as no other process can get it.
final class ProcessID: Sendable {
  private let value = Mutex<Int32?>(nil)

  /// Sets the ID.
  ///
  /// It must be set to `nil` before the process is reaped.
  func set(_ value: Int32?) { self.value.withLock { $0 = value } }

  /// The number of threads of the process; `nil` without an ID, or if procfs hides the process.
  var threadCount: Int? {
    value.withLock { value in
      // The links of the folder are ".", ".." and one folder for each thread.
      value.flatMap { try? FileStatus(of: FilePath("/proc/\($0)/task")) }.map { $0.nameCount - 2 }
    }
  }
}
