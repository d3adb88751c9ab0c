import CanvasModel

/// A reference for undo and redo that keeps whole states on two stacks, whereas the board keeps changes.
struct UndoOracle {
  private struct Entry {
    let state: Snapshot
    /// The revision of the oldest transaction needed; it is available if it is among the newest hundred, apart from
    /// answers about covers.
    let revision: Int
    /// The steps that a take absorbed, the newest first: each leads further back while it is available.
    var earlier: [Entry] = []
  }

  private struct ClipPlace: Hashable {
    let canvas: CanvasID
    let generation: Int
  }

  private var done: [Entry] = []
  private var undone: [Entry] = []
  /// The state before the open recording, and the revision that started it.
  private var open: Entry?
  /// The revisions that are not answers about covers.
  private var revisions: [Int] = []
  /// The last cover of each clip, by canvas and generation.
  private var covers: [ClipPlace: Cover] = [:]

  /// Whether there is a step to undo, even if it has left the history.
  var hasSteps: Bool { !done.isEmpty }

  /// Returns the state after an undo; `nil` if there is nothing to undo.
  func undoTarget() -> Snapshot? { target(done) }

  /// Returns the state after a redo; `nil` if there is nothing to redo.
  func redoTarget() -> Snapshot? { target(undone) }

  private func target(_ entries: [Entry]) -> Snapshot? {
    let window = revisions.suffix(100)
    guard let last = entries.last, window.contains(last.revision) else { return nil }
    var state = (last.earlier.last { window.contains($0.revision) } ?? last).state
    for index in state.canvases.indices {
      guard let clip = state.canvases[index].clip else { continue }
      let place = ClipPlace(canvas: state.canvases[index].id, generation: clip.generation)
      if let cover = covers[place] { state.canvases[index].cover = cover }
    }
    return state
  }

  /// Records a transaction that changed something.
  mutating func note(_ event: EventName, from before: Board, to after: Board) {
    for canvas in after.canvases {
      guard let clip = canvas.clip else { continue }
      covers[ClipPlace(canvas: canvas.id, generation: clip.generation)] = canvas.cover
    }
    if ![.coverReady, .coverFailed, .coverRetry].contains(event) { revisions.append(after.revision) }
    switch event {
    case .coverReady, .coverFailed, .coverRetry: break
    case .undo:
      done.removeLast()
      undone.append(Entry(state: Snapshot(before), revision: after.revision))
    case .redo:
      undone.removeLast()
      done.append(Entry(state: Snapshot(before), revision: after.revision))
    case .tap, .select, .deselect, .preview, .stopPreview, .recordStart, .recordPause, .recordResume, .recordStop,
      .recordDiscard, .takeFinished, .takeFailed, .importClip, .removeClip, .trimClip, .useTake, .removeTake,
      .addCanvas, .removeCanvas, .moveCanvas:
      var entry = open ?? Entry(state: Snapshot(before), revision: after.revision)
      open = after.isLocked ? entry : nil
      guard !after.isLocked, Self.withoutCovers(entry.state) != Self.withoutCovers(Snapshot(after)) else { return }
      // A take with a clip absorbs the steps directly before it that left the canvases as they were.
      if event == .takeFinished {
        while let last = done.last, Self.atRest(last.state) == Self.atRest(entry.state) {
          entry.earlier.append(done.removeLast())
        }
      }
      done.append(entry)
      undone = []
    }
  }

  /// Returns a state as it would be without a focus and before any cover is made.
  private static func atRest(_ snapshot: Snapshot) -> Snapshot {
    var snapshot = withoutCovers(snapshot)
    snapshot.session = .idle
    for index in snapshot.canvases.indices {
      snapshot.canvases[index].isSelected = false
      snapshot.canvases[index].status = .noPreview
    }
    return snapshot
  }

  private static func withoutCovers(_ snapshot: Snapshot) -> Snapshot {
    var snapshot = snapshot
    for index in snapshot.canvases.indices { snapshot.canvases[index].cover = .none }
    return snapshot
  }
}
