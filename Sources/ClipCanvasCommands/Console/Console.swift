internal import ArgumentParser
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// Results on standard output, messages on standard error.
///
/// Every line is written at once, so that a reader of a pipe has it when it is done. A closed pipe ends the program
/// by SIGPIPE, as it does every filter.
///
/// Whatever a line holds, it does nothing to a terminal: control characters, line breaks among them, and marks that change
/// the direction of text are shown as `\x1b`. Only the text of ``print(verbatim:)`` and ``writeToTerminal(_:)`` goes out
/// as it is; all parts of it that come from outside are escaped by who puts it together.
enum Console {
  /// Writes a line of results.
  static func print(_ line: String) { print(verbatim: DisplayText.of(line.utf8)) }

  /// Writes lines of results that belong together.
  static func print(lines: [String]) {
    print(verbatim: lines.map { DisplayText.of($0.utf8) }.joined(separator: "\n"))
  }

  /// Writes a line of JSON.
  static func print(json: [UInt8]) { print(verbatim: String(decoding: DisplayText.json(json), as: UTF8.self)) }

  /// Writes text that the program has put together, with its own line breaks and colours.
  ///
  /// A full disk ends the program: a result that nobody can read is worthless.
  static func print(verbatim text: String) {
    do {
      try FileDescriptor.standardOutput.writeAll((text + "\n").utf8)
    } catch {
      end(cannotPrint: error as? Errno ?? .ioError)
    }
  }

  /// Ends the program as a write does when nobody is there to read it: by SIGPIPE or, where that is ignored, with a message.
  static func endWithoutReader() -> Never {
    raise(SIGPIPE)
    end(cannotPrint: .brokenPipe)
  }

  private static func end(cannotPrint error: Errno) -> Never {
    complain("clipcanvas: cannot write to standard output: \(error.words)")
    exit(ExitStatus.couldNotGoOn.rawValue)
  }

  /// Writes a message.
  ///
  /// Nothing can be done when nobody can read it.
  static func complain(_ line: String) { complain(lines: [line]) }

  /// Writes messages that belong together.
  static func complain(lines: [some StringProtocol]) {
    let text = lines.map { DisplayText.of(Array($0.utf8)) + "\n" }.joined()
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }

  /// Writes text as it is to standard error.
  static func writeToTerminal(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }
}
