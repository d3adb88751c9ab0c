/// When and where a handler is called.
public enum Delivery: Sendable {
  /// Inside the write, before it returns.
  case synchronous
  /// By an executor, at some time after, each observation's notices in their order and one at a time.
  case async(any DeliveryExecutor)
}

/// Runs what it is given, at some time, on a thread of its own choice.
public protocol DeliveryExecutor: Sendable {
  /// Takes a job to be run once. It may run jobs in any order and at the same time: an observation has no second job
  /// enqueued before its first one is done.
  func enqueue(_ job: @escaping @Sendable () -> Void)
}

/// Runs jobs one at a time, in their order, in a task.
///
/// The task ends when the executor is freed and what was enqueued has run.
public final class SerialDeliveryExecutor: DeliveryExecutor {
  private let jobs: AsyncStream<@Sendable () -> Void>.Continuation

  /// Starts the task.
  ///
  /// - Parameter priority: The task's; without one that of tasks in general.
  public init(priority: TaskPriority? = nil) {
    let (stream, jobs) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    self.jobs = jobs
    Task.detached(priority: priority) {
      for await job in stream { job() }
    }
  }

  deinit { jobs.finish() }

  /// Puts a job behind those that are there.
  public func enqueue(_ job: @escaping @Sendable () -> Void) { jobs.yield(job) }
}
