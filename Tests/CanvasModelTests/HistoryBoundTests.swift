import CanvasModel
import Testing

@Suite("History limit")
struct HistoryBoundTests {
  /// Applies an event repeatedly until it changes nothing.
  private static func count(_ event: Event, on board: inout Board) -> (changed: Int, last: Outcome) {
    var count = 0
    var outcome = board.apply(event, at: Parts.at(0))
    while outcome.isChanged {
      count += 1
      outcome = board.apply(event, at: Parts.at(0))
    }
    return (count, outcome)
  }

  // A step can be undone while its transaction is in the history, and each undo evicts an older one: 50 of 100.
  @Test("The history keeps a hundred transactions, of which fifty steps can be undone and redone")
  func fifty() {
    var board = Board(columns: 2, rows: 1)
    for number in 0..<150 {
      board.send(.preview(number.isMultiple(of: 2) ? c1 : c2))
    }
    #expect(board.history.transactions.map(\.revision) == Array(51...150))
    let newest = Snapshot(board)
    #expect(Self.count(.undo, on: &board) == (50, .noop(.nothing)))
    #expect(board.history.transactions.count == History.maximumTransactions)
    #expect(Self.count(.redo, on: &board) == (50, .noop(.nothing)))
    #expect(Snapshot(board) == newest)
  }

  @Test("An undo never ends inside a take whose start is no longer in the history", arguments: 40...55)
  func longTake(pauses: Int) {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1))
    let before = Snapshot(board)
    board.send(.recordStart(take: Parts.take(1)))
    for _ in 0..<pauses { board.send(.recordPause, .recordResume) }
    board.send(.recordStop, .takeFinished(Parts.take(1), Parts.clip("a")))
    let after = Snapshot(board)
    // The start, the pauses and resumptions, the stop and the clip.
    let isWhole = 2 * pauses + 3 <= History.maximumTransactions
    #expect(board.send(.undo)[0].isChanged == isWhole)
    #expect(Snapshot(board) == (isWhole ? before : after))
  }

  @Test("Steps after a take whose start is no longer in the history can be undone")
  func afterLongTake() {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1), .recordStart(take: Parts.take(1)))
    for _ in 0..<60 { board.send(.recordPause, .recordResume) }
    board.send(.recordDiscard, .tap(c2), .undo)
    #expect(board.session == .previewing(c1))
    #expect(board.send(.undo) == [.noop(.nothing)])
    board.send(.redo)
    #expect(board.session == .previewing(c2))
  }
}
