/// When and where handlers are called.
public enum Delivery: Sendable {
  /// Handlers are called inside the write, before it returns.
  case synchronous
  /// Handlers are called later by an executor; each observation receives its notifications in order, one at a time.
  case async(any DeliveryExecutor)
}

/// An executor that runs jobs at some later time, on a thread of its choice.
public protocol DeliveryExecutor: Sendable {
  /// Schedules a job to be run once. Jobs may run in any order and concurrently: an observation never enqueues a job
  /// before its previous one is finished.
  func enqueue(_ job: @escaping @Sendable () -> Void)
}

/// An executor that runs jobs in order, one at a time, in a task.
///
/// The task ends when the executor has been freed and all enqueued jobs have run.
public final class SerialDeliveryExecutor: DeliveryExecutor {
  private let jobs: AsyncStream<@Sendable () -> Void>.Continuation

  /// Creates an executor and starts its task.
  ///
  /// - Parameter priority: The priority of the task (default: that of a detached task).
  public init(priority: TaskPriority? = nil) {
    let (stream, jobs) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    self.jobs = jobs
    Task.detached(priority: priority) {
      for await job in stream { job() }
    }
  }

  deinit { jobs.finish() }

  /// Adds a job to the end of the queue.
  public func enqueue(_ job: @escaping @Sendable () -> Void) { jobs.yield(job) }
}
