internal import Covers
internal import Files

/// The arguments of a program that `clipcanvas` runs in its own place: one value, passed as JSON.
///
/// Only `clipcanvas` parses a command line.
package protocol PassedArguments: Codable, Sendable {
  /// The commands that run the program, for the message to users who run it directly.
  static var commands: String { get }
}

extension PassedArguments {
  /// The program's only argument.
  package var argument: String {
    get throws { String(decoding: try CanonicalJSON.line(self), as: UTF8.self) }
  }

  /// Returns the arguments of this process.
  ///
  /// - Throws: ``CommandError`` when `clipcanvas` did not run it.
  package static func ofProcess() throws(CommandError) -> Self {
    try Self(passed: RawArguments.ofProcess())
  }

  /// Reads the arguments of a process.
  ///
  /// - Parameter arguments: The arguments, in the encoding of `RawArguments`.
  package init(passed arguments: [String]) throws(CommandError) {
    guard let argument = arguments.first, arguments.count == 1,
      let value = try? CanonicalJSON.decode(Self.self, from: RawArguments.bytes(of: argument))
    else {
      throw CommandError(.usage, "this program only runs as part of clipcanvas; run \(Self.commands) instead")
    }
    self = value
  }
}
