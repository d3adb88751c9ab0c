internal import Covers
internal import Files

/// Results as JSON: one object per line, with sorted keys.
enum JSONReport {
  static func print(_ value: some Encodable) {
    if let line = line(value) { Console.print(verbatim: line) }
  }

  /// Returns the line for a value, without a newline.
  static func line(_ value: some Encodable) -> String? {
    do {
      return String(decoding: DisplayText.json(try CanonicalJSON.line(value)), as: UTF8.self)
    } catch {
      StandardError.print("clipcanvas: cannot write a result as JSON: \(error)")
      return nil
    }
  }
}
