extension Board {
  /// The canvases whose IDs are not valid, with the valid IDs that they would get; empty for a board of this version.
  public var invalidIDs: [CanvasID: CanvasID] {
    var used = Set(canvases.map(\.id))
    var names: [CanvasID: CanvasID] = [:]
    for canvas in canvases where !canvas.id.isValid {
      let name = canvas.id.repaired { used.contains($0) }
      used.insert(name)
      names[canvas.id] = name
    }
    return names
  }

  /// Returns the board with other IDs for some of its canvases, in its history as well.
  ///
  /// - Parameter names: The new IDs of canvases, which must be unused.
  public func renaming(_ names: [CanvasID: CanvasID]) -> Board {
    var board = self
    board.canvases = canvases.map { canvas in
      Canvas(id: names.new(canvas.id), region: canvas.region, clip: canvas.clip, cover: canvas.cover)
    }
    switch session {
    case .idle: break
    case .selected(let canvas): board.session = .selected(names.new(canvas))
    case .previewing(let canvas): board.session = .previewing(names.new(canvas))
    case .recording(let take): board.session = .recording(names.new(take))
    case .paused(let take): board.session = .paused(names.new(take))
    case .finalizing(let take): board.session = .finalizing(names.new(take))
    }
    board.history = History(history.transactions.map { names.new($0) })
    return board
  }
}

extension [CanvasID: CanvasID] {
  fileprivate func new(_ id: CanvasID) -> CanvasID { self[id] ?? id }

  fileprivate func new(_ take: Take) -> Take {
    Take(
      id: take.id,
      canvas: new(take.canvas),
      segments: take.segments,
      interruption: take.interruption,
      owner: take.owner
    )
  }

  fileprivate func new(_ transaction: Transaction) -> Transaction {
    Transaction(
      revision: transaction.revision,
      at: transaction.at,
      kind: transaction.kind,
      isLocked: transaction.isLocked,
      changes: transaction.changes.map { change in
        Change(canvas: change.canvas.map(new), key: change.key, old: new(change.old), new: new(change.new))
      },
      events: transaction.events.map { new($0) },
      covers: [CanvasID: Cover](transaction.covers.map { (new($0.key), $0.value) }) { first, _ in first }
    )
  }

  private func new(_ value: CanvasModel.Value) -> CanvasModel.Value {
    switch value {
    case .canvases(let ids): .canvases(ids.map(new))
    case .take(let take): .take(new(take))
    case .none, .isSelected, .status, .clip, .cover, .region, .position, .session: value
    }
  }

  private func new(_ event: Event) -> Event {
    switch event {
    case .tap(let canvas): .tap(new(canvas))
    case .select(let canvas): .select(new(canvas))
    case .preview(let canvas): .preview(new(canvas))
    case .importClip(let canvas, let file, let replace): .importClip(new(canvas), file, replace: replace)
    case .removeClip(let canvas): .removeClip(new(canvas))
    case .coverReady(let canvas, let generation, let file): .coverReady(new(canvas), generation: generation, file)
    case .coverFailed(let canvas, let generation, let reason):
      .coverFailed(new(canvas), generation: generation, reason: reason)
    case .coverRetry(let canvas): .coverRetry(new(canvas))
    case .addCanvas(let canvas, let region): .addCanvas(new(canvas), region)
    case .removeCanvas(let canvas): .removeCanvas(new(canvas))
    case .moveCanvas(let canvas, let position): .moveCanvas(new(canvas), to: position)
    case .deselect, .stopPreview, .recordStart, .recordPause, .recordResume, .recordStop, .recordDiscard,
      .takeFinished, .takeFailed, .undo, .redo:
      event
    }
  }
}
