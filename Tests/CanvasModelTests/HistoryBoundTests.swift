import CanvasModel
import Testing

@Suite("the bound of the history")
struct HistoryBoundTests {
  /// Does the same as long as it changes something.
  private static func count(_ event: Event, on board: inout Board) -> (changed: Int, last: Outcome) {
    var count = 0
    var outcome = board.apply(event, at: Parts.at(0))
    while outcome.isChanged {
      count += 1
      outcome = board.apply(event, at: Parts.at(0))
    }
    return (count, outcome)
  }

  // A step is taken back while its transaction is there, and each undo pushes an older one out: of 100 kept ones 50.
  @Test("keeps a hundred transactions, of which fifty steps go back and forth again")
  func fifty() {
    var board = Board(columns: 2, rows: 1)
    for number in 0..<150 {
      board.send(.preview(number.isMultiple(of: 2) ? c1 : c2))
    }
    #expect(board.history.transactions.map(\.revision) == Array(51...150))
    let newest = Snapshot(board)
    #expect(Self.count(.undo, on: &board) == (50, .noop(.nothing)))
    #expect(board.history.transactions.count == History.mostTransactions)
    #expect(Self.count(.redo, on: &board) == (50, .noop(.nothing)))
    #expect(Snapshot(board) == newest)
  }

  @Test("never lets an undo end inside a take whose start has fallen out", arguments: 40...55)
  func longTake(pauses: Int) {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1))
    let before = Snapshot(board)
    board.send(.recordStart(take: Parts.take(1)))
    for _ in 0..<pauses { board.send(.recordPause, .recordResume) }
    board.send(.recordStop, .takeFinished(Parts.take(1), Parts.clip("a")))
    let after = Snapshot(board)
    // Start, pauses and resumptions, stop and end.
    let isWhole = 2 * pauses + 3 <= History.mostTransactions
    #expect(board.send(.undo)[0].isChanged == isWhole)
    #expect(Snapshot(board) == (isWhole ? before : after))
  }

  @Test("lets steps after such a take be taken back")
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
