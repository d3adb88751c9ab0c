import CanvasModel
import Testing

@Suite("Board")
struct BoardTests {
  @Test("A new board numbers its canvases and is idle")
  func new() {
    let board = Board(columns: 2, rows: 2)
    #expect(board.canvases.map(\.id.description) == ["c1", "c2", "c3", "c4"])
    #expect(board.session == .idle && board.revision == 0)
    #expect(board.canvases.allSatisfy { board.shows($0) == .plus })
  }
}
