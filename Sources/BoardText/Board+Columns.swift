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
}
