/// The position and size of a canvas, as fractions of the screen's width and height.
package struct Region: Hashable, Sendable {
  /// The left edge, from 0 to 1.
  package let x: Double
  /// The top edge, from 0 to 1.
  package let y: Double
  /// The width, greater than 0; `x + width` is at most 1.
  package let width: Double
  /// The height, greater than 0; `y + height` is at most 1.
  package let height: Double

  /// The whole screen.
  package static let whole = Region(unchecked: 0, 0, 1, 1)

  /// The area, as a fraction of the screen's.
  var area: Double { width * height }

  /// The rounding error allowed in a sum of fractions.
  static let tolerance = 1e-9
  /// The distance below which two edges are drawn and arranged as the same edge.
  static let edgeTolerance = 1e-6

  /// Creates a region, or returns `nil` if it is not inside the screen or is empty.
  package init?(x: Double, y: Double, width: Double, height: Double) {
    // Comparisons with NaN are false.
    guard x >= 0, y >= 0, width > 0, height > 0, x + width <= 1 + Self.tolerance, y + height <= 1 + Self.tolerance
    else { return nil }
    self.init(unchecked: x, y, width, height)
  }

  init(unchecked x: Double, _ y: Double, _ width: Double, _ height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Returns the regions of a grid, row by row.
  ///
  /// - Parameters:
  ///   - columns: The number of columns, at least 1.
  ///   - rows: The number of rows, at least 1.
  package static func grid(columns: Int, rows: Int) -> [Region] {
    precondition(columns >= 1 && rows >= 1, "a grid has columns and rows")
    let (width, height) = (1 / Double(columns), 1 / Double(rows))
    return (0..<rows).flatMap { row in
      (0..<columns).map { column in
        Region(unchecked: Double(column) * width, Double(row) * height, width, height)
      }
    }
  }
}
