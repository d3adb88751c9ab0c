public import CanvasModel
internal import Pictures

/// A rectangle of whole pixels in a picture.
public typealias PixelFrame = BoardLayout.Frame

extension PixelFrame {
  /// The shorter side.
  var shorterSide: Int { min(width, height) }

  /// Returns the frame reduced by this many pixels on each side.
  func inset(by distance: Int) -> PixelFrame {
    PixelFrame(x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
  }

  /// The frame as a shape's frame.
  var frame: Shape.Frame { .init(x: Double(x), y: Double(y), width: Double(width), height: Double(height)) }
}
