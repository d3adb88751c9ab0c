public import CanvasModel

extension Board {
  /// The columns of a drawing: as many as the regions have beside each other, where these are a grid; else about as
  /// many as rows.
  public var gridColumns: Int {
    let lefts = Set(canvases.map(\.region.x))
    let tops = Set(canvases.map(\.region.y))
    let fills = lefts.count * tops.count
    guard fills >= canvases.count, fills - canvases.count < lefts.count else {
      return Self.squareColumns(of: canvases.count)
    }
    return lefts.count
  }

  /// The columns of a grid of so many canvases that is about as wide as high.
  public static func squareColumns(of count: Int) -> Int {
    var columns = 1
    while columns * columns < count { columns += 1 }
    return columns
  }

  /// A number of regions in a grid that is about as wide as high; its last row may have gaps.
  ///
  /// - Parameter count: May be 0.
  public static func squareRegions(_ count: Int) -> [Region] {
    let columns = max(1, squareColumns(of: count))
    return Array(Region.grid(columns: columns, rows: max(1, (count + columns - 1) / columns)).prefix(count))
  }
}
