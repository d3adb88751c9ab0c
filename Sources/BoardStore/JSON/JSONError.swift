/// Why text is not valid JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the problem.
  package let what: String
  /// The line, counted from 1.
  package let line: Int
  /// The column in bytes, counted from 1.
  package let column: Int

  /// The problem and its position.
  package var description: String { "\(what) at line \(line), column \(column)" }
}
