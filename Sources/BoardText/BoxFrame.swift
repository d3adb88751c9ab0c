/// The lines of a box drawn with characters.
package struct BoxFrame: Sendable {
  /// Corners and sides.
  package let topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String

  /// Of a canvas.
  package static let light = BoxFrame("┌", "┐", "└", "┘", "─", "│")
  /// Of the canvas with the focus.
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

  /// A horizontal line; none for a length below 1.
  package func rule(_ length: Int) -> String { String(repeating: horizontal, count: max(0, length)) }
}
