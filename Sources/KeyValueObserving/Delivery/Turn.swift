/// Lets one thread at a time process a queue, without ever blocking code inside a handler.
///
/// After adding to the queue, a caller calls ``work(while:step:)``. Outside handlers the call returns when the added
/// work is done. Inside a handler it returns immediately if another thread is processing the queue, and leaves the work
/// to that thread; two handlers that write to each other's models therefore never wait for each other. Inside the same
/// turn it also returns immediately, which queues a write behind the notification in progress.
@usableFromInline
final class Turn: Sendable {
  private let lock = Lock()

  /// Processes the queue.
  ///
  /// - Parameters:
  ///   - hasWork: Returns whether there is anything in the queue.
  ///   - step: Processes the first element, and returns whether there are more.
  @usableFromInline
  func work(while hasWork: () -> Bool, step: () -> Bool) {
    if CallContext.contains(ObjectIdentifier(self)) { return }
    if !CallContext.isInsideHandler {
      lock.withLock { workOff(while: hasWork, step: step) }
    }
    // A caller that did not wait may have added work between the last check of the queue and the unlock.
    while hasWork(), lock.lockIfFree() {
      workOff(while: hasWork, step: step)
      lock.unlock()
    }
  }

  private func workOff(while hasWork: () -> Bool, step: () -> Bool) {
    guard hasWork() else { return }
    CallContext.run(in: ObjectIdentifier(self), isHandler: false) {
      while step() {}
    }
  }
}
