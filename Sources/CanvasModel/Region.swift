/// Where a canvas lies on the screen, as shares of its width and height.
public struct Region: Hashable, Sendable {
  /// From the left, 0…1.
  public let x: Double
  /// From the top, 0…1.
  public let y: Double
  /// Above 0; `x + width` is at most 1.
  public let width: Double
  /// Above 0; `y + height` is at most 1.
  public let height: Double

  /// The whole screen.
  public static let whole = Region(unchecked: 0, 0, 1, 1)

  /// What rounding may add to a sum of shares.
  private static let tolerance = 1e-9

  /// Fails when it does not lie inside the screen, or has no size.
  public init?(x: Double, y: Double, width: Double, height: Double) {
    // A comparison with what is no number is false.
    guard x >= 0, y >= 0, width > 0, height > 0, x + width <= 1 + Self.tolerance, y + height <= 1 + Self.tolerance
    else { return nil }
    self.init(unchecked: x, y, width, height)
  }

  private init(unchecked x: Double, _ y: Double, _ width: Double, _ height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The regions of a grid, row after row.
  ///
  /// - Parameters:
  ///   - columns: At least 1.
  ///   - rows: At least 1.
  public static func grid(columns: Int, rows: Int) -> [Region] {
    precondition(columns >= 1 && rows >= 1, "a grid has columns and rows")
    let (width, height) = (1 / Double(columns), 1 / Double(rows))
    return (0..<rows).flatMap { row in
      (0..<columns).map { column in
        Region(unchecked: Double(column) * width, Double(row) * height, width, height)
      }
    }
  }
}
