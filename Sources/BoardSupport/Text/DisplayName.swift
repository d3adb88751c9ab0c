package import CanvasModel
internal import Covers
internal import Files

/// Names from a board's file, made safe for display on a terminal.
package enum DisplayName {
  /// Returns the name of a canvas.
  package static func of(_ canvas: CanvasID) -> String { of(canvas.description) }

  /// Returns a path or other text from the file.
  package static func of(_ text: String) -> String { DisplayText.of(RawArguments.bytes(of: text)) }
}
