package import CanvasModel

/// The layout of a board's cells on the screen: that of the board if it fits, otherwise rows that can be scrolled.
package struct GridLayout: Hashable {
  /// A part of the screen, in characters, with 0-based row and column.
  package struct Rectangle: Hashable {
    package let row: Int
    package let column: Int
    package let width: Int
    package let height: Int

    /// Whether the rectangles have a column in common.
    fileprivate func shares(columnWith other: Rectangle) -> Bool {
      column < other.column + other.width && other.column < column + width
    }
  }

  /// The number of canvases on the board.
  package let count: Int
  /// The number of columns of cells; at least 1.
  package let columns: Int
  /// The number of rows of cells on the screen; 0 if the screen is too small for a cell.
  package let visibleRows: Int
  private let top: Int
  private let cellWidth: Int
  private let cellHeight: Int
  /// The places of the canvases where the board's own layout fits, and its cells do not form a grid in board order.
  private var places: [Rectangle]?

  /// The least width of a cell.
  package static let narrowestCell = 16
  /// The least height of a cell.
  package static let lowestCell = 5
  /// The width of a cell if the board's own columns do not fit.
  private static let usualCell = 24
  /// The height of a 16:9 picture per column, for characters twice as tall as wide.
  private static let pictureHeight = 9.0 / 32

  /// - Parameters:
  ///   - count: The number of canvases on the board.
  ///   - wanted: The board's own number of columns.
  ///   - top: The first screen row of the grid.
  ///   - width: The width of the screen, in characters.
  ///   - height: The height of the grid, in characters.
  package init(count: Int, columns wanted: Int, top: Int, width: Int, height: Int) {
    (self.count, self.top) = (count, top)
    columns =
      wanted >= 1 && width / wanted >= Self.narrowestCell ? wanted : max(1, width / Self.usualCell)
    cellWidth = width / columns
    let rows = max(1, (count + columns - 1) / columns)
    // A cell is as tall as a picture requires, or shorter if that makes the whole board fit.
    let natural = max(Self.lowestCell, Int((Double(cellWidth - 2) * Self.pictureHeight).rounded()) + 2)
    cellHeight = height / rows >= Self.lowestCell ? min(natural, height / rows) : min(natural, max(1, height))
    let fits = cellWidth >= Self.narrowestCell && cellHeight >= Self.lowestCell
    visibleRows = fits ? min(rows, height / cellHeight) : 0
  }

  /// Creates the layout of a board.
  ///
  /// - Parameters:
  ///   - layout: The board's own layout.
  ///   - top: The first screen row of the grid.
  ///   - width: The width of the screen, in characters.
  ///   - height: The height of the grid, in characters.
  package init(_ layout: BoardLayout, top: Int, width: Int, height: Int) {
    let square = BoardLayout(Region.squareGrid(of: layout.regions.count))
    let columns = (layout.isGridInOrder ? layout.columns : square.columns) ?? 1
    self.init(count: layout.regions.count, columns: columns, top: top, width: width, height: height)
    if !layout.isGridInOrder { places = Self.places(layout, top: top, width: width, height: height) }
  }

  /// Returns the places of canvases that do not form a grid; `nil` if a cell would be too small.
  private static func places(_ layout: BoardLayout, top: Int, width: Int, height: Int) -> [Rectangle]? {
    let (columns, rows) = (layout.columns ?? 1, layout.rows ?? 1)
    guard width >= columns, height >= rows else { return nil }
    let usual = Int((Double(width / columns - 2) * pictureHeight).rounded()) + 2
    let places = layout.frames(
      width: width / columns * columns,
      height: min(max(lowestCell, usual), height / rows) * rows
    ).map { Rectangle(row: top + $0.y, column: $0.x, width: $0.width, height: $0.height) }
    return places.allSatisfy { $0.width >= narrowestCell && $0.height >= lowestCell } ? places : nil
  }

  /// The number of rows for all canvases.
  package var rows: Int { (count + columns - 1) / columns }

  /// The last row that can be the first on the screen.
  package var lastFirstRow: Int { places == nil ? max(0, rows - visibleRows) : 0 }

  /// Returns the canvases visible when the screen starts with this row.
  package func visible(from firstRow: Int) -> Range<Int> {
    guard places == nil else { return 0..<count }
    let start = min(firstRow * columns, count)
    return start..<min((firstRow + visibleRows) * columns, count)
  }

  /// Returns the first row that makes a canvas visible, as close as possible to the given first row.
  package func firstRow(showing index: Int, near firstRow: Int) -> Int {
    guard places == nil else { return 0 }
    let row = index / columns
    return min(max(firstRow, row - visibleRows + 1, 0), row, lastFirstRow)
  }

  /// Returns the position of a canvas when the screen starts with this row.
  package func rectangle(of index: Int, from firstRow: Int) -> Rectangle {
    if let places { return places[index] }
    return Rectangle(
      row: top + (index / columns - firstRow) * cellHeight,
      column: (index % columns) * cellWidth,
      width: cellWidth,
      height: cellHeight
    )
  }

  /// Returns the canvas some rows above or below another; `nil` if that is beyond the board's edge.
  package func index(_ rows: Int, rowsFrom index: Int) -> Int? {
    guard let places else {
      let target = index + rows * columns
      // The cursor cannot leave the first row upwards or the last row downwards.
      return target >= 0 && target / columns < self.rows ? target : nil
    }
    guard places.indices.contains(index), rows != 0 else { return nil }
    let place = places[index]
    let beyond = places.indices.filter { other in
      rows < 0 ? places[other].row < place.row : places[other].row > place.row
    }
    func distance(_ other: Int) -> (Int, Int) {
      (abs(places[other].row - place.row), abs(places[other].column - place.column))
    }
    return beyond.filter { places[$0].shares(columnWith: place) }.min { distance($0) < distance($1) }
      ?? beyond.min { distance($0) < distance($1) }
  }

  /// Returns the canvas at a screen position when the screen starts with this row.
  package func index(row: Int, column: Int, from firstRow: Int) -> Int? {
    // If cells overlap, the last one is in front.
    visible(from: firstRow).last { index in
      let place = rectangle(of: index, from: firstRow)
      return (place.row..<place.row + place.height).contains(row)
        && (place.column..<place.column + place.width).contains(column)
    }
  }
}
