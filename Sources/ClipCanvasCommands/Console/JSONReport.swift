internal import Covers
internal import Files

/// JSON results: one object a line, keys sorted.
enum JSONReport {
  static func print(_ value: some Encodable) {
    if let line = line(value) { Console.print(verbatim: line) }
  }

  /// The line of one value, without the newline.
  static func line(_ value: some Encodable) -> String? {
    do {
      return String(decoding: DisplayText.json(try CanonicalJSON.line(value)), as: UTF8.self)
    } catch {
      Console.complain("clipcanvas: cannot write a result as JSON: \(error)")
      return nil
    }
  }
}
