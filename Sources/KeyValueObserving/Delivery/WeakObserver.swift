/// An object that observes a model and is held weakly.
@usableFromInline
final class WeakObserver: Sendable {
  /// The observer's identity in the ledger.
  ///
  /// The address of the object would not do: another object can have it later.
  let id: ObserverID

  // Proof that the class is Sendable despite this property: it is written only in `init` and by the runtime, which
  // reads and clears weak references atomically, and the object itself is Sendable.
  private nonisolated(unsafe) weak var held: (any AnyObject & Sendable)?

  init(_ object: any AnyObject & Sendable) {
    id = ObserverID("\(type(of: object))")
    held = object
  }

  /// The object, unless it has been freed.
  var object: (any AnyObject & Sendable)? { held }
}
