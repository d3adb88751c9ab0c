extension Observed {
  /// Observes a key until the token is cancelled or released.
  ///
  /// An observation added inside a handler of the same model begins after the notification in progress.
  ///
  /// - Parameters:
  ///   - keyPath: The key. A computed key is reported whenever a write changes its value. It must have a value at all
  ///     times; see ``ObservedKey/init(_:name:)``.
  ///   - options: What notifications contain and when they are sent.
  ///   - delivery: When and where the handler is called.
  ///   - handler: The closure to call with each notification, one at a time. It runs on some writing thread.
  /// - Returns: The token that keeps the observation alive.
  @_disfavoredOverload
  @inlinable
  public func observe<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    options: ObservingOptions = [.old, .new],
    delivery: Delivery = .synchronous,
    handler: @escaping @Sendable (ObservedChange<Model, Value>) -> Void
  ) -> Observation {
    observe([ObservedKey(keyPath)], by: ObserverID(), options: options, delivery: delivery) { notice in
      handler(ObservedChange(notice, keyPath: keyPath, options: options))
    }
  }

  /// Observes a key on behalf of an observer, until the observer is removed or the model is freed.
  ///
  /// - Returns: Whether the observer was added. Adding it again for the same key has no effect; its handler stays.
  @_disfavoredOverload
  @discardableResult
  public func addObserver<Value: Equatable & Sendable>(
    _ observer: ObserverID,
    forKey keyPath: any KeyPath<Model, Value> & Sendable,
    options: ObservingOptions = [.old, .new],
    delivery: Delivery = .synchronous,
    handler: @escaping @Sendable (ObservedChange<Model, Value>) -> Void
  ) -> Bool {
    add { _ in
      Registration(observer: observer, keys: [ObservedKey(keyPath)], options: options, delivery: delivery) { notice in
        handler(ObservedChange(notice, keyPath: keyPath, options: options))
      }
    }
  }

  /// Removes an observer added by `addObserver(_:forKey:)`; see ``Observation/cancel()``.
  ///
  /// - Throws: ``LedgerError/notRegistered(model:key:observer:)`` if the observer is not registered and the ledger is
  ///   strict. A ledger that is not strict only counts the attempt.
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

  /// Observes several keys with one handler, which is called once per transaction.
  @usableFromInline
  func observe(
    _ keys: [ObservedKey<Model>],
    by observer: ObserverID,
    options: ObservingOptions,
    delivery: Delivery = .synchronous,
    onModelEnd: @escaping @Sendable () -> Void = {},
    handler: @escaping Registration<Model>.Handler
  ) -> Observation {
    let registration = Registration<Model>(
      observer: observer,
      keys: keys,
      options: options,
      delivery: delivery,
      onModelEnd: onModelEnd,
      handler: handler
    )
    _ = lock.withLock { register(registration, with: observing ?? Observing()) }
    let observation = Observation { [weak self, registration] in
      // Without the model there is nothing to remove, but an executor may still have notifications to deliver.
      if let self { self.remove(registration) } else { registration.cancel() }
    }
    workOff()
    return observation
  }

  /// Registers an observer that is removed by its identity and key, and returns whether it is new.
  func add(_ makeRegistration: (Observing<Model>) -> Registration<Model>) -> Bool {
    let (registration, isNew) = lock.withLock {
      let observing = observing ?? Observing()
      let registration = makeRegistration(observing)
      guard register(registration, with: observing) else { return (registration, false) }
      for key in registration.keys {
        observing.byObserver[ObserverAndKey(observer: registration.observer, keyPath: key.keyPath)] = registration
      }
      return (registration, true)
    }
    if isNew { workOff() }
    // If it is not new, its captured values are freed outside the lock.
    withExtendedLifetime(registration) {}
    return isNew
  }

  /// Adds a registration to the ledger and the queue, or returns false if it exists.
  ///
  /// The caller must hold the lock: ledger and model change together, so they always agree.
  private func register(_ registration: Registration<Model>, with observing: Observing<Model>) -> Bool {
    guard ledger.add(entries(of: registration)) else { return false }
    self.observing = observing
    observing.append(.begin(registration))
    return true
  }

  func remove(_ registration: Registration<Model>) {
    registration.cancel()
    lock.withLock {
      guard let index = observing?.registrations.firstIndex(where: { $0 === registration }) else { return }
      observing?.registrations.remove(at: index)
    }
    leaveLedger(registration)
    restorePlainPath()
  }
}
