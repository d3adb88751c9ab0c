internal import ArgumentParser
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// Writes results to standard output; messages go to `StandardError`.
///
/// Every line is written immediately, without buffering, so that the reader of a pipe gets it as soon as it is
/// complete. A closed pipe ends the program with SIGPIPE, as is usual for filters.
///
/// Lines cannot control the terminal: control characters, including line breaks, and marks that change the text
/// direction are escaped, as in `\x1b`. Only ``print(verbatim:)`` writes its text unchanged; its
/// callers must escape all untrusted parts of it.
enum Console {
  /// Writes a result line.
  static func print(_ line: String) { print(verbatim: DisplayText.of(line.utf8)) }

  /// Writes several result lines at once.
  static func print(lines: [String]) {
    print(verbatim: lines.map { DisplayText.of($0.utf8) }.joined(separator: "\n"))
  }

  /// Writes a line of JSON.
  static func print(json: [UInt8]) { print(verbatim: String(decoding: DisplayText.json(json), as: UTF8.self)) }

  /// Writes lines of any bytes, such as a script: unchanged, except on a terminal.
  static func print(bytes: [UInt8]) {
    guard isatty(STDOUT_FILENO) == 1 else { return write(bytes) }
    print(lines: bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(DisplayText.of))
  }

  /// Writes text unchanged, including its line breaks and colours.
  static func print(verbatim text: String) { write((text + "\n").utf8) }

  /// Writes bytes.
  ///
  /// A write error, such as a full disk, ends the program, because a lost result is worthless.
  private static func write(_ bytes: some Sequence<UInt8>) {
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch {
      end(cannotPrint: error as? Errno ?? .ioError)
    }
  }

  /// Ends the program as a write to a closed pipe does: with SIGPIPE or, if that is ignored, with a message.
  static func endWithoutReader() -> Never {
    raise(SIGPIPE)
    end(cannotPrint: .brokenPipe)
  }

  private static func end(cannotPrint error: Errno) -> Never {
    StandardError.print("clipcanvas: cannot write to standard output: \(error.message)")
    exit(ExitStatus.cannotContinue.rawValue)
  }
}
