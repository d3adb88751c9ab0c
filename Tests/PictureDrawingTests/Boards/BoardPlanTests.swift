import CanvasModel
import PictureDrawing
import TestSupport
import Testing

/// The positions of canvases, compared with values calculated by hand.
@Suite("Board plan")
struct BoardPlanTests {
  private func places(_ board: Board, _ width: Int, _ height: Int, regions: [Region]? = nil) -> [[Int]] {
    BoardPlan(board, regions: regions, width: width, height: height).cells.map { cell in
      [cell.place.x, cell.place.y, cell.place.width, cell.place.height]
    }
  }

  @Test(
    "Edges are rounded, and the gutter inside a region is 1/180 of the picture's shorter side",
    .enabled(if: Scope.isFull)
  )
  func grid() {
    // 1280 / 3 = 426⅔: edges at 0, 427, 853 and 1280; the gutter is 720 / 180 = 4.
    let places = places(Board(columns: 3, rows: 2), 1280, 720)
    #expect(places[0] == [4, 4, 419, 352])
    #expect(places[1] == [431, 4, 418, 352])
    #expect(places[2] == [857, 4, 419, 352])
    #expect(places[5] == [857, 364, 419, 352])
  }

  @Test("The regions of another layout replace the board's regions")
  func layout() {
    let board = Board(columns: 3, rows: 1)
    let places = places(board, 320, 180, regions: Layout.oneLeftTwoRight.regions)
    #expect(places == [[1, 1, 158, 178], [161, 1, 158, 88], [161, 91, 158, 88]])
  }

  @Test("Neighbours share an edge at every size", arguments: [16, 17, 99, 101, 480, 999, 1366, 4097])
  func neighbours(width: Int) {
    for columns in 1...13 {
      let places = places(Board(columns: columns, rows: 1), width, 8)
      // A canvas whose shorter side is less than eight pixels has no gutter.
      guard width / columns != 7 else { continue }
      let gutter = width / columns >= 8 ? 1 : 0
      var edge = 0
      for place in places {
        #expect(place[0] - gutter == edge)
        edge = place[0] + place[2] + gutter
      }
      #expect(edge == width)
    }
  }

  @Test("Every canvas has at least one pixel, however many canvases there are", .enabled(if: Scope.isFull))
  func crowded() {
    for place in places(Board(columns: 100, rows: 100), 16, 16) {
      #expect(place[2] >= 1 && place[3] >= 1)
      #expect(place[0] >= 0 && place[1] >= 0 && place[0] + place[2] <= 16 && place[1] + place[3] <= 16)
    }
  }

  @Test("Only cells that show a cover contain one")
  func covers() throws {
    var board = Board(columns: 2, rows: 2)
    let ids = board.canvases.map(\.id)
    let clip = try #require(ClipFile(path: "a.mp4"))
    let cover = try #require(CoverFile(path: "a.png"))
    let failed = try #require(ClipFile(path: "b.mp4"))
    _ = board.apply(.importClip(ids[0], clip), at: .epoch)
    _ = board.apply(.coverReady(ids[0], generation: 1, cover), at: .epoch)
    _ = board.apply(.importClip(ids[1], failed), at: .epoch)
    func covers(_ board: Board) -> [CoverFile?] { BoardPlan(board, width: 64, height: 64).cells.map(\.cover) }
    #expect(covers(board) == [cover, nil, nil, nil])
    // A playing canvas also shows its cover; a recording one does not.
    _ = board.apply(.tap(ids[2]), at: .epoch)
    _ = board.apply(.recordStart(take: try #require(TakeID("t"))), at: .epoch)
    #expect(covers(board) == [cover, nil, nil, nil])
  }
}
