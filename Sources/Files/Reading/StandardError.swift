internal import SystemPackage

/// Messages on standard error.
///
/// A write error is ignored because it could not be reported anywhere.
package enum StandardError {
  /// Prints a line, with everything escaped that would control the terminal.
  package static func print(_ line: String) { print(lines: [line]) }

  /// Prints several lines at once, with everything escaped that would control the terminal.
  package static func print(lines: [some StringProtocol]) {
    print(verbatim: lines.map { DisplayText.of(Array($0.utf8)) + "\n" }.joined())
  }

  /// Writes text unchanged, without a line break at its end.
  package static func print(verbatim text: String) {
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }
}
