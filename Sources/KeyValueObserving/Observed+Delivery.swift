extension Observed {
  /// Does what is queued; returns when it is done, but for a caller inside a handler (see ``Turn``).
  func workOff() {
    turn.work(while: { lock.withLock { observing?.queue.isEmpty == false } }, step: step)
  }

  /// Does one step.
  ///
  /// Called in the turn, so by one thread at a time.
  private func step() {
    lock.lock()
    let next = observing?.next()
    observing?.isBusy = next != nil
    let old = model
    let registrations = observing?.registrations ?? []
    lock.unlock()
    switch next {
    case .begin(let registration): begin(registration, with: old)
    case .write(let write): tell(of: write, from: old, to: registrations)
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
      // Cancelling takes a registration out of the list under the same lock, after it has marked it.
      if !registration.isCancelled { observing?.registrations.append(registration) }
      // No write is queued before this step, but some may be behind it.
      return committed
    }
    if registration.options.contains(.initial) {
      registration.deliver(.initial, from: model, to: model, transaction: transaction)
    }
  }

  private func tell(of write: Write<Model>, from old: Model, to registrations: [Registration<Model>]) {
    let concerned = registrations.filter { $0.concerns(write, from: old) }
    for registration in concerned where registration.options.contains(.prior) {
      registration.deliver(.prior, from: old, to: write.model, transaction: write.transaction)
    }
    lock.withLock { model = write.model }
    for registration in concerned {
      registration.deliver(.changed, from: old, to: write.model, transaction: write.transaction)
    }
  }

  /// The number of the last write that is done; called under the lock.
  private var committed: Int {
    let waiting = observing?.queue.count { if case .write = $0 { true } else { false } } ?? 0
    return transaction - waiting
  }

  /// Leaves no trace of observing once nobody observes.
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
