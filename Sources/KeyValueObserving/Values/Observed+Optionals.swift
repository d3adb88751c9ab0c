// A key with optional values is observed like any other, but its changes do not contain optionals of optionals. The
// methods for any key are marked as disfavoured, because Swift would find the call ambiguous.
extension Observed {
  /// Observes a key with optional values until the token is cancelled or released.
  public func observe<Wrapped: Equatable & Sendable>(
    _ keyPath: any KeyPath<Model, Wrapped?> & Sendable,
    options: ObservingOptions = [.old, .new],
    delivery: Delivery = .synchronous,
    handler: @escaping @Sendable (ObservedChange<Model, Wrapped>) -> Void
  ) -> Observation {
    observe([ObservedKey(keyPath)], by: ObserverID(), options: options, delivery: delivery) { notice in
      handler(ObservedChange(notice, keyPath: keyPath, options: options))
    }
  }

  /// Observes a key with optional values on behalf of an observer, until the observer is removed or the model is freed.
  @discardableResult
  public func addObserver<Wrapped: Equatable & Sendable>(
    _ observer: ObserverID,
    forKey keyPath: any KeyPath<Model, Wrapped?> & Sendable,
    options: ObservingOptions = [.old, .new],
    delivery: Delivery = .synchronous,
    handler: @escaping @Sendable (ObservedChange<Model, Wrapped>) -> Void
  ) -> Bool {
    add { _ in
      Registration(observer: observer, keys: [ObservedKey(keyPath)], options: options, delivery: delivery) { notice in
        handler(ObservedChange(notice, keyPath: keyPath, options: options))
      }
    }
  }

  /// Observes a key with optional values on behalf of an object, until the object is freed.
  @discardableResult
  public func addObserver<Observer: AnyObject & Sendable, Wrapped: Equatable & Sendable>(
    _ object: Observer,
    forKey keyPath: any KeyPath<Model, Wrapped?> & Sendable,
    options: ObservingOptions = [.old, .new],
    delivery: Delivery = .synchronous,
    handler: @escaping @Sendable (Observer, ObservedChange<Model, Wrapped>) -> Void
  ) -> Bool {
    add(object, ObservedKey(keyPath), options, delivery) { object, notice in
      handler(object, ObservedChange(notice, keyPath: keyPath, options: options))
    }
  }
}
