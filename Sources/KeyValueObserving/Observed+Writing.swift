extension Observed {
  /// The value of a key.
  ///
  /// Changing it in place (`model.count -= 1`) is atomic: the lock is held from the read to the write. An in-place
  /// change must therefore not access the same model (the process would end with a message about a recursive lock), and
  /// the value must not be passed `inout` to an `async` function.
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
        // Also when the caller throws: what it had already written takes effect, as with any other property.
        defer { accept(draft, writing: keyPath) }
        yield &draft[keyPath: keyPath]
      }
    }
  }

  /// The value of a key with a bitwise copyable type.
  ///
  /// In-place access through a key path allocates, which is worthwhile if it avoids copying an array, but not for a
  /// number.
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

  /// The value of a read-only key.
  @inlinable
  public subscript<Value: Sendable>(dynamicMember keyPath: any KeyPath<Model, Value> & Sendable) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return model[keyPath: keyPath]
  }

  /// Changes several keys as one transaction.
  ///
  /// The observers of every key whose value differs afterwards are notified in the order in which they registered, all
  /// with the same transaction number: first all `prior` notifications, then the others. Because the closure can write
  /// any key, observers with ``ObservingOptions/equal`` are always notified.
  ///
  /// - Parameter body: A closure that changes the model. It runs under the model's lock, so it must neither read nor
  ///   write the same `Observed`. If it throws, nothing is changed.
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
    // A closure that cannot throw needs no copy to roll back to.
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

  /// Writes a key, unlocks, and notifies observers.
  ///
  /// The caller must hold the lock.
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

  /// Counts an unobserved write and unlocks.
  ///
  /// The caller must hold the lock.
  @inlinable
  func writtenUnobserved() {
    transaction &+= 1
    lock.unlock()
  }

  /// The model after all accepted writes.
  ///
  /// The caller must hold the lock.
  @usableFromInline var newest: Model { observing?.newest ?? model }

  /// Queues a write, unlocks, and notifies observers.
  ///
  /// The caller must hold the lock.
  ///
  /// - Parameters:
  ///   - model: The model after the write.
  ///   - keyPath: The key that was written; `nil` if any key may have been.
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
