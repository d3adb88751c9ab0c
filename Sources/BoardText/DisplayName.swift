public import CanvasModel
internal import Covers
internal import Files

/// Names from a board's file, safe to show on a terminal.
public enum DisplayName {
  /// Of a canvas.
  public static func of(_ canvas: CanvasID) -> String { of(canvas.description) }

  /// Of a path, or of words that came with the file.
  public static func of(_ text: String) -> String { DisplayText.of(RawArguments.bytes(of: text)) }
}
