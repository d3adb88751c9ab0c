extension Observed {
  /// Performs the queued operations and waits for their end, except inside a handler (see ``Turn``).
  ///
  /// Inside an access to any model, it leaves them to the end of the outermost access of the thread, so that no handler
  /// runs under a lock.
  @inlinable
  func workOff() {
    if ThreadState.isInsideAccess { return ThreadState.deferWork(of: self) { self.workOff() } }
    turn.work(while: { lock.withLock { hasOperations } }, step: doNext)
  }

  /// Whether operations are queued.
  ///
  /// The caller must hold the lock.
  @inlinable
  var hasOperations: Bool { observing?.queue.isEmpty == false }

  /// Performs the next operation, and returns whether there are more.
  ///
  /// Called within the turn, so by one thread at a time.
  @inlinable
  func doNext() -> Bool {
    let (next, old, hasObjects) = lock.withLock {
      let next = observing?.next()
      observing?.isBusy = next != nil
      return (next, model, observing?.objects.isEmpty == false)
    }
    switch next {
    case .begin(let registration): begin(registration, with: old)
    case .write(let write):
      if hasObjects { removeFreedObservers() }
      notify(of: write, from: old)
    case nil: break
    }
    let (former, newest, hasMore) = lock.withLock {
      observing?.isBusy = false
      let newest = hasOperations ? nil : observing?.newest.take()
      return (takeUnneeded(), newest, hasOperations)
    }
    // Freed outside the lock.
    withExtendedLifetime((former, newest)) {}
    return hasMore
  }

  @usableFromInline
  func begin(_ registration: Registration<Model>, with model: Model) {
    let transaction = lock.withLock {
      // Cancelling marks a registration first and then removes it from the list under the same lock.
      if !registration.isCancelled { observing?.registrations.append(registration) }
      // No write is queued before this operation, but there may be some after it.
      return committed
    }
    if registration.options.contains(.initial) {
      registration.deliver(.initial, from: model, to: model, transaction: transaction)
    }
  }

  @inlinable
  func notify(of write: Write<Model>, from old: Model) {
    let registrations = lock.withLock { observing?.registrations ?? [] }
    let concerned = registrations.filter { $0.concerns(write, from: old) }
    for registration in concerned where registration.options.contains(.prior) {
      registration.deliver(.prior, from: old, to: write.model, transaction: write.transaction)
    }
    var former = write.model
    lock.withLock { swap(&model, &former) }
    // Freed outside the lock.
    withExtendedLifetime(former) {}
    for registration in concerned {
      registration.deliver(.changed, from: old, to: write.model, transaction: write.transaction)
    }
  }

  /// The number of the last completed write.
  ///
  /// The caller must hold the lock.
  private var committed: Int {
    let waiting = observing?.queue.count { if case .write = $0 { true } else { false } } ?? 0
    return transaction - waiting
  }

  /// Discards the observing state when nothing is observed any more.
  func restorePlainPath() {
    let former = lock.withLock { takeUnneeded() }
    // Freed outside the lock.
    withExtendedLifetime(former) {}
  }

  /// Returns and discards the observing state if nothing is observed any more.
  ///
  /// The caller must hold the lock.
  @inlinable
  func takeUnneeded() -> Observing<Model>? {
    guard let observing, observing.isOver else { return nil }
    self.observing = nil
    return observing
  }
}
