public import CanvasModel

extension Board {
  /// The number of columns for drawing the board: that of the regions if they form a grid; otherwise about as many as
  /// rows.
  public var gridColumns: Int {
    let lefts = Set(canvases.map(\.region.x))
    let tops = Set(canvases.map(\.region.y))
    let fills = lefts.count * tops.count
    guard fills >= canvases.count, fills - canvases.count < lefts.count else {
      return Self.squareColumns(of: canvases.count)
    }
    return lefts.count
  }

  /// Returns the number of columns of a roughly square grid of this many canvases.
  public static func squareColumns(of count: Int) -> Int {
    var columns = 1
    while columns * columns < count { columns += 1 }
    return columns
  }

  /// Returns this many regions in a roughly square grid, whose last row may be incomplete.
  ///
  /// - Parameter count: The number of regions; may be 0.
  public static func squareRegions(_ count: Int) -> [Region] {
    let columns = max(1, squareColumns(of: count))
    return Array(Region.grid(columns: columns, rows: max(1, (count + columns - 1) / columns)).prefix(count))
  }
}
