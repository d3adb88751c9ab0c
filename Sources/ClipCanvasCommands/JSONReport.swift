internal import Covers

/// JSON results: one object a line, keys sorted.
enum JSONReport {
  static func print(_ value: some Encodable) {
    do {
      Console.print(String(decoding: try CanonicalJSON.line(value), as: UTF8.self))
    } catch {
      Console.complain("clipcanvas: cannot write a result as JSON: \(error)")
    }
  }
}
