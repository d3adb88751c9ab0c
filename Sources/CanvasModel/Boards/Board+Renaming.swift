extension Board {
  /// The invalid IDs on the board and in its history, with the valid and unused IDs that replace them in a repair.
  package var invalidIDs: [CanvasID: CanvasID] {
    var isValid = true
    forEachID { isValid = isValid && $0.isValid }
    guard !isValid else { return [:] }
    // Canvases come first, so that they keep their names rather than those that an undo would restore.
    var (ids, seen): ([CanvasID], Set<CanvasID>) = ([], [])
    forEachID { if seen.insert($0).inserted { ids.append($0) } }
    return CanvasID.repairing(ids)
  }

  /// Calls a closure with each ID on the board and in its history: first those of the canvases, in order.
  private func forEachID(_ body: (CanvasID) -> Void) {
    for canvas in canvases { body(canvas.id) }
    for transaction in history.transactions {
      for change in transaction.changes {
        if let canvas = change.canvas { body(canvas) }
        for value in [change.old, change.new] {
          switch value {
          case .canvases(let ids): ids.forEach(body)
          case .take(let take): body(take.canvas)
          case .none, .isSelected, .status, .clip, .cover, .keptTake, .region, .position, .session: break
          }
        }
      }
      for event in transaction.events {
        if case .addCanvas(let canvas, _) = event { body(canvas) }
        event.subject.map(body)
      }
      transaction.covers.keys.forEach(body)
    }
  }

  /// Returns the board with other IDs for some of its canvases, in its history as well.
  ///
  /// - Parameter names: The new IDs of canvases, which must be unused.
  package func renaming(_ names: [CanvasID: CanvasID]) -> Board {
    var board = self
    board.canvases = canvases.map { canvas in
      Canvas(
        id: names.new(canvas.id),
        region: canvas.region,
        clip: canvas.clip,
        cover: canvas.cover,
        takes: canvas.takes
      )
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
    case .none, .isSelected, .status, .clip, .cover, .keptTake, .region, .position, .session: value
    }
  }

  private func new(_ event: Event) -> Event {
    switch event {
    case .tap(let canvas): .tap(new(canvas))
    case .select(let canvas): .select(new(canvas))
    case .preview(let canvas): .preview(new(canvas))
    case .importClip(let canvas, let file, let replace): .importClip(new(canvas), file, replace: replace)
    case .removeClip(let canvas): .removeClip(new(canvas))
    case .trimClip(let canvas, let trim): .trimClip(new(canvas), trim)
    case .useTake(let canvas, let generation): .useTake(new(canvas), generation: generation)
    case .removeTake(let canvas, let generation): .removeTake(new(canvas), generation: generation)
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
