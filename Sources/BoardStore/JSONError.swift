/// Why text is not valid JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the problem.
  public let what: String
  /// The line, counted from 1.
  public let line: Int
  /// The column in bytes, counted from 1.
  public let column: Int

  /// The problem and its position.
  public var description: String { "\(what) at line \(line), column \(column)" }
}
