/// A lock that is held while one handler runs, and that cancelling waits for.
@usableFromInline
final class Gate: Sendable {
  private let lock = Lock()

  @usableFromInline
  func run(_ handler: () -> Void) {
    lock.withLock { CallContext.run(in: ObjectIdentifier(self), isHandler: true, handler) }
  }

  /// Waits until the handler is not running, unless that would deadlock.
  ///
  /// It would deadlock inside the handler itself, and when two handlers on two threads cancel each other; in that case
  /// the later one does not wait. It could deadlock inside an access to a model, which the handler may be waiting for.
  func waitUntilFree() {
    guard !ThreadState.isInsideAccess else { return }
    let handlers = CallContext.handlers
    guard !handlers.contains(ObjectIdentifier(self)) else { return }
    guard !handlers.isEmpty else { return lock.withLock {} }
    guard let wait = Wait.begin(from: handlers, for: ObjectIdentifier(self)) else { return }
    lock.withLock {}
    wait.end()
  }
}

/// The wait of a thread inside handlers for another handler to end.
private struct Wait: Sendable {
  private static let all = Guarded<[Int: Wait]>([:])
  private static let numbers = Numbers()

  private let number: Int
  private let handlers: [ObjectIdentifier]
  private let gate: ObjectIdentifier

  /// Adds a wait to the list, or returns `nil` if it would close a cycle.
  static func begin(from handlers: [ObjectIdentifier], for gate: ObjectIdentifier) -> Wait? {
    all.withLock { waits in
      var wanted = gate
      // The list has no cycles, so this loop ends.
      while let next = waits.values.first(where: { $0.handlers.contains(wanted) }) {
        wanted = next.gate
        if handlers.contains(wanted) { return nil }
      }
      let wait = Wait(number: numbers.next(), handlers: handlers, gate: gate)
      waits[wait.number] = wait
      return wait
    }
  }

  func end() {
    Wait.all.withLock { _ = $0.removeValue(forKey: number) }
  }
}
