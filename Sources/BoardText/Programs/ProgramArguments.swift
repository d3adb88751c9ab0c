internal import Covers
internal import Files

/// The arguments of a program that `clipcanvas` runs in its own place: one value, passed as JSON.
///
/// Only `clipcanvas` parses a command line.
public protocol ProgramArguments: Codable, Sendable {
  /// The command of `clipcanvas` that runs the program.
  static var command: String { get }
}

extension ProgramArguments {
  /// The program's only argument.
  public var argument: String {
    get throws { String(decoding: try CanonicalJSON.line(self), as: UTF8.self) }
  }

  /// Returns the arguments of this process.
  ///
  /// - Throws: ``WrongArguments`` when `clipcanvas` did not run it.
  public static func ofProcess() throws(WrongArguments) -> Self {
    try Self(RawArguments.ofProcess())
  }

  /// Reads the arguments of a process.
  ///
  /// - Parameter arguments: The arguments, in the encoding of `RawArguments`.
  package init(_ arguments: [String]) throws(WrongArguments) {
    guard let argument = arguments.first, arguments.count == 1,
      let value = try? CanonicalJSON.decode(Self.self, from: RawArguments.bytes(of: argument))
    else { throw WrongArguments(command: Self.command) }
    self = value
  }
}

/// The program was not run by `clipcanvas`.
public struct WrongArguments: Error, Hashable, CustomStringConvertible {
  /// The command to use instead.
  public let command: String

  /// The reason, and the command to use instead.
  public var description: String { "this program only runs as part of clipcanvas; run 'clipcanvas \(command)' instead" }
}
