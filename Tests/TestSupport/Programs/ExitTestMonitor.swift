internal import Glibc
internal import Synchronization
internal import SystemPackage

/// The thread of Swift Testing that waits for exit tests.
///
/// It asks for any child that has ended, so it spins while a child of another test has not been reaped, which takes long
/// when the tests keep all cores busy. With the lowest priority it takes almost nothing from them.
enum ExitTestMonitor {
  private static let name = Array("SWT ExT monitor\n".utf8)
  private static let hasLowPriority = Atomic(false)

  /// Gives the thread the lowest priority, if it exists by now.
  static func lowerPriority() {
    guard !hasLowPriority.load(ordering: .relaxed) else { return }
    let threads: FilePath = "/proc/self/task"
    for thread in (try? ScratchFolder.entries(of: threads)) ?? [] {
      // A thread may have ended meanwhile.
      guard let id = id_t(thread.string), (try? ScratchFolder.read(threads.pushing(thread).appending("comm"))) == name
      else { continue }
      hasLowPriority.store(setpriority(Int32(PRIO_PROCESS.rawValue), id, 19) == 0, ordering: .relaxed)
    }
  }
}
