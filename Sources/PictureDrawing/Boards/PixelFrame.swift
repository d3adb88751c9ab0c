package import CanvasModel
internal import Pictures

/// A rectangle of whole pixels in a picture.
package typealias PixelFrame = BoardLayout.Frame

extension PixelFrame {
  /// The shorter side.
  var shorterSide: Int { min(width, height) }

  /// Whether the frames have a pixel in common.
  func overlaps(_ other: PixelFrame) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
  }

  /// Returns the frame reduced by this many pixels on each side.
  func inset(by distance: Int) -> PixelFrame {
    PixelFrame(x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
  }

  /// The frame as a shape's frame.
  var frame: Shape.Frame { .init(x: Double(x), y: Double(y), width: Double(width), height: Double(height)) }
}
