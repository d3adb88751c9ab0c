public import Synchronization

/// A handler registered with a model for one or more keys.
///
/// It references neither the model nor the token. Both retain it, and neither retains the other.
@usableFromInline
final class Registration<Model: Sendable>: Sendable {
  @usableFromInline typealias Handler = @Sendable (Notice<Model>) -> Void

  // A bare closure in a generic container is wrapped again each time it is accessed in place.
  @usableFromInline
  struct Held: Sendable {
    @usableFromInline let handler: Handler
    let onModelEnd: @Sendable () -> Void
  }

  let observer: ObserverID
  @usableFromInline let keys: [ObservedKey<Model>]
  @usableFromInline let options: ObservingOptions
  @usableFromInline let delivery: Delivery
  @usableFromInline let gate = Gate()
  @usableFromInline let handler: Guarded<Held?>
  @usableFromInline let mailbox = Guarded(Mailbox<Model>())
  @usableFromInline let cancelled = Atomic<Bool>(false)
  private let listed = Atomic<Bool>(true)

  init(
    observer: ObserverID,
    keys: [ObservedKey<Model>],
    options: ObservingOptions,
    delivery: Delivery,
    onModelEnd: @escaping @Sendable () -> Void = {},
    handler: @escaping Handler
  ) {
    self.observer = observer
    self.keys = keys
    self.options = options
    self.delivery = delivery
    self.handler = Guarded(Held(handler: handler, onModelEnd: onModelEnd))
  }

  @inlinable
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Calls the closure for the end of the model.
  func modelEnded() { handler.withLock { $0 }?.onModelEnd() }

  /// Returns true on the first call only; that caller removes the registration from the ledger.
  func leaveLedger() -> Bool { listed.exchange(false, ordering: .acquiringAndReleasing) }

  /// Prevents further calls of the handler and waits for a running one; see ``Gate/waitUntilFree()``.
  func cancel() {
    cancelled.store(true, ordering: .releasing)
    gate.waitUntilFree()
    // Values captured by the handler are freed outside the lock: one may be a token, whose deinit takes locks too.
    let former = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    withExtendedLifetime(former) {}
  }

  // MARK: - Delivering

  /// Returns whether a write has to be reported.
  @inlinable
  func concerns(_ write: Write<Model>, from old: Model) -> Bool {
    guard !isCancelled else { return false }
    if options.contains(.equal), keys.contains(where: { write.scope.includes($0) }) { return true }
    return keys.contains { $0.isDifferent(old, write.model) }
  }

  /// Passes a notification to the handler or to the executor.
  ///
  /// Called within the model's turn, so by one thread at a time.
  @inlinable
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

  /// Delivers the contents of the mailbox until it is empty.
  @usableFromInline
  func empty() {
    while true {
      let notices = mailbox.withLock { $0.take() }
      guard !notices.isEmpty else { return }
      for notice in notices { call(notice) }
    }
  }

  @inlinable
  func call(_ notice: Notice<Model>) {
    gate.run {
      guard !isCancelled, let held = handler.withLock({ $0 }) else { return }
      held.handler(notice)
    }
  }
}

/// The notifications that an executor has yet to deliver, and the number of the last one.
@usableFromInline
struct Mailbox<Model: Sendable>: Sendable {
  @usableFromInline var notices: [Notice<Model>] = []
  @usableFromInline var isScheduled = false
  @usableFromInline var sequence = 0

  init() {}

  @inlinable
  mutating func nextSequence() -> Int {
    sequence += 1
    return sequence
  }

  /// Removes and returns all notifications.
  ///
  /// After an empty result, the next notification has to be scheduled again.
  mutating func take() -> [Notice<Model>] {
    defer { notices = [] }
    if notices.isEmpty { isScheduled = false }
    return notices
  }
}
