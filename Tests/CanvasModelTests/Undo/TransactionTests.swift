import CanvasModel
import Testing

@Suite("Transactions")
struct TransactionTests {
  /// Events that each change a board that previews `c1` and has a clip on `c2`.
  private static let events: [Event] = [
    .importClip(c3, Parts.clip("b")), .moveCanvas(c3, to: 0), .removeClip(c2), .addCanvas(c4),
    .recordStart(take: Parts.take(1)), .recordPause,
  ]

  private static var board: Board {
    var board = Board(columns: 3, rows: 1)
    board.send(.importClip(c2, Parts.clip("a")), .tap(c1))
    return board
  }

  private static func apply(_ events: [Event], to board: inout Board) -> (outcome: Outcome, index: Int?) {
    board.apply(events.map { ($0, Parts.at(5)) })
  }

  @Test("A transaction with a refused event changes nothing and reports its index", arguments: 0...events.count)
  func refused(place: Int) {
    var board = Self.board
    let before = board
    var events = Self.events
    events.insert(.tap(stranger), at: place)
    #expect(Self.apply(events, to: &board) == (.refused(.unknownCanvas), place))
    #expect(board == before)
  }

  @Test("A transaction is one revision and one entry in the history")
  func one() {
    var board = Self.board
    let (outcome, index) = Self.apply(Self.events, to: &board)
    #expect(index == nil && board.revision == 3)
    #expect(outcome == .changed(revision: 3, changes: outcome.changes))
    #expect(board.history.transactions.count == 3)
    #expect(board.history.transactions.last?.changes == outcome.changes)
    #expect(board.history.transactions.last?.kind == .step(Self.events.map(\.name)))
    #expect(board.history.transactions.last?.events == Self.events)
    #expect(board.session.name == .paused && board.canvases.map(\.id) == [c3, c1, c2, c4])
  }

  @Test("A transaction reports each key once, from the value before all events to the value after them")
  func net() {
    var board = Self.board
    let (outcome, _) = Self.apply([.select(c3), .preview(c3), .tap(c2)], to: &board)
    #expect(
      outcome.changes == [
        Change(canvas: c1, key: .isSelected, old: .isSelected(true), new: .isSelected(false)),
        Change(canvas: c2, key: .isSelected, old: .isSelected(false), new: .isSelected(true)),
        Change(canvas: c1, key: .status, old: .status(.inPreview), new: .status(.noPreview)),
        Change(canvas: c2, key: .status, old: .status(.noPreview), new: .status(.inPreview)),
      ]
    )
  }

  @Test(
    "A transaction whose events cancel each other out is a noop",
    arguments: [
      [], [.tap(c1), .tap(c1)], [.recordStart(take: Parts.take(1)), .recordDiscard],
      [.importClip(c1, Parts.clip("b")), .removeClip(c1), .removeTake(c1, generation: 3)],
      [.addCanvas(c4, .whole), .removeCanvas(c4)],
      [.moveCanvas(c1, to: 2), .moveCanvas(c1, to: 0)], [.stopPreview, .preview(c1)], [.preview(c1), .preview(c1)],
    ] as [[Event]]
  )
  func empty(events: [Event]) {
    var board = Self.board
    let before = board
    #expect(Self.apply(events, to: &board) == (.noop(.already), nil))
    #expect(board == before)
  }

  @Test("An event that is a noop does not cancel a transaction")
  func nothingAmong() {
    var board = Self.board
    let (outcome, index) = Self.apply(
      [.preview(c1), .tap(c2), .coverFailed(c2, generation: 0, reason: "")],
      to: &board
    )
    #expect(outcome.isChanged && index == nil && board.session == .previewing(c2))
  }

  @Test("Undo and redo are only allowed as the only event of a transaction")
  func alone() {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1))
    let before = board
    #expect(board.sendTogether(.tap(c2), .undo) == (.refused(.nothing), 1))
    #expect(board == before)
    #expect(board.sendTogether(.undo).outcome.isChanged)
    #expect(board.session == .idle)
    #expect(board.sendTogether(.redo).outcome.isChanged)
    #expect(board.session == .previewing(c1))
  }
}
