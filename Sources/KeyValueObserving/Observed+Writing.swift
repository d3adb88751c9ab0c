extension Observed {
  /// The value of a key.
  ///
  /// Changing it in place (`model.count -= 1`) is one step, on any thread: the lock is held from reading to writing.
  /// So what is done in place must not touch the same model (the process would end with a message about a recursive
  /// lock) and must not be given `inout` to an `async` function.
  @inlinable
  public subscript<Value: Sendable>(dynamicMember keyPath: any WritableKeyPath<Model, Value> & Sendable) -> Value {
    get {
      lock.lock()
      defer { lock.unlock() }
      return model[keyPath: keyPath]
    }
    set {
      lock.lock()
      write(newValue, keyPath)
    }
    _modify {
      lock.lock()
      if observing == nil {
        defer { writtenUnobserved() }
        yield &model[keyPath: keyPath]
      } else {
        var draft = newest
        // Also where the caller throws: what it wrote before is written, as in any other property.
        defer { accept(draft, writing: keyPath) }
        yield &draft[keyPath: keyPath]
      }
    }
  }

  /// The value of a key, for types that are copied bit by bit.
  ///
  /// Going in place through a key path allocates, which is well spent where an array would be copied otherwise, and
  /// wasted on a number.
  @inlinable
  public subscript<Value: Sendable & BitwiseCopyable>(
    dynamicMember keyPath: any WritableKeyPath<Model, Value> & Sendable
  ) -> Value {
    get {
      lock.lock()
      defer { lock.unlock() }
      return model[keyPath: keyPath]
    }
    set {
      lock.lock()
      write(newValue, keyPath)
    }
    _modify {
      lock.lock()
      var value = observing == nil ? model[keyPath: keyPath] : newest[keyPath: keyPath]
      defer { write(value, keyPath) }
      yield &value
    }
  }

  /// The value of a key that can only be read.
  @inlinable
  public subscript<Value: Sendable>(dynamicMember keyPath: any KeyPath<Model, Value> & Sendable) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return model[keyPath: keyPath]
  }

  /// Changes several keys as one transaction.
  ///
  /// Every observed key whose value is another one afterwards is told, in the order in which the observers registered,
  /// all with the same transaction number: first all `prior` notices, then the others. As the whole model is handed
  /// out, an observer with ``ObservingOptions/equal`` is told in any case.
  ///
  /// - Parameter body: Changes the model. It runs under the model's lock, so it must not touch the same `Observed`, by
  ///   reading or by writing. If it throws, nothing is changed.
  @inlinable
  public func mutate<Result, Failure: Error>(
    _ body: (inout Model) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    if observing == nil {
      defer { lock.unlock() }
      return try mutateUnobserved(body)
    }
    var draft = newest
    let result: Result
    do throws(Failure) {
      result = try body(&draft)
    } catch {
      lock.unlock()
      throw error
    }
    accept(draft, writing: nil)
    return result
  }

  @inlinable
  func mutateUnobserved<Result, Failure: Error>(
    _ body: (inout Model) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // What cannot throw needs no copy to go back to.
    if Failure.self == Never.self {
      transaction &+= 1
      return try body(&model)
    }
    var draft = model
    let result = try body(&draft)
    model = draft
    transaction &+= 1
    return result
  }

  /// Writes a key, unlocks, and tells of it; called under the lock, by the one who took it.
  @inlinable
  func write<Value>(_ value: Value, _ keyPath: any WritableKeyPath<Model, Value> & Sendable) {
    if observing == nil {
      defer { writtenUnobserved() }
      model[keyPath: keyPath] = value
    } else {
      var draft = newest
      draft[keyPath: keyPath] = value
      accept(draft, writing: keyPath)
    }
  }

  /// Counts a write on the plain path and unlocks; called under the lock, by the one who took it.
  @inlinable
  func writtenUnobserved() {
    transaction &+= 1
    lock.unlock()
  }

  /// The model after all writes that were accepted; called under the lock.
  @usableFromInline var newest: Model { observing?.newest ?? model }

  /// Queues a write, unlocks, and tells of it; called under the lock, by the one who took it.
  ///
  /// - Parameter keyPath: The key that was written; nil means that all may have been.
  @usableFromInline
  func accept(_ model: Model, writing keyPath: (any AnyKeyPath & Sendable)?) {
    transaction &+= 1
    let scope = keyPath.map { Write<Model>.Scope.key($0) } ?? .all
    observing?.newest = model
    observing?.append(.write(Write(model: model, scope: scope, transaction: transaction)))
    lock.unlock()
    workOff()
  }
}
