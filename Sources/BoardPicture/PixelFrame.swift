internal import CanvasModel
internal import Pictures

/// A rectangle of whole pixels in a picture.
public struct PixelFrame: Hashable, Sendable {
  /// The distance from the left edge of the picture.
  public let x: Int
  /// The distance from the top edge of the picture.
  public let y: Int
  /// The width; at least 1.
  public let width: Int
  /// The height; at least 1.
  public let height: Int

  /// Creates a frame.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Creates the frame of a region, with each edge rounded to the nearest pixel, so that neighbours share edges.
  ///
  /// - Parameters:
  ///   - region: The region, in fractions of the picture.
  ///   - width: The width of the picture, in pixels.
  ///   - height: The height of the picture, in pixels.
  init(_ region: Region, ofWidth width: Int, height: Int) {
    let (columns, rows) = (
      Self.edges(region.x, region.x + region.width, of: width),
      Self.edges(region.y, region.y + region.height, of: height)
    )
    self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// Returns the pixel range between two edges.
  ///
  /// An edge in the middle of a pixel, or up to 1e-6 above it, is rounded down, because the left and the right
  /// neighbour compute the same edge with different rounding errors.
  private static func edges(_ from: Double, _ to: Double, of length: Int) -> Range<Int> {
    func edge(_ share: Double) -> Int { Int((share * Double(length) + 0.5 - 1e-6).rounded(.down)) }
    let start = min(max(0, edge(from)), length - 1)
    return start..<max(start + 1, min(edge(to), length))
  }

  /// The shorter side.
  var shorterSide: Int { min(width, height) }

  /// Returns the frame reduced by this many pixels on each side.
  func inset(by distance: Int) -> PixelFrame {
    PixelFrame(x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
  }

  /// The frame as a shape's frame.
  var frame: Shape.Frame { .init(x: Double(x), y: Double(y), width: Double(width), height: Double(height)) }
}
