extension Observed {
  /// Performs the queued operations and waits for their end, except inside a handler (see ``Turn``).
  ///
  /// Inside an access it does nothing: the operations are performed when the access ends.
  func workOff() {
    if lock.isLentHere { return }
    turn.work(while: { lock.withLock { observing?.queue.isEmpty == false } }, step: doNext)
  }

  /// Performs the next operation.
  ///
  /// Called within the turn, so by one thread at a time.
  private func doNext() {
    removeFreedObservers()
    let (next, old, registrations) = lock.withLock {
      let next = observing?.next()
      observing?.isBusy = next != nil
      return (next, model, observing?.registrations ?? [])
    }
    switch next {
    case .begin(let registration): begin(registration, with: old)
    case .write(let write): notify(of: write, from: old, to: registrations)
    case nil: break
    }
    lock.withLock {
      observing?.isBusy = false
      if observing?.queue.isEmpty == true { observing?.newest = nil }
    }
    restorePlainPath()
  }

  private func begin(_ registration: Registration<Model>, with model: Model) {
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

  private func notify(of write: Write<Model>, from old: Model, to registrations: [Registration<Model>]) {
    let concerned = registrations.filter { $0.concerns(write, from: old) }
    for registration in concerned where registration.options.contains(.prior) {
      registration.deliver(.prior, from: old, to: write.model, transaction: write.transaction)
    }
    lock.withLock { model = write.model }
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
    let former = lock.withLock {
      guard let observing, observing.isOver else { return nil as Observing<Model>? }
      self.observing = nil
      return observing
    }
    // Freed outside the lock.
    withExtendedLifetime(former) {}
  }
}
