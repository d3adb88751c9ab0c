/// The box-drawing characters of a frame.
package struct BoxFrame: Sendable {
  /// The characters of the corners and sides.
  package let topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String

  /// The frame of a canvas.
  package static let light = BoxFrame("┌", "┐", "└", "┘", "─", "│")
  /// The frame of the focused canvas.
  package static let heavy = BoxFrame("┏", "┓", "┗", "┛", "━", "┃")

  private init(
    _ topLeft: String,
    _ topRight: String,
    _ bottomLeft: String,
    _ bottomRight: String,
    _ horizontal: String,
    _ vertical: String
  ) {
    (self.topLeft, self.topRight, self.bottomLeft, self.bottomRight) = (topLeft, topRight, bottomLeft, bottomRight)
    (self.horizontal, self.vertical) = (horizontal, vertical)
  }

  /// Returns a horizontal line; empty for a length below 1.
  package func rule(_ length: Int) -> String { String(repeating: horizontal, count: max(0, length)) }
}
