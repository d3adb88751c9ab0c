import CanvasModel
import TestSupport
import Testing

@Suite("Several undo steps")
struct StepsTests {
  private static let now = Parts.at(1)

  /// A board with four steps, the third of them a take, and a cover.
  private static func board() -> Board {
    var board = Board(columns: 3, rows: 1)
    board.send(.tap(c1), .importClip(c3, Parts.clip("a")), .coverReady(c3, generation: 2, Parts.cover("a")), .tap(c2))
    board.send(.recordStart(take: Parts.take(1)), .recordStop, .takeFinished(Parts.take(1), Parts.clip("b")))
    board.send(.moveCanvas(c3, to: 0))
    return board
  }

  @Test("Several steps are undone and redone as by single events, all of them or none")
  func several() {
    for count in 1...4 {
      var (all, single) = (Self.board(), Self.board())
      let outcome = all.undo(count, at: Self.now)
      for _ in 0..<count { single.send(.undo) }
      #expect(Snapshot(all) == Snapshot(single) && all.revision == single.revision)
      #expect(outcome.isChanged && all.history.transactions.map(\.kind) == single.history.transactions.map(\.kind))
      #expect(all.redo(count, at: Self.now).isChanged)
      #expect(Snapshot(all) == Snapshot(Self.board()))
    }
    var board = Self.board()
    #expect(board.undo(5, at: Self.now) == .refused(.tooFewSteps))
    #expect(board == Self.board())
    #expect(board.redo(1, at: Self.now) == .noop(.nothing))
  }

  @Test("The outcome of several undos has the net changes", .enabled(if: Scope.isFull))
  func net() {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1), .tap(c2))
    let before = Snapshot(board)
    guard case .changed(let revision, let changes) = board.undo(2, at: Self.now) else {
      Issue.record("not undone")
      return
    }
    #expect(revision == 4 && board.session == .idle)
    #expect(changes.map(\.canvas) == [c2, c2, nil] && before.session == .previewing)
  }

  @Test("Undo returns to any revision outside of takes and their previews, and keeps newer covers", arguments: 0...8)
  func toRevision(revision: Int) {
    var states = [Snapshot(Board(columns: 3, rows: 1))]
    var board = Board(columns: 3, rows: 1)
    for transaction in Self.board().history.transactions {
      board.send(transaction.events)
      states.append(Snapshot(board))
    }
    let before = board
    let outcome = board.undo(to: revision, at: Self.now)
    switch revision {
    // Inside the take, and between its preview and its start.
    case 4, 5, 6: #expect(outcome == .refused(.unknownRevision) && board == before)
    case 8: #expect(outcome == .noop(.already))
    default:
      #expect(outcome.isChanged)
      var expected = states[revision]
      if revision == 2 { expected.canvases[2].cover = .ready(Parts.cover("a")) }
      #expect(Snapshot(board) == expected)
    }
  }

  @Test("Undo does not return to revisions that are unknown, undone or in the future")
  func elsewhere() {
    var board = Board(columns: 3, rows: 1)
    board.send(.tap(c1), .tap(c2), .undo, .select(c3))
    let before = board
    // The state of revision 2 was undone, and the step that led to it is gone.
    for revision in [2, 5, 99] { #expect(board.undo(to: revision, at: Self.now) == .refused(.unknownRevision)) }
    #expect(board == before)
    #expect(board.undo(to: 3, at: Self.now).isChanged)
    #expect(board.session == .previewing(c1))
    for number in 0..<120 { board.send(.preview(number.isMultiple(of: 2) ? c1 : c2)) }
    #expect(board.undo(to: 5, at: Self.now) == .refused(.unknownRevision))
    board.send(.recordStart(take: Parts.take(1)))
    #expect(board.undo(to: 0, at: Self.now) == .refused(.locked))
  }
}
