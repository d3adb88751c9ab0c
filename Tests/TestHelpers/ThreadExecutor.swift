internal import Dispatch

/// An executor with one thread, which no other task waits for.
package final class ThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "test")

  /// Creates an executor; its thread starts with the first job.
  package init() {}

  /// Runs a job after those that were added before it.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
