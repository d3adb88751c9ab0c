/// A value whose keys can be observed.
///
///     let ticket = Observed(Ticket(count: 1))
///     let observation = ticket.observe(\.count, options: [.old, .new]) { change in … }
///     ticket.count -= 1
///
/// It can be used from any thread. Writes are told in the order in which they are done; a write returns when it has
/// been told. A write from inside a handler is queued behind the notice in progress: until that is done, reading gives
/// the value that the notice is about, while the next write already works on the newest value.
@dynamicMemberLookup
public final class Observed<Model: Sendable>: Sendable {
  /// Who the model is in the ledger.
  public let id = ModelID()
  /// Where its registrations are kept.
  public let ledger: Ledger

  @usableFromInline let lock = Lock()
  let turn = Turn()

  // These three make the class Sendable only by this proof: they are private to the module, and each access lies
  // between `lock.lock()` and `lock.unlock()` of the same method or accessor, or in `init` and `deinit`, where no
  // other thread has the object. `Observing` never leaves the lock.
  /// The value as the last finished notice left it.
  @usableFromInline nonisolated(unsafe) var model: Model
  /// The number of the newest write that was accepted.
  @usableFromInline nonisolated(unsafe) var transaction = 0
  /// Nil on the plain path.
  @usableFromInline nonisolated(unsafe) var observing: Observing<Model>?

  /// Makes a value observable.
  ///
  /// - Parameters:
  ///   - model: The value.
  ///   - ledger: Where registrations are kept; without one, the process's.
  public init(_ model: Model, ledger: Ledger = .shared) {
    self.model = model
    self.ledger = ledger
  }

  deinit {
    for registration in observing?.registrations ?? [] { leaveLedger(registration) }
  }

  /// The value as a whole, as it is read.
  public var snapshot: Model { lock.withLock { model } }

  /// How many registrations the model has.
  public var observerCount: Int { lock.withLock { observing?.registrations.count ?? 0 } }

  /// Whether writes take the long way; false again when the last observer has left and nothing waits to be told.
  public var isObserved: Bool { lock.withLock { observing != nil } }

  func leaveLedger(_ registration: Registration<Model>) {
    guard registration.leaveLedger() else { return }
    ledger.removeListed(entries(of: registration))
  }

  func entries(of registration: Registration<Model>) -> Set<Ledger.Entry> {
    Set(
      registration.keys.map { key in
        Ledger.Entry(model: id, keyPath: key.keyPath, observer: registration.observer, name: key.givenName)
      }
    )
  }
}
