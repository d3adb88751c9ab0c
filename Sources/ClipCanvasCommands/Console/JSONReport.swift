internal import BoardSupport
internal import Covers
internal import Files

/// Results as JSON: one object per line, with sorted keys.
enum JSONReport {
  static func print(_ value: some Encodable) { Console.print(verbatim: line(value)) }

  /// Returns the line for a value, without a newline.
  ///
  /// A value that has no JSON, such as an infinite number, ends the program, because a lost result is worthless.
  static func line(_ value: some Encodable) -> String {
    do {
      return String(decoding: DisplayText.json(try CanonicalJSON.line(value)), as: UTF8.self)
    } catch {
      CommandError(.cannotContinue, "cannot write a result as JSON: \(error)").end()
    }
  }
}
