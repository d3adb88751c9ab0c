import CanvasModel
import Testing

@Suite("Layouts")
struct LayoutTests {
  /// Returns x, y, width and height of each region.
  private func parts(_ layout: Layout) -> [[Double]] {
    layout.regions.map { [$0.x, $0.y, $0.width, $0.height] }
  }

  @Test("Each layout has the expected regions, in order")
  func regions() {
    #expect(parts(.two) == [[0, 0, 0.5, 1], [0.5, 0, 0.5, 1]])
    #expect(parts(.oneLeftTwoRight) == [[0, 0, 0.5, 1], [0.5, 0, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]])
    #expect(parts(.four) == [[0, 0, 0.5, 0.5], [0.5, 0, 0.5, 0.5], [0, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]])
    let third = 1 / 3.0
    let nine = [0, 1, 2].flatMap { row in
      [0, 1, 2].map { [Double($0) * third, Double(row) * third, third, third] }
    }
    #expect(parts(.nine) == nine)
    #expect(parts(.grid(columns: 1, rows: 4)) == [0, 0.25, 0.5, 0.75].map { [0, $0, 1, 0.25] })
  }

  @Test("Each layout covers the screen without overlaps", arguments: Layout.named + [.grid(columns: 7, rows: 5)])
  func whole(_ layout: Layout) {
    let regions = layout.regions
    #expect(abs(regions.reduce(0) { $0 + $1.width * $1.height } - 1) < 1e-9)
    for (index, one) in regions.enumerated() {
      for other in regions[(index + 1)...] {
        let across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
        let down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        #expect(across < 1e-9 || down < 1e-9)
      }
    }
  }

  @Test("The description of each layout parses to the same layout")
  func texts() {
    #expect(Layout.named.map(\.description) == ["two", "one-left-two-right", "four", "nine"])
    for layout in Layout.named + [.grid(columns: 3, rows: 2), .grid(columns: 100, rows: 100)] {
      #expect(Layout(layout.description) == layout)
    }
  }

  @Test(
    "Invalid layouts are rejected",
    arguments: [
      "", "three", "Two", "2", "2x", "x2", "0x2", "2x0", "-1x2", "2x2x2", "101x100", "10001x1", "2 x 2",
      "99999999999999999999x1", "4611686018427387904x4",
    ]
  )
  func nonsense(_ text: String) {
    #expect(Layout(text) == nil)
  }
}
