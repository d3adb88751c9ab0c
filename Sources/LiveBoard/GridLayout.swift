/// The layout of a board's cells on the screen.
package struct GridLayout: Hashable {
  /// A part of the screen, in characters, with 0-based row and column.
  package struct Rectangle: Hashable {
    package let row: Int
    package let column: Int
    package let width: Int
    package let height: Int
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

  /// The number of rows for all canvases.
  package var rows: Int { (count + columns - 1) / columns }

  /// The last row that can be the first on the screen.
  package var lastFirstRow: Int { max(0, rows - visibleRows) }

  /// Returns the canvases visible when the screen starts with this row.
  package func visible(from firstRow: Int) -> Range<Int> {
    let start = min(firstRow * columns, count)
    return start..<min((firstRow + visibleRows) * columns, count)
  }

  /// Returns the first row that makes a canvas visible, as close as possible to the given first row.
  package func firstRow(showing index: Int, near firstRow: Int) -> Int {
    let row = index / columns
    return min(max(firstRow, row - visibleRows + 1, 0), row, lastFirstRow)
  }

  /// Returns the position of a canvas when the screen starts with this row.
  package func rectangle(of index: Int, from firstRow: Int) -> Rectangle {
    Rectangle(
      row: top + (index / columns - firstRow) * cellHeight,
      column: (index % columns) * cellWidth,
      width: cellWidth,
      height: cellHeight
    )
  }

  /// Returns the canvas at a screen position when the screen starts with this row.
  package func index(row: Int, column: Int, from firstRow: Int) -> Int? {
    visible(from: firstRow).first { index in
      let place = rectangle(of: index, from: firstRow)
      return (place.row..<place.row + place.height).contains(row)
        && (place.column..<place.column + place.width).contains(column)
    }
  }
}
