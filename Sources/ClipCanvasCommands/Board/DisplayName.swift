internal import CanvasModel
internal import Covers

/// Names from a board's file, safe to show on a terminal.
enum DisplayName {
  static func of(_ canvas: CanvasID) -> String { of(canvas.description) }

  static func of(_ text: String) -> String { DisplayText.of(RawArguments.bytes(of: text)) }
}
