internal import CText

/// The reason why text cannot be drawn.
package struct TextError: Error, Hashable, Sendable {
  /// The kind of error.
  package enum Cause: Hashable, Sendable {
    /// The font configuration cannot be read.
    case configuration
    /// No font that can draw Latin text is installed.
    case noFont
    /// The text could not be laid out or drawn.
    case drawing
  }

  /// The kind of error.
  package let cause: Cause
  /// A message for people, with advice.
  package let message: String

  init(_ error: ctext_error) {
    cause =
      switch error.cause {
      case CTEXT_CAUSE_CONFIGURATION: .configuration
      case CTEXT_CAUSE_NO_FONT: .noFont
      default: .drawing
      }
    message = withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
