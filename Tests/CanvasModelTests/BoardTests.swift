import CanvasModel
import Testing

@Suite("a board")
struct BoardTests {
  @Test("names its canvases, and is idle")
  func new() {
    let board = Board(columns: 2, rows: 2)
    #expect(board.canvases.map(\.id.description) == ["c1", "c2", "c3", "c4"])
    #expect(board.session == .idle && board.revision == 0)
    #expect(board.canvases.allSatisfy { board.shows($0) == .plus })
  }
}
