internal import CanvasModel
internal import Pictures

/// A part of a picture in whole pixels.
public struct PixelFrame: Hashable, Sendable {
  /// From the left.
  public let x: Int
  /// From the top.
  public let y: Int
  /// At least 1.
  public let width: Int
  /// At least 1.
  public let height: Int

  /// Makes one of its parts.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// A region of a picture: its edges, each rounded to the nearest pixel, so that neighbours share theirs.
  ///
  /// - Parameters:
  ///   - region: As shares of the picture.
  ///   - width: Of the picture.
  ///   - height: Of the picture.
  init(_ region: Region, ofWidth width: Int, height: Int) {
    let (columns, rows) = (
      Self.edges(region.x, region.x + region.width, of: width),
      Self.edges(region.y, region.y + region.height, of: height)
    )
    self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// An edge in the midst of a pixel is rounded down, also when it is not quite there: a share is reckoned differently for
  /// the left and for the right neighbour.
  private static func edges(_ from: Double, _ to: Double, of length: Int) -> Range<Int> {
    func edge(_ share: Double) -> Int { Int((share * Double(length) + 0.5 - 1e-6).rounded(.down)) }
    let start = min(max(0, edge(from)), length - 1)
    return start..<max(start + 1, min(edge(to), length))
  }

  /// The shorter side.
  var shorterSide: Int { min(width, height) }

  /// The same, smaller by so many pixels on each side.
  func inset(by distance: Int) -> PixelFrame {
    PixelFrame(x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
  }

  /// As a part that shapes know.
  var frame: Shape.Frame { .init(x: Double(x), y: Double(y), width: Double(width), height: Double(height)) }
}
