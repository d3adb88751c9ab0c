internal import Files
internal import Glibc

/// A line in the last row of the terminal that shows the progress of work.
package struct StatusLine {
  private var isShown = false

  /// Creates a line that is not shown yet.
  package init() {}

  /// Whether standard error is a terminal, so that such a line can be shown.
  package static var isPossible: Bool { isatty(STDERR_FILENO) == 1 }

  /// Shows a text instead of the one before.
  package mutating func show(_ text: String) {
    isShown = true
    // With wrapping disabled, the terminal truncates the line at its edge, whatever the width of the characters.
    StandardError.print(verbatim: "\r\u{1B}[?7l\(text)\u{1B}[K\u{1B}[?7h")
  }

  /// Erases the line, so that other output can be written.
  package mutating func clear() {
    guard isShown else { return }
    isShown = false
    StandardError.print(verbatim: "\r\u{1B}[K")
  }
}
