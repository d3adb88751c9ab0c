import Synchronization

/// One handler registered with one model, for one key or several.
///
/// It knows neither the model nor the token: the model holds it, the token holds it, and none holds the other.
final class Registration<Model: Sendable>: Sendable {
  typealias Handler = @Sendable (Notice<Model>) -> Void

  // A bare function in a generic container is wrapped once more each time it is handed out in place.
  private struct Held: Sendable {
    let handler: Handler
  }

  let observer: ObserverID
  let keys: [ObservedKey<Model>]
  let options: ObservingOptions
  private let delivery: Delivery
  private let gate = Gate()
  private let handler: Guarded<Held?>
  private let mailbox = Guarded(Mailbox<Model>())
  private let cancelled = Atomic<Bool>(false)
  private let listed = Atomic<Bool>(true)

  init(
    observer: ObserverID,
    keys: [ObservedKey<Model>],
    options: ObservingOptions,
    delivery: Delivery,
    handler: @escaping Handler
  ) {
    self.observer = observer
    self.keys = keys
    self.options = options
    self.delivery = delivery
    self.handler = Guarded(Held(handler: handler))
  }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// True once: for the one who is to take the registration out of the ledger.
  func leaveLedger() -> Bool { listed.exchange(false, ordering: .acquiringAndReleasing) }

  /// Lets no handler begin any more, and waits for one that runs; see ``Gate/waitUntilFree()``.
  func cancel() {
    cancelled.store(true, ordering: .releasing)
    gate.waitUntilFree()
    // What the handler holds is freed outside the lock: it may be a token, whose end takes locks too.
    let former = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    withExtendedLifetime(former) {}
  }

  // MARK: - Delivering

  /// Whether a write is to be told.
  func concerns(_ write: Write<Model>, from old: Model) -> Bool {
    guard !isCancelled else { return false }
    if options.contains(.equal), keys.contains(where: { write.scope.includes($0) }) { return true }
    return keys.contains { $0.isDifferent(old, write.model) }
  }

  /// Hands a notice to the handler, or to the executor.
  ///
  /// Called by one thread at a time, that of the model's turn.
  func deliver(_ kind: ChangeKind, from old: Model, to new: Model, transaction: Int) {
    switch delivery {
    case .synchronous:
      let sequence = mailbox.withLock { $0.nextSequence() }
      call(Notice(kind: kind, old: old, new: new, sequence: sequence, transaction: transaction))
    case .async(let executor):
      let isFirst = mailbox.withLock { mailbox in
        let sequence = mailbox.nextSequence()
        mailbox.notices.append(
          Notice(kind: kind, old: old, new: new, sequence: sequence, transaction: transaction)
        )
        defer { mailbox.isScheduled = true }
        return !mailbox.isScheduled
      }
      if isFirst { executor.enqueue { self.empty() } }
    }
  }

  /// Delivers what is in the mailbox, until it is empty.
  private func empty() {
    while true {
      let notices = mailbox.withLock { $0.take() }
      guard !notices.isEmpty else { return }
      for notice in notices { call(notice) }
    }
  }

  private func call(_ notice: Notice<Model>) {
    gate.run {
      guard !isCancelled, let held = handler.withLock({ $0 }) else { return }
      held.handler(notice)
    }
  }
}

/// What waits to be delivered by an executor, and the number of the last notice.
private struct Mailbox<Model: Sendable>: Sendable {
  var notices: [Notice<Model>] = []
  var isScheduled = false
  private var sequence = 0

  mutating func nextSequence() -> Int {
    sequence += 1
    return sequence
  }

  /// Takes all notices out; none means that the next one has to be scheduled again.
  mutating func take() -> [Notice<Model>] {
    defer { notices = [] }
    if notices.isEmpty { isScheduled = false }
    return notices
  }
}
