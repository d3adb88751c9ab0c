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

  /// Creates the frame of a canvas in a layout.
  init(_ frame: BoardLayout.Frame) {
    self.init(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
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
