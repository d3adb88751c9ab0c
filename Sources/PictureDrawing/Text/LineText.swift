internal import Files

/// Text that is safe to lay out as a single line.
enum LineText {
  /// The maximum number of Unicode scalars: more than fit in a picture, and few enough to be laid out quickly.
  static let maximumScalars = 1000

  /// Returns a text with an ellipsis in place of its middle or end if it is very long, and with control characters and
  /// marks that change the text direction in the form `\x0a`, so that they can neither break nor reorder the line.
  static func of(_ text: String, _ truncation: Truncation) -> String {
    // Escaping makes a text up to twelve times as long.
    shortened(DisplayText.of(shortened(text, truncation).utf8), truncation)
  }

  private static func shortened(_ text: String, _ truncation: Truncation) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > maximumScalars else { return text }
    let tail = truncation == .middle ? maximumScalars / 2 : 0
    return String(scalars.prefix(maximumScalars - 1 - tail)) + "…" + String(scalars.suffix(tail))
  }
}
