/// Where canvases are drawn: a terminal, a window, a test.
public protocol CanvasSurface: Sendable {
  /// Draws a canvas whole.
  ///
  /// - Parameters:
  ///   - face: What it shows.
  ///   - index: Its place among all canvases, from 0.
  func draw(_ face: CanvasFace, at index: Int)
}
