extension Observed {
  /// Observes a key, with both values in each notification, until the token is cancelled or released.
  ///
  /// - Parameters:
  ///   - keyPath: The key.
  ///   - options: When notifications are sent: `initial`, `prior`, `equal`. `old` and `new` have no effect.
  ///   - delivery: When and where the handler is called.
  ///   - handler: The closure to call with each notification, one at a time.
  /// - Returns: The token that keeps the observation alive.
  public func observeValues<Value: Equatable & Sendable>(
    of keyPath: any KeyPath<Model, Value> & Sendable,
    options: ObservingOptions = [],
    delivery: Delivery = .synchronous,
    handler: @escaping @Sendable (ValueChange<Value>) -> Void
  ) -> Observation {
    observe([ObservedKey(keyPath)], by: ObserverID(), options: options, delivery: delivery) { notice in
      handler(ValueChange(notice, keyPath: keyPath))
    }
  }

  /// Observes several keys with one handler, which is called once per transaction that changes any of them.
  ///
  ///     let observation = canvas.observe(keys: [ObservedKey(\.cover), ObservedKey(\.take)]) { change in … }
  ///
  /// - Parameters:
  ///   - keys: The keys, each listed once.
  ///   - options: When notifications are sent: `initial`, `prior`, `equal`. `old` and `new` have no effect.
  ///   - delivery: When and where the handler is called.
  ///   - handler: The closure to call with each notification, one at a time.
  /// - Returns: The token that keeps the observation alive.
  public func observe(
    keys: [ObservedKey<Model>],
    options: ObservingOptions = [],
    delivery: Delivery = .synchronous,
    handler: @escaping @Sendable (ModelChange<Model>) -> Void
  ) -> Observation {
    observe(keys, by: ObserverID(), options: options, delivery: delivery) { handler(ModelChange($0, observing: keys)) }
  }

  // MARK: - Streams

  /// Returns the changes of a key as an asynchronous sequence.
  ///
  ///     for await change in ticket.changes(of: \.count) { print(change.old, change.new) }
  ///
  /// Observing begins with this call, not with the first iteration. The sequence ends when the model is freed, after
  /// the changes that are still buffered; releasing the sequence or cancelling its task ends the observation. It does
  /// not retain the model, and is meant for one iteration.
  ///
  /// - Parameters:
  ///   - keyPath: The key.
  ///   - options: When notifications are sent: `initial`, `prior`, `equal`. `old` and `new` have no effect.
  ///   - policy: What to do with changes that are not yet consumed (default: keep all of them). Writes never wait for
  ///     the consumer. With a limit, gaps in ``ValueChange/sequence`` show how many changes were dropped.
  public func changes<Value: Equatable & Sendable>(
    of keyPath: any KeyPath<Model, Value> & Sendable,
    options: ObservingOptions = [],
    bufferingPolicy policy: AsyncStream<ValueChange<Value>>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<ValueChange<Value>> {
    stream([ObservedKey(keyPath)], options, policy) { ValueChange($0, keyPath: keyPath) }
  }

  /// Returns the changes of several keys as an asynchronous sequence with one element per transaction.
  ///
  ///     for await change in canvas.changes(ofKeys: CanvasContent.displayKeys) { … }
  ///
  /// It begins, buffers and ends as the sequence for one key does.
  ///
  /// - Parameters:
  ///   - keys: The keys, each listed once.
  ///   - options: When notifications are sent: `initial`, `prior`, `equal`. `old` and `new` have no effect.
  ///   - policy: What to do with changes that are not yet consumed (default: keep all of them).
  public func changes(
    ofKeys keys: [ObservedKey<Model>],
    options: ObservingOptions = [],
    bufferingPolicy policy: AsyncStream<ModelChange<Model>>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<ModelChange<Model>> {
    stream(keys, options, policy) { ModelChange($0, observing: keys) }
  }

  private func stream<Element: Sendable>(
    _ keys: [ObservedKey<Model>],
    _ options: ObservingOptions,
    _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
    _ element: @escaping @Sendable (Notice<Model>) -> Element
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    let observation = observe(
      keys,
      by: ObserverID("stream"),
      options: options,
      onModelEnd: { continuation.finish() },
      handler: { continuation.yield(element($0)) }
    )
    continuation.onTermination = { _ in observation.cancel() }
    return stream
  }
}
