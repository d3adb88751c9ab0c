extension Region {
  /// Returns regions in a roughly square grid, row by row, whose last row may be incomplete.
  ///
  /// - Parameter count: The number of regions; may be 0.
  package static func squareGrid(of count: Int) -> [Region] {
    var columns = 1
    while columns * columns < count { columns += 1 }
    return Array(grid(columns: columns, rows: max(1, (count + columns - 1) / columns)).prefix(count))
  }

  /// Returns a free place for one more canvas; `nil` if no place is free.
  ///
  /// It is in the top left corner of the largest free rectangle, and no larger than the largest of the regions. A
  /// rectangle with less than half the width or height of the smallest region is a gap rather than a place.
  ///
  /// - Parameter regions: The regions in use.
  static func free(among regions: [Region]) -> Region? {
    guard let width = regions.map(\.width).min(), let height = regions.map(\.height).min() else { return .whole }
    guard let largest = FreeRectangles(among: regions)?.largest, largest.width >= width / 2,
      largest.height >= height / 2
    else { return nil }
    return Region(
      x: largest.x,
      y: largest.y,
      width: min(largest.width, regions.map(\.width).max() ?? 1),
      height: min(largest.height, regions.map(\.height).max() ?? 1)
    )
  }
}

/// The free part of the screen, in cells between the edges of the regions.
private struct FreeRectangles {
  private let xs: [Double]
  private let ys: [Double]
  /// Whether each cell is free, row by row.
  private var isFree: [Bool]

  private static let tolerance = Region.edgeTolerance
  /// The maximum number of cells; boards with more of them have no visible order, and get a new grid.
  private static let maximumCells = 1 << 20

  /// - Returns: `nil` if there are too many cells.
  init?(among regions: [Region]) {
    xs = Self.edges(regions.flatMap { [$0.x, $0.x + $0.width] })
    ys = Self.edges(regions.flatMap { [$0.y, $0.y + $0.height] })
    let columns = xs.count - 1
    guard columns * (ys.count - 1) <= Self.maximumCells else { return nil }
    isFree = [Bool](repeating: true, count: columns * (ys.count - 1))
    for region in regions {
      for row in Self.cells(ys, region.y, region.y + region.height) {
        for column in Self.cells(xs, region.x, region.x + region.width) { isFree[row * columns + column] = false }
      }
    }
  }

  /// Returns the sorted edges, including those of the screen.
  private static func edges(_ edges: [Double]) -> [Double] {
    (edges.filter { $0 > tolerance && $0 < 1 - tolerance }.sorted() + [1]).reduce(into: [0]) { edges, edge in
      if edge - edges[edges.count - 1] > tolerance { edges.append(edge) }
    }
  }

  /// Returns the cells between two of the edges.
  private static func cells(_ edges: [Double], _ from: Double, _ to: Double) -> Range<Int> {
    func index(_ place: Double) -> Int {
      var (low, high) = (0, edges.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if edges[middle] < place - tolerance { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let start = index(from)
    return start..<max(start, index(to))
  }

  /// The largest free rectangle, or the topmost and leftmost of several; `nil` if nothing is free.
  var largest: Region? {
    let columns = xs.count - 1
    // For each column, the first row of the free cells that end with the current row.
    var tops = [Int](repeating: 0, count: columns)
    var best: Region?
    for row in 0..<ys.count - 1 {
      for column in 0..<columns where !isFree[row * columns + column] { tops[column] = row + 1 }
      // The columns where a rectangle may start, with the first row that it can have.
      var open: [(column: Int, top: Int)] = []
      for column in 0...columns {
        let top = column < columns ? tops[column] : row + 1
        var start = column
        while let last = open.last, last.top < top {
          open.removeLast()
          start = last.column
          let region = region(columns: last.column..<column, rows: last.top..<row + 1)
          if region.area > (best?.area ?? 0) + Self.tolerance { best = region }
        }
        if top <= row, open.last?.top != top { open.append((start, top)) }
      }
    }
    return best
  }

  private func region(columns: Range<Int>, rows: Range<Int>) -> Region {
    let (x, y) = (xs[columns.lowerBound], ys[rows.lowerBound])
    return Region(unchecked: x, y, xs[columns.upperBound] - x, ys[rows.upperBound] - y)
  }
}
