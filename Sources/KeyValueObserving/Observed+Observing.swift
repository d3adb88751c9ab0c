extension Observed {
  /// Observes a key until the token is cancelled or freed.
  ///
  /// Observing from inside a handler of the same model begins when the notice in progress is done.
  ///
  /// - Parameters:
  ///   - keyPath: The key. A computed one is told too whenever a write gives it another value.
  ///   - options: What is told.
  ///   - delivery: When the handler is called.
  ///   - handler: Is called with each notice, one at a time. It runs on the thread of one of the writers.
  /// - Returns: The token.
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    options: ObservingOptions = [.old, .new],
    delivery: Delivery = .synchronous,
    handler: @escaping @Sendable (Change<Model, Value>) -> Void
  ) -> Observation {
    observe([ObservedKey(keyPath)], by: ObserverID(), options: options, delivery: delivery) { notice in
      handler(Change(notice, keyPath: keyPath, options: options))
    }
  }

  /// Observes a key in the name of an observer, until it is removed or the model is freed.
  ///
  /// - Returns: Whether it is new. The same observer of the same key changes nothing: the first handler stays.
  @discardableResult
  public func addObserver<Value: Equatable & Sendable>(
    _ observer: ObserverID,
    forKey keyPath: any KeyPath<Model, Value> & Sendable,
    options: ObservingOptions = [.old, .new],
    delivery: Delivery = .synchronous,
    handler: @escaping @Sendable (Change<Model, Value>) -> Void
  ) -> Bool {
    let registration = Registration<Model>(
      observer: observer,
      keys: [ObservedKey(keyPath)],
      options: options,
      delivery: delivery
    ) { notice in handler(Change(notice, keyPath: keyPath, options: options)) }
    let isNew = register(registration, isNamed: true)
    if isNew { workOff() }
    return isNew
  }

  /// Ends what ``addObserver(_:forKey:options:delivery:handler:)`` began, as ``Observation/cancel()`` does.
  ///
  /// - Throws: ``LedgerError/notRegistered(model:key:observer:)`` if there is no such registration and the ledger is
  ///   strict; else it is only counted.
  public func removeObserver<Value>(
    _ observer: ObserverID,
    forKey keyPath: any KeyPath<Model, Value> & Sendable
  ) throws(LedgerError) {
    let registration = lock.withLock {
      observing?.byObserver.removeValue(forKey: ObserverAndKey(observer: observer, keyPath: keyPath))
    }
    if let registration {
      remove(registration)
    } else {
      let entry = Ledger.Entry(model: id, keyPath: keyPath, observer: observer, name: nil)
      try ledger.removeUnlisted(entry)
    }
  }

  /// Observes several keys with one handler, which is called once a transaction.
  func observe(
    _ keys: [ObservedKey<Model>],
    by observer: ObserverID,
    options: ObservingOptions,
    delivery: Delivery = .synchronous,
    handler: @escaping Registration<Model>.Handler
  ) -> Observation {
    let registration = Registration<Model>(
      observer: observer,
      keys: keys,
      options: options,
      delivery: delivery,
      handler: handler
    )
    register(registration, isNamed: false)
    let observation = Observation { [weak self, registration] in
      // Without the model there is nothing to leave, but notices may wait in an executor.
      if let self { self.remove(registration) } else { registration.cancel() }
    }
    workOff()
    return observation
  }

  @discardableResult
  private func register(_ registration: Registration<Model>, isNamed: Bool) -> Bool {
    lock.withLock {
      // Ledger and model change under the model's lock together, so one never has what the other has not.
      guard ledger.add(entries(of: registration)) else { return false }
      let observing = observing ?? Observing()
      self.observing = observing
      observing.append(.begin(registration))
      if isNamed {
        for key in registration.keys {
          observing.byObserver[ObserverAndKey(observer: registration.observer, keyPath: key.keyPath)] = registration
        }
      }
      return true
    }
  }

  private func remove(_ registration: Registration<Model>) {
    registration.cancel()
    lock.withLock { observing?.registrations.removeAll { $0 === registration } }
    leaveLedger(registration)
    restorePlainPath()
  }
}
