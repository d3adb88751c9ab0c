import CanvasModel
import Testing

@Suite("Layout of a board")
struct BoardLayoutTests {
  private static func region(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Region {
    guard let region = Region(x: x, y: y, width: width, height: height) else { preconditionFailure("a region") }
    return region
  }

  private static func frames(_ layout: BoardLayout, _ width: Int, _ height: Int) -> [[Int]] {
    layout.frames(width: width, height: height).map { [$0.x, $0.y, $0.width, $0.height] }
  }

  @Test("Frames follow the regions, and neighbours share their edges")
  func frames() {
    let layout = BoardLayout(Board(regions: Layout.oneLeftTwoRight.regions))
    #expect(Self.frames(layout, 40, 20) == [[0, 0, 20, 20], [20, 0, 20, 10], [20, 10, 20, 10]])
    #expect(Self.frames(layout, 41, 21) == [[0, 0, 20, 21], [20, 0, 21, 10], [20, 10, 21, 11]])
    #expect(layout.columns == 2 && layout.rows == 2 && !layout.isGridInOrder && !layout.hasOverlaps)
    for width in 7...60 {
      let frames = BoardLayout(Region.grid(columns: 7, rows: 1)).frames(width: width, height: 1)
      #expect(frames.map(\.width).reduce(0, +) == width)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.x + $0.width == $1.x })
    }
  }

  @Test("Equal columns and rows are found, also where canvases span several of them")
  func divisions() {
    let thirds = BoardLayout([Self.region(0, 0, 1 / 3.0, 1), Self.region(1 / 3.0, 0, 2 / 3.0, 1)])
    #expect(thirds.columns == 3 && thirds.rows == 1)
    let fifths = BoardLayout([Self.region(0, 0, 0.4, 0.5), Self.region(0.4, 0, 0.6, 0.25)])
    #expect(fifths.columns == 5 && fifths.rows == 4)
    #expect(BoardLayout([Self.region(0, 0, 0.3137, 1)]).columns == nil)
    // A canvas may span up to twelve of the columns.
    let parts = [(12, 25), (13, 27)].map {
      BoardLayout([Self.region(0, 0, $0 / $1, 1), Self.region($0 / $1, 0, 1 - $0 / $1, 1)])
    }
    #expect(parts.map(\.columns) == [25, nil])
    for (columns, rows) in [(1, 1), (3, 2), (10, 7), (100, 100)] {
      let grid = BoardLayout(Region.grid(columns: columns, rows: rows))
      #expect(grid.columns == columns && grid.rows == rows && grid.isGridInOrder && !grid.hasOverlaps)
    }
  }

  @Test("A grid is in order if at most the last row is incomplete")
  func inOrder() {
    let grid = Region.grid(columns: 3, rows: 2)
    #expect(BoardLayout(Array(grid.prefix(4))).isGridInOrder)
    #expect(!BoardLayout(Array(grid.dropFirst())).isGridInOrder)
    #expect(!BoardLayout(grid.reversed()).isGridInOrder)
    #expect(!BoardLayout([]).isGridInOrder)
  }

  @Test("A board with a canvas hidden by another is laid out as a grid; other overlaps are kept")
  func hidden() {
    let inset = Board(regions: [.whole, Self.region(0.6, 0.6, 0.3, 0.3)])
    #expect(BoardLayout(inset).regions == inset.canvases.map(\.region) && BoardLayout(inset).hasOverlaps)
    let behind = Board(regions: Region.grid(columns: 2, rows: 1) + [.whole])
    #expect(BoardLayout(behind).regions == Region.squareGrid(of: 3))
    #expect(BoardLayout(Board(regions: [.whole, .whole])).regions == Region.squareGrid(of: 2))
    #expect(BoardLayout([Self.region(0, 0, 0.6, 1), Self.region(0.5, 0, 0.5, 1)]).hasOverlaps)
  }
}
