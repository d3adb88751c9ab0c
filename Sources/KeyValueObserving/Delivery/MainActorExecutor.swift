/// An executor that runs jobs on the main actor, where the views of most user interfaces live.
private struct MainActorExecutor: DeliveryExecutor {
  func enqueue(_ job: @escaping @Sendable () -> Void) {
    // A detached task, so that the job does not count as part of the handler that enqueues it.
    Task.detached { @MainActor in job() }
  }
}

extension Delivery {
  /// Handlers are called later on the main actor.
  ///
  /// Swift does not know that, so a handler or a ``CellContent`` states it with `MainActor.assumeIsolated`
  /// before it uses what the main actor isolates; <doc:Cells> contains an example. `observeOnMainActor(_:)`
  /// needs no such statement.
  public static var mainActor: Delivery { .async(MainActorExecutor()) }
}
