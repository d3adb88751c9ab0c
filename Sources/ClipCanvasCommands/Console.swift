internal import ArgumentParser
internal import CoverService
internal import Glibc
internal import SystemPackage

/// Results on standard output, messages on standard error.
///
/// Every line is written at once, so that a reader of a pipe has it when it is done. A closed pipe ends the program
/// by SIGPIPE, as it does every filter.
enum Console {
  /// Writes a line of results.
  ///
  /// A full disk ends the program: a result that nobody can read is none.
  static func print(_ line: String) {
    do {
      try FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
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
  static func complain(_ line: String) {
    _ = try? FileDescriptor.standardError.writeAll((line + "\n").utf8)
  }

  /// Writes text as it is to standard error.
  static func writeToTerminal(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }
}
