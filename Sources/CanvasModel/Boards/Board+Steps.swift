extension Board {
  /// Undoes several steps, all of them or none; each is a separate revision.
  ///
  /// - Returns: The outcome with the changes from the present board to the result. They may be empty, because steps can
  ///   cancel each other out.
  package mutating func undo(_ count: Int, at instant: Instant) -> Outcome { repeating(.undo, count, at: instant) }

  /// Repeats several undone steps, all of them or none; see ``undo(_:at:)``.
  package mutating func redo(_ count: Int, at instant: Instant) -> Outcome { repeating(.redo, count, at: instant) }

  private mutating func repeating(_ event: Event, _ count: Int, at instant: Instant) -> Outcome {
    let before = self
    for index in 0..<count {
      switch apply(event, at: instant) {
      case .changed: break
      case .noop(let reason) where index == 0: return .noop(reason)
      case .noop:
        self = before
        return .refused(.tooFewSteps)
      case .refused(let reason):
        self = before
        return .refused(reason)
      }
    }
    guard revision != before.revision else { return .noop(.already) }
    return .changed(revision: revision, changes: Change.all(from: before, to: self))
  }

  /// The number of steps that can be undone one after another.
  package var undoableSteps: Int { count(of: .undo) }

  /// The number of steps that can be redone one after another.
  package var redoableSteps: Int { count(of: .redo) }

  private func count(of event: Event) -> Int {
    var (copy, count) = (self, 0)
    while case .changed = copy.apply(event, at: .epoch) { count += 1 }
    return count
  }

  /// Undoes steps until the board is as it was at a revision, apart from newer covers; no step if that is impossible.
  package mutating func undo(to revision: Int, at instant: Instant) -> Outcome {
    guard !isLocked else { return .refused(.locked) }
    guard let target = stateWithoutCovers(at: revision) else { return .refused(.unknownRevision) }
    let before = self
    while Snapshot(self).withoutCovers != target {
      guard case .changed = undo(at: instant) else {
        self = before
        return .refused(.unknownRevision)
      }
    }
    guard self.revision != before.revision else { return .noop(.already) }
    return .changed(revision: self.revision, changes: Change.all(from: before, to: self))
  }

  /// Returns the state at a revision, apart from its covers; `nil` if the history does not go back that far.
  private func stateWithoutCovers(at revision: Int) -> Snapshot? {
    let later = history.transactions.filter { $0.revision > revision }
    // Only answers about covers are removed from the middle of a history.
    let oldest = history.transactions.first?.revision ?? self.revision + 1
    guard revision <= self.revision, revision >= oldest - 1 else { return nil }
    return snapshot(before: later)?.withoutCovers
  }
}

extension Snapshot {
  /// The snapshot with every cover pending.
  fileprivate var withoutCovers: Snapshot {
    var snapshot = self
    for index in snapshot.canvases.indices where snapshot.canvases[index].clip != nil {
      snapshot.canvases[index].cover = .pending
    }
    return snapshot
  }
}
