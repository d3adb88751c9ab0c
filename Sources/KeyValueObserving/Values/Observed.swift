/// A value whose keys can be observed.
///
///     let ticket = Observed(Ticket(count: 1))
///     let observation = ticket.observe(\.count, options: [.old, .new]) { change in … }
///     ticket.count -= 1
///
/// It can be used from any thread. Observers are notified in the order of the writes; a write returns after its
/// notifications have been delivered. A write inside a handler is queued behind the notification in progress: until
/// that is finished, reads return the value that the notification is about, and further writes operate on the newest
/// value.
///
/// The value should be a struct or an enum. A change inside an object is not a write to the model, so it is not
/// reported; Swift warns of a class as `Model`.
///
/// Members of this class hide keys of the model with the same names, such as `id`: read them through ``snapshot``
/// (`ticket.snapshot.id`) or as `ticket[dynamicMember: \.id]`, write them in ``mutate(_:)``. Observing them is not
/// affected.
@dynamicMemberLookup
public final class Observed<Model: Sendable>: Sendable {
  /// The model's identity in the ledger.
  public let id = ModelID()
  /// The ledger that records the model's registrations.
  public let ledger: Ledger

  @usableFromInline let lock = Lock()
  @usableFromInline let turn = Turn()

  // Proof that the class is Sendable despite these three properties: they are private to the module, and each access is
  // between acquiring and releasing `lock` in the same method or accessor, or in `init` and `deinit`, where no other
  // thread has the object. `Observing` is never used outside the lock. A read of `model` through a key path can call
  // code that reads `model` again, but no access calls code that changes the same property: what such code writes is
  // kept in `Observing` until the access ends. So checking for overlapping accesses would only cost time.
  /// The value as of the last finished notification.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var model: Model
  /// The number of the newest accepted write.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var transaction = 0
  /// The observing state; `nil` while nothing is observed.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var observing: Observing<Model>?

  /// Creates an observable value.
  ///
  /// - Parameters:
  ///   - model: The initial value.
  ///   - ledger: The ledger that records registrations (default: the process-wide one).
  public init(_ model: Model, ledger: Ledger = .shared) {
    self.model = model
    self.ledger = ledger
  }

  // Swift prefers an available initialiser to an unavailable one, so this one can only be deprecated.
  /// Creates an observable reference to an object, whose own changes are not reported.
  @available(*, deprecated, message: "use a struct: a change inside an object is not a write, and is not reported")
  public init(_ model: Model, ledger: Ledger = .shared) where Model: AnyObject {
    self.model = model
    self.ledger = ledger
  }

  deinit {
    for registration in observing?.registrations ?? [] {
      leaveLedger(registration)
      registration.modelEnded()
    }
  }

  /// The whole value, read atomically.
  public var snapshot: Model { lock.withLock { model } }

  /// The number of registrations with the model.
  public var observerCount: Int {
    removeFreedObservers()
    return lock.withLock { observing?.registrations.count ?? 0 }
  }

  /// Whether writes have to notify; false again once the last observer is removed and nothing is left to deliver.
  package var isObserved: Bool {
    removeFreedObservers()
    return lock.withLock { observing != nil }
  }

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
