import CanvasModel
import Testing

@Suite("Places for canvases")
struct PlacingTests {
  private static func region(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Region {
    guard let region = Region(x: x, y: y, width: width, height: height) else { preconditionFailure("a region") }
    return region
  }

  /// Adds a canvas without a region to a board with these regions, and returns all regions.
  private static func adding(to regions: [Region]) -> [Region] {
    var board = Board(regions: regions)
    board.send(.addCanvas(CanvasID(number: regions.count + 1)))
    return board.canvases.map(\.region)
  }

  private func area(_ region: Region, in other: Region) -> Double {
    let across = min(region.x + region.width, other.x + other.width) - max(region.x, other.x)
    let down = min(region.y + region.height, other.y + other.height) - max(region.y, other.y)
    return max(0, across) * max(0, down)
  }

  private static func isClose(_ one: Region, _ other: Region) -> Bool {
    zip([one.x, one.y, one.width, one.height], [other.x, other.y, other.width, other.height]).allSatisfy {
      abs($0 - $1) < 1e-9
    }
  }

  @Test("A canvas is added in the free place, as large as the others at most")
  func free() {
    let cases: [([Region], Region)] = [
      ([], .whole),
      ([Self.region(0, 0, 0.5, 1)], Self.region(0.5, 0, 0.5, 1)),
      (Array(Region.grid(columns: 3, rows: 2).prefix(5)), Region.grid(columns: 3, rows: 2)[5]),
      (Array(Region.grid(columns: 3, rows: 3).prefix(6)), Region.grid(columns: 3, rows: 3)[6]),
      (Array(Region.grid(columns: 7, rows: 7).dropFirst()), Region.grid(columns: 7, rows: 7)[0]),
      ([Self.region(0.25, 0.25, 0.5, 0.5)], Self.region(0, 0, 0.5, 0.25)),
    ]
    for (regions, expected) in cases {
      let after = Self.adding(to: regions)
      #expect(Array(after.dropLast()) == regions)
      #expect(after.last.map { Self.isClose($0, expected) } == true, "\(String(describing: after.last))")
    }
  }

  @Test("Without a free place all canvases form a new grid", arguments: [1, 2, 4, 9, 12])
  func full(count: Int) {
    let after = Self.adding(to: Region.grid(columns: count, rows: 1))
    #expect(after == Region.squareGrid(of: count + 1))
  }

  @Test("A gap that is smaller than half a canvas is not a place")
  func gap() {
    #expect(Self.adding(to: [Self.region(0, 0, 0.7, 1)]) == Region.squareGrid(of: 2))
    #expect(Self.adding(to: [Self.region(0, 0, 0.6, 1)]).first == Self.region(0, 0, 0.6, 1))
  }

  @Test(
    "A canvas never covers others if all others have separate places",
    arguments: 1...20 as ClosedRange<UInt64>
  )
  func apart(seed: UInt64) {
    var random = Seeded(seed)
    var board = Board(columns: Int.random(in: 1...5, using: &random), rows: Int.random(in: 1...4, using: &random))
    for number in 100..<150 {
      if Bool.random(using: &random), let canvas = board.canvases.randomElement(using: &random) {
        board.send(.removeCanvas(canvas.id))
      } else {
        board.send(.addCanvas(CanvasID(number: number)))
      }
      let regions = board.canvases.map(\.region)
      for (index, one) in regions.enumerated() {
        for other in regions[..<index] { #expect(area(one, in: other) < 1e-6) }
      }
    }
  }

  @Test("A canvas with a given region gets it, and the others keep theirs")
  func own() {
    var board = Board(columns: 2, rows: 1)
    board.send(.addCanvas(c3, .whole))
    #expect(board.canvases.map(\.region) == Region.grid(columns: 2, rows: 1) + [.whole])
  }
}
