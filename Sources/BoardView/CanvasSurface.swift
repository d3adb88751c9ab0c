/// A surface that canvases are drawn on, such as a terminal, a window or a test double.
public protocol CanvasSurface: Sendable {
  /// Draws a whole canvas.
  ///
  /// - Parameters:
  ///   - face: The appearance of the canvas.
  ///   - index: The index among all canvases, from 0.
  func draw(_ face: CanvasFace, at index: Int)
}
