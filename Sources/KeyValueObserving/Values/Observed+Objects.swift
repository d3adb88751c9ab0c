extension Observed {
  /// Observes a key on behalf of an object, until the object is freed.
  ///
  /// The object is held weakly, and the observation ends with it: the handler is not called any more, and the
  /// registration is removed at the model's next write, or when ``observerCount`` is read. The handler should use its
  /// first argument rather than capture the object, which would keep it alive.
  ///
  /// - Returns: Whether the object was added. Adding it again for the same key has no effect; its handler stays.
  @_disfavoredOverload
  @discardableResult
  public func addObserver<Observer: AnyObject & Sendable, Value: Equatable & Sendable>(
    _ object: Observer,
    forKey keyPath: any KeyPath<Model, Value> & Sendable,
    options: ObservingOptions = [.old, .new],
    delivery: Delivery = .synchronous,
    handler: @escaping @Sendable (Observer, ObservedChange<Model, Value>) -> Void
  ) -> Bool {
    add(object, ObservedKey(keyPath), options, delivery) { object, notice in
      handler(object, ObservedChange(notice, keyPath: keyPath, options: options))
    }
  }

  func add<Observer: AnyObject & Sendable>(
    _ object: Observer,
    _ key: ObservedKey<Model>,
    _ options: ObservingOptions,
    _ delivery: Delivery,
    handler: @escaping @Sendable (Observer, Notice<Model>) -> Void
  ) -> Bool {
    if lock.withLock({ observing?.isCheckDue == true }) { removeFreedObservers() }
    return add { observing in
      let observer = observing.observer(for: object)
      return Registration(observer: observer.id, keys: [key], options: options, delivery: delivery) {
        [weak object] notice in
        guard let object else { return }
        handler(object, notice)
      }
    }
  }

  /// Removes an object before it is freed; see ``Observation/cancel()``.
  ///
  /// - Throws: ``LedgerError/notRegistered(model:key:observer:)`` if the object is not registered and the ledger is
  ///   strict. A ledger that is not strict only counts the attempt.
  public func removeObserver<Value>(
    _ object: some AnyObject & Sendable,
    forKey keyPath: any KeyPath<Model, Value> & Sendable
  ) throws(LedgerError) {
    let known = lock.withLock { observing?.knownObserver(for: object)?.id }
    try removeObserver(known ?? WeakObserver(object).id, forKey: keyPath)
  }

  /// Ends the observations of objects that have been freed.
  @usableFromInline
  func removeFreedObservers() {
    guard let objects = lock.withLock({ observing?.objects }), !objects.isEmpty else { return }
    // Outside the lock, because the reference loaded here may be the last one, and an object's deinitialiser can use the
    // model.
    let freed = objects.filter { $0.value.object == nil }
    for registration in lock.withLock({ observing?.take(freed: freed) ?? [] }) { remove(registration) }
  }
}
