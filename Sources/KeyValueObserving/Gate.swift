/// Stands before one handler: it is held while the handler runs, and cancelling waits for it.
final class Gate: Sendable {
  private let lock = Lock()

  func run(_ handler: () -> Void) {
    lock.withLock { Frame.run(in: ObjectIdentifier(self), isHandler: true, handler) }
  }

  /// Waits until the handler does not run, unless that would be for ever.
  ///
  /// It would be inside the handler itself, and where two handlers cancel each other on two threads: then the later
  /// one does not wait.
  func waitUntilFree() {
    let handlers = Frame.handlers
    guard !handlers.contains(ObjectIdentifier(self)) else { return }
    guard !handlers.isEmpty else { return lock.withLock {} }
    guard let wait = Wait.begin(from: handlers, for: ObjectIdentifier(self)) else { return }
    lock.withLock {}
    wait.end()
  }
}

/// A thread inside handlers that waits for another handler to end.
private struct Wait: Sendable {
  private static let all = Guarded<[Int: Wait]>([:])
  private static let numbers = Numbers()

  private let number: Int
  private let handlers: [ObjectIdentifier]
  private let gate: ObjectIdentifier

  /// Enters a wait into the list, or gives nil if it closed a circle.
  static func begin(from handlers: [ObjectIdentifier], for gate: ObjectIdentifier) -> Wait? {
    all.withLock { waits in
      var wanted = gate
      // The list has no circle, so this comes to an end.
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
