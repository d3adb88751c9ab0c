import CanvasModel
import Testing

@Suite("Undo and redo")
struct UndoTests {
  /// The events of a take after its start.
  private static func ending(_ take: TakeID, _ clip: String) -> [Event] {
    [.recordPause, .recordResume(), .recordStop, .takeFinished(take, Parts.clip(clip))]
  }

  @Test(
    "A whole take is undone and redone as one step, with what led to its preview and without opening a preview",
    arguments: [
      [.tap(c1)], [.select(c1), .tap(c1)], [.tap(c2), .tap(c2), .tap(c2), .preview(c1)],
      [.tap(c1), .deselect, .tap(c1)], [.tap(c1), .undo, .redo],
    ] as [[Event]],
    [[], [.deselect]] as [[Event]]
  )
  func take(openings: [Event], closings: [Event]) {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c2, Parts.clip("b")))
    let before = Snapshot(board)
    board.send(openings)
    let ending = Self.ending(Parts.take(1), "a")
    board.send([.recordStart(take: Parts.take(1))] + ending.dropLast())
    board.sendTogether([ending[ending.count - 1]] + closings)
    let after = Snapshot(board)
    #expect(board.path(of: c1) == "a.mp4" && (board.session == .idle) == !closings.isEmpty)
    #expect(board.nextUndo?.events == [.recordStart] && board.nextUndo?.canvas == c1)

    #expect(board.send(.undo)[0].isChanged)
    #expect(Snapshot(board) == before)
    #expect(board.nextRedo?.events == [.recordStart] && board.nextRedo?.canvas == c1)
    #expect(board.send(.redo)[0].isChanged)
    #expect(Snapshot(board) == after)
    board.send(.undo, .undo)
    #expect(board.session == .idle && board.path(of: c2) == nil)
    #expect(board.send(.undo) == [.noop(.nothing)])
  }

  @Test("A preview that led to no clip is a separate step")
  func previewAlone() {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1))
    board.send([.recordStart(take: Parts.take(1))] + Self.ending(Parts.take(1), "a") + [.deselect, .tap(c2), .undo])
    #expect(board.session == .idle && board.path(of: c1) == "a.mp4")
    // The deselection was sent alone.
    board.send(.undo)
    #expect(board.session == .previewing(c1) && board.path(of: c1) == "a.mp4")
    board.send(.undo)
    #expect(board.session == .idle && board.path(of: c1) == nil)
  }

  @Test("A discarded take is not an undo step")
  func discarded() {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1), .recordStart(take: Parts.take(1)), .recordPause, .recordDiscard)
    #expect(board.session == .previewing(c1))
    #expect(board.send(.undo)[0].isChanged)
    #expect(board.session == .idle)
  }

  @Test("Undoing a take that replaced a clip restores the older clip")
  func replacedByTake() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Parts.clip("a")), .coverReady(c1, generation: 1, Parts.cover("a")))
    let before = Snapshot(board)
    board.send([.tap(c1), .recordStart(take: Parts.take(1), replace: true)] + Self.ending(Parts.take(1), "b"))
    #expect(board.path(of: c1) == "b.mp4" && board.cover(of: c1) == .pending)
    board.send(.undo)
    #expect(Snapshot(board) == before)
  }

  @Test("Undo and redo are refused while a recording is open")
  func locked() {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1), .tap(c2), .undo, .recordStart(take: Parts.take(1)))
    for event in [Event.recordPause, .recordStop] {
      #expect(board.send(.undo, .redo) == [.refused(.locked), .refused(.locked)])
      board.send(event)
    }
    #expect(board.send(.undo, .redo) == [.refused(.locked), .refused(.locked)])
  }

  // MARK: - Covers

  @Test("Events about covers are not undo steps, and covers are never lost")
  func answers() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Parts.clip("a")), .tap(c2), .coverReady(c1, generation: 1, Parts.cover("a")))
    board.send(.undo)
    #expect(board.session == .idle && board.cover(of: c1) == .ready(Parts.cover("a")))
    board.send(.redo)
    #expect(board.session == .previewing(c2) && board.cover(of: c1) == .ready(Parts.cover("a")))
    board.send(.coverRetry(c1), .coverFailed(c1, generation: 1, reason: "dark"), .undo)
    #expect(board.cover(of: c1) == .failed(reason: "dark"))
    board.send(.undo)
    #expect(board.cover(of: c1) == Cover.none && board.path(of: c1) == nil)
    board.send(.redo)
    #expect(board.cover(of: c1) == .failed(reason: "dark"))
  }

  @Test("A restored clip has its own cover, not that of the clip that replaced it")
  func coverOfReplaced() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Parts.clip("a")), .importClip(c1, Parts.clip("b"), replace: true))
    board.send(.coverReady(c1, generation: 2, Parts.cover("b")), .undo)
    #expect(board.path(of: c1) == "a.mp4" && board.cover(of: c1) == .pending)
    #expect(board.send(.coverReady(c1, generation: 1, Parts.cover("a")))[0].isChanged)
    board.send(.redo)
    #expect(board.path(of: c1) == "b.mp4" && board.cover(of: c1) == .ready(Parts.cover("b")))
    board.send(.undo)
    #expect(board.path(of: c1) == "a.mp4" && board.cover(of: c1) == .ready(Parts.cover("a")))
  }

  @Test("A cover that arrives in the same transaction as a step survives an undo")
  func mixed() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Parts.clip("a")))
    board.sendTogether(.coverReady(c1, generation: 1, Parts.cover("a")), .tap(c2))
    board.send(.undo)
    #expect(board.session == .idle && board.cover(of: c1) == .ready(Parts.cover("a")))
  }

  @Test("A cover is not an undo step, even in one transaction with an event that is a noop")
  func mixedWithNothing() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Parts.clip("a")))
    board.sendTogether(.coverReady(c1, generation: 1, Parts.cover("a")), .stopPreview)
    #expect(board.send(.undo)[0].isChanged)
    #expect(board.path(of: c1) == nil)
  }

  // MARK: - Steps

  @Test("Several events of one transaction are one undo step")
  func transaction() {
    var board = Board(columns: 3, rows: 1)
    board.send(.importClip(c3, Parts.clip("a")), .tap(c3))
    let before = Snapshot(board)
    board.sendTogether(
      .tap(c1),
      .removeClip(c3),
      .importClip(c2, Parts.clip("b")),
      .moveCanvas(c2, to: 0),
      .removeCanvas(c3),
      .addCanvas(c4)
    )
    let after = Snapshot(board)
    #expect(after.canvases.map(\.id) == [c2, c1, c4])
    board.send(.undo)
    #expect(Snapshot(board) == before)
    board.send(.redo)
    #expect(Snapshot(board) == after)
  }

  @Test("A new step clears the redo list; a new cover or a discarded take does not")
  func redoCleared() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c2, Parts.clip("a")), .tap(c1), .importClip(c1, Parts.clip("b")), .undo)
    board.send(.coverReady(c2, generation: 1, Parts.cover("a")))
    board.send(.recordStart(take: Parts.take(1)), .recordDiscard)
    let kept = board
    #expect(board.send(.redo)[0].isChanged)
    #expect(board.path(of: c1) == "b.mp4")

    board = kept
    board.send(.tap(c2))
    #expect(board.send(.redo) == [.noop(.nothing)])
  }

  @Test("A generation is never reused after an undo")
  func generations() {
    var board = Board(columns: 1, rows: 1)
    var seen: Set<Int> = []
    for _ in 0..<5 {
      board.send(.importClip(c1, Parts.clip("a"), replace: true))
      #expect(seen.insert(board.generation(of: c1)).inserted)
      #expect(board.generation(of: c1) == board.revision)
      board.send(.undo)
    }
  }
}
