extension Board {
  /// Applies an event if it is allowed.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - instant: The time of the event, which is stored in takes and in the history.
  package mutating func apply(_ event: Event, at instant: Instant) -> Outcome {
    apply([(event, instant)]).outcome
  }

  /// Applies several events, in order, as one transaction: all of them or, if one is refused, none.
  ///
  /// An event that is a noop does not cancel the others.
  ///
  /// - Parameter events: The events and their times. ``Event/undo`` and ``Event/redo`` must be the only event of a
  ///   transaction; among other events they are refused.
  /// - Returns: The outcome of the transaction and, if it was refused, the index of the refused event. Without events
  ///   the outcome is a noop.
  package mutating func apply(_ events: [(event: Event, at: Instant)]) -> (outcome: Outcome, index: Int?) {
    if events.count == 1, let (event, instant) = events.first {
      if event == .undo { return single(undo(at: instant)) }
      if event == .redo { return single(redo(at: instant)) }
    }
    let before = self
    var reason = Reason.already
    for (index, (event, instant)) in events.enumerated() {
      switch perform(event, at: instant) {
      case .done: break
      case .noop(let why): reason = why
      case .refused(let why):
        self = before
        return (.refused(why), index)
      }
    }
    let changes = Change.all(from: before, to: self)
    guard let last = events.last, !changes.isEmpty else {
      self = before
      return (.noop(reason), nil)
    }
    let names = events.map(\.event.name)
    let kind: Transaction.Kind = events.contains { $0.event.isStep } ? .step(names) : .answers(names)
    let outcome = commit(changes, at: last.at, kind: kind, events: events.map(\.event), from: before)
    return if case .refused = outcome { (outcome, events.count - 1) } else { (outcome, nil) }
  }

  /// Returns the result of a transaction with one event.
  private func single(_ outcome: Outcome) -> (outcome: Outcome, index: Int?) {
    if case .refused = outcome { (outcome, 0) } else { (outcome, nil) }
  }

  /// Creates a new revision with the given changes, unless the board has become too large.
  ///
  /// A board that is too large can still become smaller, so that there is a way out.
  ///
  /// - Parameters:
  ///   - changes: The changes from the previous board to this one.
  ///   - instant: The time of the transaction.
  ///   - kind: What was done.
  ///   - events: The events with their arguments.
  ///   - moved: The canvases that are reported as moved if that is sufficient.
  ///   - before: The previous board.
  mutating func commit(
    _ changes: [Change],
    at instant: Instant,
    kind: Transaction.Kind,
    events: [Event] = [],
    moved: Set<CanvasID> = [],
    from before: Board
  ) -> Outcome {
    let size = Size.of(self)
    guard size <= Self.maximumBytes || size <= Size.of(before) else {
      self = before
      return .refused(.tooLarge)
    }
    revision += 1
    // Whether a take changed nothing is determined by comparing values, and only whole orders can be compared.
    let isPartOfTake = isLocked || before.isLocked
    let transaction = Transaction(
      revision: revision,
      at: instant,
      kind: kind,
      isLocked: isLocked,
      changes: isPartOfTake ? changes : changes.withPositions(moved: moved.union(events.compactMap(\.movedCanvas))),
      events: events
    )
    history.add(transaction.condensed, within: Self.maximumBytes - size)
    return .changed(revision: revision, changes: changes)
  }
}
