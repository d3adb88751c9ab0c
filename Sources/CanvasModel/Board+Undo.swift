extension Board {
  /// Goes back to the newest earlier state in which no recording was open.
  ///
  /// A whole take is one step; a take that was discarded left nothing to take back. Answers of makers of covers are no
  /// steps. Only the state goes back: no file is touched.
  mutating func undo(at instant: Instant) -> Outcome {
    guard !isLocked else { return .refused(.locked) }
    guard let step = history.steps.done.last else { return .noop(.nothing) }
    return reverse(step, at: instant, kind: .undo(step.name))
  }

  /// Does again what was taken back last, if nothing else was done since.
  mutating func redo(at instant: Instant) -> Outcome {
    guard !isLocked else { return .refused(.locked) }
    guard let step = history.steps.undone.last else { return .noop(.nothing) }
    return reverse(step, at: instant, kind: .redo(step.name))
  }

  /// Gives the keys that a step changed the values they had before it.
  private mutating func reverse(_ step: History.Step, at instant: Instant, kind: Transaction.Kind) -> Outcome {
    guard let earlier = setting(step.changes.reversed().map(\.reversed)) else { return .noop(.nothing) }
    let changes = Change.all(from: self, to: earlier)
    guard !changes.isEmpty else { return .noop(.nothing) }
    self = earlier
    return commit(changes, at: instant, kind: kind)
  }
}
