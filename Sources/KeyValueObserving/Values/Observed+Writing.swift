extension Observed {
  /// The value of a key.
  ///
  /// Changing it in place (`model.count -= 1`) is atomic: the lock is held from the read to the write. The change is
  /// made to a copy of the value, which is written when the change ends. Until then, code on the same thread can use the
  /// model, as in `swap(&model.first, &model.second)`: it reads the model as it was before, and what it writes takes
  /// effect together with the change in progress, as one transaction; if both write the same key, its write counts. The
  /// same is true of code that the key calls: a getter, a setter or a `didSet`. The value must not be passed `inout` to
  /// an `async` function.
  ///
  /// Two threads wait for each other for ever if they change the same two models in place in opposite order, as
  /// `swap(&one.count, &other.count)` and `swap(&other.count, &one.count)` do; so agree on an order of models.
  @inlinable
  public subscript<Value: Sendable>(dynamicMember keyPath: any WritableKeyPath<Model, Value> & Sendable) -> Value {
    get {
      let isOutermost = lock.lend()
      defer { if isOutermost { endRead() } }
      return model[keyPath: keyPath]
    }
    set {
      let isOutermost = lock.lend()
      write(newValue, keyPath, isOutermost: isOutermost)
    }
    _modify {
      let isOutermost = lock.lend()
      var value = isOutermost && isPlain ? model[keyPath: keyPath] : newest[keyPath: keyPath]
      // Also when the caller throws: what it had already written takes effect, as with any other property.
      defer { write(value, keyPath, isOutermost: isOutermost) }
      yield &value
    }
  }

  /// The value of a read-only key.
  @inlinable
  public subscript<Value: Sendable>(dynamicMember keyPath: any KeyPath<Model, Value> & Sendable) -> Value {
    let isOutermost = lock.lend()
    defer { if isOutermost { endRead() } }
    return model[keyPath: keyPath]
  }

  /// Changes several keys as one transaction.
  ///
  /// The observers of every key whose value differs afterwards are notified in the order they registered in, all
  /// with the same transaction number: first all `prior` notifications, then the others. Because the closure can write
  /// any key, observers with ``ObservingOptions/equal`` are always notified.
  ///
  /// The closure can also use the model itself. It then reads the model as it was before, and what it writes to the
  /// model, rather than to its parameter, is written after its parameter, in the same transaction. A `mutate` inside
  /// another one writes all keys, and so replaces what the outer closure did: use the parameter instead.
  ///
  /// The closure can write to other models. Their observers are notified after it, when the lock is free again; until
  /// then, reads return what the last finished notification of these models was about.
  ///
  /// - Parameter body: A closure that changes a copy of the model under the model's lock. It must not wait for another
  ///   thread that uses the model. If it throws, nothing is changed.
  @inlinable
  public func mutate<Result, Failure: Error>(
    _ body: (inout Model) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isOutermost = lock.lend()
    let nested = isOutermost ? 0 : nestedWrites
    var draft = isOutermost && isPlain ? model : newest
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
    commit(&draft, writing: .all)
    return result
  }

  /// Writes a key, ends the access, and notifies observers.
  ///
  /// The caller must lend the lock. If the write is inside another access, it is left to that access.
  @inlinable
  func write<Value: Sendable>(
    _ value: Value,
    _ keyPath: any WritableKeyPath<Model, Value> & Sendable,
    isOutermost: Bool
  ) {
    guard isOutermost else { return nest(value, keyPath) }
    var draft = isPlain ? model : newest
    draft[keyPath: keyPath] = value
    commit(&draft, writing: .key(keyPath, size: MemoryLayout<Value>.size))
  }

  /// Whether nothing is observed and nothing was written inside the access in progress.
  ///
  /// The caller must hold the lock.
  @inlinable var isPlain: Bool { observing == nil }

  /// The model after all accepted writes, and after those made inside the access in progress.
  ///
  /// The caller must lend the lock.
  @inlinable var newest: Model {
    guard let observing else { return model }
    var newest = observing.newest ?? model
    observing.applyNested(to: &newest)
    return newest
  }

  /// Makes a changed copy the model, ends the access, and notifies observers.
  ///
  /// The caller must lend the lock. It receives the former model, so that it frees the values in it outside the lock:
  /// their deinitialisers can use the model.
  ///
  /// - Parameters:
  ///   - draft: The model after the write.
  ///   - scope: The keys that were written.
  @inlinable
  func commit(_ draft: inout Model, writing scope: Write<Model>.Scope) {
    if let observing { return accept(&draft, writing: scope, observing) }
    swap(&model, &draft)
    transaction &+= 1
    lock.endLending()
  }

  /// Queues a write, ends the access, and notifies observers.
  @inlinable
  func accept(_ draft: inout Model, writing scope: Write<Model>.Scope, _ observing: Observing<Model>) {
    observing.applyNested(to: &draft)
    let (nested, former) = (observing.takeNested(), observing.newest)
    observing.newest = draft
    transaction &+= 1
    let scope = nested.isEmpty ? scope : .all
    observing.append(.write(Write(model: draft, scope: scope, transaction: transaction)))
    lock.endLending()
    workOff()
    // Freed outside the lock.
    withExtendedLifetime((nested, former)) {}
  }

  /// Ends an access that only reads.
  ///
  /// The caller must lend the lock.
  @inlinable
  func endRead() {
    if isPlain { lock.endLending() } else { endObservedRead() }
  }

  /// Ends an access that only reads, but whose getter may have written to the model.
  @usableFromInline
  func endObservedRead() {
    guard let observing, !observing.nested.isEmpty else { return lock.endLending() }
    var draft = observing.newest ?? model
    commit(&draft, writing: .all)
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

  /// Discards the writes made inside a mutation that threw, and ends the access if it is the outermost one.
  @usableFromInline
  func abandon(to count: Int, isOutermost: Bool) {
    let discarded = observing?.takeNested(from: count)
    if isOutermost {
      lock.endLending()
      restorePlainPath()
    }
    // Freed outside the lock, or while it is lent.
    withExtendedLifetime(discarded) {}
  }
}
