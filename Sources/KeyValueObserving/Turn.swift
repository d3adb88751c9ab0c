/// Lets one thread at a time work off a queue, and nobody inside a handler wait for it.
///
/// Whoever adds to the queue calls ``work(while:step:)`` afterwards. Outside handlers the call returns when what was
/// added is done. Inside, it returns at once if another thread is at work, which then does it: two handlers that write
/// to each other's models never wait for each other. Inside the very same turn it returns too: that is the queueing of
/// a write behind the notice in progress.
final class Turn: Sendable {
  private let lock = Lock()

  func work(while hasWork: () -> Bool, step: () -> Void) {
    if Frame.contains(ObjectIdentifier(self)) { return }
    if !Frame.isInsideHandler {
      lock.withLock { workOff(while: hasWork, step: step) }
    }
    // Something may have been added after the last look and before the unlocking, by one who did not wait.
    while hasWork(), lock.lockIfFree() {
      workOff(while: hasWork, step: step)
      lock.unlock()
    }
  }

  private func workOff(while hasWork: () -> Bool, step: () -> Void) {
    guard hasWork() else { return }
    Frame.run(in: ObjectIdentifier(self), isHandler: false) {
      while hasWork() { step() }
    }
  }
}
