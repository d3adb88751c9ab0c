extension Observed {
  /// The value of a key.
  ///
  /// Changing it in place (`model.count -= 1`) is atomic: the lock is held from the read to the write. The change is
  /// made to a copy of the value, which is written when the change ends. Until then, code on the same thread can use the
  /// model, as in `swap(&model.first, &model.second)`: it reads the model as it was before, and what it writes takes
  /// effect together with the change in progress, as one transaction; if both write the same key, its write counts. The
  /// value must not be passed `inout` to an `async` function.
  @inlinable
  public subscript<Value: Sendable>(dynamicMember keyPath: any WritableKeyPath<Model, Value> & Sendable) -> Value {
    get {
      let isOutermost = lock.enter()
      defer { if isOutermost { lock.unlock() } }
      return model[keyPath: keyPath]
    }
    set {
      let isOutermost = lock.enter()
      write(newValue, keyPath, isOutermost: isOutermost)
    }
    _modify {
      let isOutermost = lock.lend()
      var value = isOutermost && observing == nil ? model[keyPath: keyPath] : newest[keyPath: keyPath]
      // Also when the caller throws: what it had already written takes effect, as with any other property.
      defer {
        if isOutermost { lock.reclaim() }
        write(value, keyPath, isOutermost: isOutermost)
      }
      yield &value
    }
  }

  /// The value of a read-only key.
  @inlinable
  public subscript<Value: Sendable>(dynamicMember keyPath: any KeyPath<Model, Value> & Sendable) -> Value {
    let isOutermost = lock.enter()
    defer { if isOutermost { lock.unlock() } }
    return model[keyPath: keyPath]
  }

  /// Changes several keys as one transaction.
  ///
  /// The observers of every key whose value differs afterwards are notified in the order in which they registered, all
  /// with the same transaction number: first all `prior` notifications, then the others. Because the closure can write
  /// any key, observers with ``ObservingOptions/equal`` are always notified.
  ///
  /// The closure can also use the model itself. It then reads the model as it was before, and what it writes to the
  /// model, rather than to its parameter, is written after its parameter, in the same transaction. A `mutate` inside
  /// another one writes all keys, and so replaces what the outer closure did: use the parameter instead.
  ///
  /// - Parameter body: A closure that changes a copy of the model under the model's lock. It must not wait for another
  ///   thread that uses the model. If it throws, nothing is changed.
  @inlinable
  public func mutate<Result, Failure: Error>(
    _ body: (inout Model) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isOutermost = lock.lend()
    let nested = isOutermost ? 0 : nestedWrites
    var draft = isOutermost && observing == nil ? model : newest
    let result: Result
    do throws(Failure) {
      result = try body(&draft)
    } catch {
      abandon(to: nested, isOutermost: isOutermost)
      throw error
    }
    guard isOutermost else {
      nest(draft)
      return result
    }
    lock.reclaim()
    if observing == nil {
      model = draft
      writtenUnobserved()
    } else {
      accept(draft, writing: nil)
    }
    return result
  }

  /// Writes a key, unlocks, and notifies observers.
  ///
  /// The caller must hold the lock. If the write is inside another access, it is left to that access.
  @inlinable
  func write<Value: Sendable>(
    _ value: Value,
    _ keyPath: any WritableKeyPath<Model, Value> & Sendable,
    isOutermost: Bool
  ) {
    guard isOutermost else { return nest(value, keyPath) }
    if observing == nil {
      model[keyPath: keyPath] = value
      writtenUnobserved()
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

  /// The model after all accepted writes, and after those made inside the access in progress.
  ///
  /// The caller must hold the lock.
  @inlinable var newest: Model {
    var newest = observing?.newest ?? model
    for write in observing?.nested ?? [] { write.apply(&newest) }
    return newest
  }

  /// Queues a write, unlocks, and notifies observers.
  ///
  /// The caller must hold the lock, and no longer lend it.
  ///
  /// - Parameters:
  ///   - model: The model after the write.
  ///   - keyPath: The key that was written; `nil` if any key may have been.
  @inlinable
  func accept(_ model: Model, writing keyPath: (any AnyKeyPath & Sendable)?) {
    transaction &+= 1
    if let observing {
      var model = model
      for write in observing.nested { write.apply(&model) }
      let isOneKey = observing.nested.isEmpty
      observing.nested = []
      observing.newest = model
      let scope = keyPath.flatMap { isOneKey ? Write<Model>.Scope.key($0) : nil } ?? .all
      observing.append(.write(Write(model: model, scope: scope, transaction: transaction)))
    }
    lock.unlock()
    workOff()
  }
}

// MARK: - Accesses inside an access

extension Observed {
  /// The number of writes made inside the access in progress.
  @usableFromInline var nestedWrites: Int { observing?.nested.count ?? 0 }

  /// Adds a write of a key to those made inside the access in progress.
  @usableFromInline
  func nest<Value: Sendable>(_ value: Value, _ keyPath: any WritableKeyPath<Model, Value> & Sendable) {
    nest(NestedWrite { $0[keyPath: keyPath] = value })
  }

  /// Adds a write of all keys to those made inside the access in progress.
  @usableFromInline
  func nest(_ model: Model) { nest(NestedWrite { $0 = model }) }

  private func nest(_ write: NestedWrite<Model>) {
    // This also takes the access in progress off the plain path.
    let observing = observing ?? Observing()
    self.observing = observing
    observing.nested.append(write)
  }

  /// Discards the writes made inside a mutation that threw, and unlocks after the outermost one.
  @usableFromInline
  func abandon(to count: Int, isOutermost: Bool) {
    if let observing { observing.nested.removeSubrange(count...) }
    guard isOutermost else { return }
    lock.reclaim()
    lock.unlock()
    workOff()
    restorePlainPath()
  }
}
