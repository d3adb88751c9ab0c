import CanvasModel
import Testing

@Suite("Takes")
struct TakeTests {
  private static func board(_ events: [(Event, Double)]) -> Board {
    var board = Board(columns: 1, rows: 1)
    for (event, seconds) in events { _ = board.apply(event, at: Parts.at(seconds)) }
    return board
  }

  private static let start = [(Event.tap(c1), 0.0), (.recordStart(take: Parts.take(1)), 10)]

  private static func segments(_ board: Board) -> [[Double?]] {
    (board.session.take?.segments ?? []).map { [$0.start.secondsSince1970, $0.end?.secondsSince1970] }
  }

  @Test("A take has a segment for each part between pauses")
  func stretches() {
    let recording = Self.board(Self.start + [(.recordPause, 15), (.recordResume(), 20)])
    #expect(Self.segments(recording) == [[10, 15], [20, nil]])
    let stopped = Self.board(Self.start + [(.recordPause, 15), (.recordResume(), 20), (.recordStop, 30)])
    #expect(Self.segments(stopped) == [[10, 15], [20, 30]])
    let failed = Self.board(Self.start + [(.takeFailed(Parts.take(1), reason: "unplugged"), 12)])
    #expect(Self.segments(failed) == [[10, 12]])
    #expect(failed.session.take?.interruption == "unplugged")
  }

  @Test("Segments are in chronological order even if the clock is set back")
  func clockGoesBack() {
    let board = Self.board(
      Self.start + [(.recordPause, 5), (.recordResume(), 3), (.recordPause, 1), (.recordResume(), 40)]
    )
    #expect(Self.segments(board) == [[10, 10], [10, 10], [40, nil]])
  }

  @Test("Resuming a take clears its interruption")
  func goesOn() {
    let board = Self.board(Self.start + [(.takeFailed(Parts.take(1), reason: "unplugged"), 12), (.recordResume(), 20)])
    #expect(board.session.name == .recording && board.session.take?.interruption == nil)
    #expect(Self.segments(board) == [[10, 12], [20, nil]])
  }
}
