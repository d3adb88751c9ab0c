/// The places of a board's canvases on a surface of characters or pixels.
///
/// Everything that shows a board uses it, so a board looks the same everywhere.
package struct BoardLayout: Hashable, Sendable {
  /// A rectangle of whole characters or pixels.
  package struct Frame: Hashable, Sendable {
    /// The distance from the left edge of the surface.
    package let x: Int
    /// The distance from the top edge of the surface.
    package let y: Int
    /// The width; at least 1.
    package let width: Int
    /// The height; at least 1.
    package let height: Int

    /// Creates a frame.
    package init(x: Int, y: Int, width: Int, height: Int) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  /// The regions of the canvases, in board order; where they overlap, a later one is in front.
  package let regions: [Region]
  /// The number of columns in the smallest grid that contains the edges of all regions; `nil` without such a grid.
  package let columns: Int?
  /// The number of rows in the smallest grid that contains the edges of all regions; `nil` without such a grid.
  package let rows: Int?

  /// Creates the layout of a board: its own regions or, if one of them hides another, a grid in board order.
  package init(_ board: Board) {
    let regions = board.canvases.map(\.region)
    self.init(Self.hidesAny(regions) ? Region.squareGrid(of: regions.count) : regions)
  }

  /// Creates a layout with these regions.
  package init(_ regions: [Region]) {
    self.regions = regions
    columns = Self.divisions(regions.map { ($0.x, $0.width) })
    rows = Self.divisions(regions.map { ($0.y, $0.height) })
  }

  /// Whether the canvases fill the cells of a grid in board order; the last ones may be missing.
  package var isGridInOrder: Bool {
    guard let columns, let rows, regions.count > columns * (rows - 1) else { return false }
    return zip(regions, Region.grid(columns: columns, rows: rows)).allSatisfy { $0.isClose(to: $1) }
  }

  /// Whether two regions overlap by more than a rounding error.
  package var hasOverlaps: Bool {
    Self.anyPair(of: regions) { index, other in index != other && regions[index].overlaps(regions[other]) }
  }

  /// Returns the frames of the canvases on a surface, in board order.
  ///
  /// Each edge is rounded to the nearest unit, so neighbours share it.
  ///
  /// - Parameters:
  ///   - width: The width of the surface; at least 1.
  ///   - height: The height of the surface; at least 1.
  package func frames(width: Int, height: Int) -> [Frame] {
    regions.map { region in
      let columns = Self.edges(region.x, region.x + region.width, of: width)
      let rows = Self.edges(region.y, region.y + region.height, of: height)
      return Frame(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
  }

  /// Returns the units between two edges.
  ///
  /// An edge in the middle of a unit, or up to 1e-6 above it, is rounded down, because the left and the right neighbour
  /// compute the same edge with different rounding errors.
  private static func edges(_ from: Double, _ to: Double, of length: Int) -> Range<Int> {
    func edge(_ share: Double) -> Int { Int((share * Double(length) + 0.5 - 1e-6).rounded(.down)) }
    let start = min(max(0, edge(from)), length - 1)
    return start..<max(start + 1, min(edge(to), length))
  }

  /// Returns the smallest number of equal parts, among the likely ones, that all spans are multiples of.
  private static func divisions(_ spans: [(start: Double, length: Double)]) -> Int? {
    guard let shortest = spans.map(\.length).min() else { return nil }
    let edges = Set(spans.flatMap { [$0.start, $0.start + $0.length] })
    return (1...12).lazy.compactMap { Int(exactly: (Double($0) / shortest).rounded()) }.first { count in
      edges.allSatisfy { edge in
        let place = edge * Double(count)
        return abs(place - place.rounded()) < 1e-6 * Double(count)
      }
    }
  }

  // MARK: - Overlaps

  /// Returns whether a region is hidden by a later one.
  private static func hidesAny(_ regions: [Region]) -> Bool {
    anyPair(of: regions) { index, other in other > index && regions[other].contains(regions[index]) }
  }

  /// Returns whether a condition holds for any two regions that have a column in common.
  ///
  /// - Parameter condition: A closure that receives the index of a region and that of another, which does not begin
  ///   right of it.
  private static func anyPair(of regions: [Region], where condition: (_ index: Int, _ other: Int) -> Bool) -> Bool {
    let widest = regions.map(\.width).max() ?? 0
    let byEdge = regions.indices.sorted { regions[$0].x < regions[$1].x }
    var end = 0
    for index in byEdge {
      let left = regions[index].x
      while end < byEdge.count, regions[byEdge[end]].x <= left + Region.tolerance { end += 1 }
      for other in byEdge[..<end].reversed() {
        guard regions[other].x + widest >= left - Region.tolerance else { break }
        if condition(index, other) { return true }
      }
    }
    return false
  }
}

extension Region {
  /// Whether the region contains all of another.
  fileprivate func contains(_ other: Region) -> Bool {
    x <= other.x + Self.tolerance && y <= other.y + Self.tolerance
      && x + width >= other.x + other.width - Self.tolerance
      && y + height >= other.y + other.height - Self.tolerance
  }

  fileprivate func overlaps(_ other: Region) -> Bool {
    x < other.x + other.width - Self.edgeTolerance && other.x < x + width - Self.edgeTolerance
      && y < other.y + other.height - Self.edgeTolerance && other.y < y + height - Self.edgeTolerance
  }

  fileprivate func isClose(to other: Region) -> Bool {
    [x - other.x, y - other.y, width - other.width, height - other.height].allSatisfy { abs($0) < Self.edgeTolerance }
  }
}
