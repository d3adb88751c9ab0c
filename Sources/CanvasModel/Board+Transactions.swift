extension Board {
  /// Does what an event asks for, if it may be done.
  ///
  /// - Parameters:
  ///   - event: What happens.
  ///   - instant: When; it ends up in takes and in the history.
  public mutating func apply(_ event: Event, at instant: Instant) -> Outcome {
    switch event {
    case .undo: return undo(at: instant)
    case .redo: return redo(at: instant)
    case .tap, .select, .deselect, .preview, .stopPreview, .recordStart, .recordPause, .recordResume, .recordStop,
      .recordDiscard, .takeFinished, .takeFailed, .importClip, .removeClip, .coverReady, .coverFailed, .coverRetry,
      .addCanvas, .removeCanvas, .moveCanvas:
      return apply([(event, instant)]).outcome
    }
  }

  /// Does what several events ask for, in order, as one transaction: all of it or, when one is refused, nothing.
  ///
  /// An event that is a noop is no reason to give up the others.
  ///
  /// - Parameter events: What happens, and when. An ``Event/undo`` or ``Event/redo`` is a transaction alone and is refused
  ///   among other events.
  /// - Returns: The outcome of the whole, and of a refused one which event it was. Without any event it is a noop.
  public mutating func apply(_ events: [(event: Event, at: Instant)]) -> (outcome: Outcome, index: Int?) {
    if events.count == 1, let (event, instant) = events.first, event == .undo || event == .redo {
      let outcome = apply(event, at: instant)
      return (outcome, outcome == .refused(.locked) ? 0 : nil)
    }
    let before = self
    var reason = Reason.already
    for (index, (event, instant)) in events.enumerated() {
      switch step(event, at: instant) {
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
    let kind: Transaction.Kind =
      events.contains { $0.event.isStep } ? .step(events.map(\.event.name)) : .answers(events.map(\.event.name))
    return (commit(changes, at: last.at, kind: kind), nil)
  }

  /// Makes a new revision of what was done.
  mutating func commit(_ changes: [Change], at instant: Instant, kind: Transaction.Kind) -> Outcome {
    revision += 1
    history.add(Transaction(revision: revision, at: instant, kind: kind, isLocked: isLocked, changes: changes))
    return .changed(revision: revision, changes: changes)
  }
}
