// The methods have a separate name, because a call of `observe(_:)` with a trailing closure would be ambiguous.
extension Observed {
  /// Observes a key until the token is cancelled or released, and calls the handler later on the main actor.
  ///
  ///     let observation = ticket.observeOnMainActor(\.count) { [label] change in label.text = "\(change.new ?? 0)" }
  ///
  /// The handler can use everything that the main actor isolates. It receives each notification, in order.
  ///
  /// - Parameters:
  ///   - keyPath: The key. A computed key is reported whenever a write changes its value.
  ///   - options: What notifications contain and when they are sent.
  ///   - handler: The closure to call with each notification, one at a time.
  /// - Returns: The token that keeps the observation alive.
  @_disfavoredOverload
  public func observeOnMainActor<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    options: ObservingOptions = [.old, .new],
    handler: @escaping @MainActor @Sendable (ObservedChange<Model, Value>) -> Void
  ) -> Observation {
    observe(keyPath, options: options, delivery: .mainActor) { change in MainActor.assumeIsolated { handler(change) } }
  }

  /// Observes a key with optional values on the main actor, until the token is cancelled or released.
  public func observeOnMainActor<Wrapped: Equatable & Sendable>(
    _ keyPath: any KeyPath<Model, Wrapped?> & Sendable,
    options: ObservingOptions = [.old, .new],
    handler: @escaping @MainActor @Sendable (ObservedChange<Model, Wrapped>) -> Void
  ) -> Observation {
    observe(keyPath, options: options, delivery: .mainActor) { change in MainActor.assumeIsolated { handler(change) } }
  }
}
