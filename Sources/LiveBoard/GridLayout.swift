/// Where the cells of a board are on a screen.
struct GridLayout: Hashable {
  /// A part of the screen, in characters, counted from 0.
  struct Rectangle: Hashable {
    let row: Int
    let column: Int
    let width: Int
    let height: Int
  }

  /// How many canvases the board has.
  let count: Int
  /// Beside each other; at least 1.
  let columns: Int
  /// Rows that the screen shows; 0 where it is too small for a cell.
  let visibleRows: Int
  private let top: Int
  private let cellWidth: Int
  private let cellHeight: Int

  static let narrowestCell = 16
  static let lowestCell = 5
  /// Of a cell where the board's own columns do not fit.
  private static let usualCell = 24
  /// Of a picture 16 : 9 in characters that are twice as high as wide.
  private static let pictureHeight = 9.0 / 32

  /// - Parameters:
  ///   - count: How many canvases the board has.
  ///   - wanted: The columns that the board would have.
  ///   - top: The first row of the grid.
  ///   - width: Columns of the screen.
  ///   - height: Rows of the grid.
  init(count: Int, columns wanted: Int, top: Int, width: Int, height: Int) {
    (self.count, self.top) = (count, top)
    columns =
      wanted >= 1 && width / wanted >= Self.narrowestCell ? wanted : max(1, width / Self.usualCell)
    cellWidth = width / columns
    let rows = max(1, (count + columns - 1) / columns)
    // As high as a picture is, and lower where the whole board fits then.
    let natural = max(Self.lowestCell, Int((Double(cellWidth - 2) * Self.pictureHeight).rounded()) + 2)
    cellHeight = height / rows >= Self.lowestCell ? min(natural, height / rows) : min(natural, max(1, height))
    let fits = cellWidth >= Self.narrowestCell && cellHeight >= Self.lowestCell
    visibleRows = fits ? min(rows, height / cellHeight) : 0
  }

  /// Of all canvases.
  var rows: Int { (count + columns - 1) / columns }

  /// The highest row that can be the first on the screen.
  var lastFirstRow: Int { max(0, rows - visibleRows) }

  /// The canvases on a screen that starts with a row.
  func visible(from firstRow: Int) -> Range<Int> {
    let start = min(firstRow * columns, count)
    return start..<min((firstRow + visibleRows) * columns, count)
  }

  /// The first row of a screen that shows a canvas, as close to another first row as can be.
  func firstRow(showing index: Int, near firstRow: Int) -> Int {
    let row = index / columns
    return min(max(firstRow, row - visibleRows + 1, 0), row, lastFirstRow)
  }

  /// Where a canvas is on a screen that starts with a row.
  func rectangle(of index: Int, from firstRow: Int) -> Rectangle {
    Rectangle(
      row: top + (index / columns - firstRow) * cellHeight,
      column: (index % columns) * cellWidth,
      width: cellWidth,
      height: cellHeight
    )
  }

  /// The canvas at a place of a screen that starts with a row.
  func index(row: Int, column: Int, from firstRow: Int) -> Int? {
    visible(from: firstRow).first { index in
      let place = rectangle(of: index, from: firstRow)
      return (place.row..<place.row + place.height).contains(row)
        && (place.column..<place.column + place.width).contains(column)
    }
  }
}
