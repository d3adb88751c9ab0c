extension Board {
  /// Returns to the newest earlier state without an open recording.
  ///
  /// A whole take is one step, with the taps that led to its preview; a discarded take leaves nothing to undo. Events about covers are not steps, and a
  /// restored clip has the cover that it had last: no decoder runs for an undo, so a newer result would be lost. Only
  /// the board's state is restored; no file is changed.
  mutating func undo(at instant: Instant) -> Outcome {
    guard !isLocked else { return .refused(.locked) }
    guard let step = history.steps.done.last else { return .noop(.nothing) }
    return reverse(step, at: instant, kind: .undo(step.name))
  }

  /// Repeats the step that was undone last, if nothing else was done since.
  mutating func redo(at instant: Instant) -> Outcome {
    guard !isLocked else { return .refused(.locked) }
    guard let step = history.steps.undone.last else { return .noop(.nothing) }
    return reverse(step, at: instant, kind: .redo(step.name))
  }

  /// Restores the keys that a step changed to the values they had before it.
  private mutating func reverse(_ step: History.Step, at instant: Instant, kind: Transaction.Kind) -> Outcome {
    guard var earlier = setting(step.changes.reversed().map { $0.map(\.reversed) }) else { return .noop(.nothing) }
    for index in earlier.canvases.indices {
      let canvas = earlier.canvases[index]
      // A step need not contain the cover: if a clip replaces one whose cover is pending, the cover stays pending.
      guard let clip = canvas.clip, let cover = lastCover(of: clip, on: canvas.id) else { continue }
      earlier.canvases[index].cover = cover
    }
    let changes = Change.all(from: self, to: earlier)
    guard !changes.isEmpty else { return .noop(.nothing) }
    let before = self
    self = earlier
    return commit(changes, at: instant, kind: kind, moved: step.moved, from: before)
  }

  /// Returns the cover that a clip has on a canvas, or had when it was last there; `nil` if the history does not go
  /// back that far.
  private func lastCover(of clip: Clip, on id: CanvasID) -> Cover? {
    var (present, cover) = (self[id]?.clip, self[id]?.cover ?? .none)
    for transaction in history.transactions.reversed() {
      if present == clip { return cover }
      // If the clip changed and the cover did not, this is the cover at that time.
      cover = transaction.covers[id] ?? cover
      for change in transaction.changes where change.canvas == id {
        switch change.old {
        case .clip(let clip): present = clip
        case .cover(let older): cover = older
        case .none: if change.key == .clip { present = nil }
        case .isSelected, .status, .keptTake, .region, .position, .canvases, .take, .session: break
        }
      }
    }
    return present == clip ? cover : nil
  }
}

extension Board {
  /// What an undo or redo would reverse or repeat.
  package struct StepDescription: Hashable, Sendable {
    /// The events of the step's first transaction.
    package let events: [EventName]
    /// The canvas that the last event added or was sent to; otherwise the first canvas that the step changed, if any.
    package let canvas: CanvasID?
  }

  /// What ``Event/undo`` would reverse; `nil` if there is nothing to undo.
  package var nextUndo: StepDescription? { description(of: history.steps.done.last) }

  /// What ``Event/redo`` would repeat; `nil` if there is nothing to redo.
  package var nextRedo: StepDescription? { description(of: history.steps.undone.last) }

  private func description(of step: History.Step?) -> StepDescription? {
    guard let step else { return nil }
    let transaction = history.transactions.first { $0.revision == step.name }
    // The canvas of a take, not of a preview before it.
    let changes = transaction.map { [$0.changes] } ?? step.changes
    let changed = changes.joined().lazy.compactMap(\.canvas).first
    let canvas =
      if case .addCanvas(let added, _) = transaction?.events.last { added } else {
        transaction?.events.last?.subject ?? changed
      }
    return StepDescription(events: transaction?.kind.names ?? [], canvas: canvas)
  }
}
