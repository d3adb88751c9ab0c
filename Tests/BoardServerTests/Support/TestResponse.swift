import BoardStore
import SystemPackage

/// The answer to a request.
struct TestResponse: Sendable {
  let status: Int
  let headers: [(name: String, value: String)]
  var body: [UInt8] = []

  /// Parses a status line with headers.
  init(head: [UInt8]) throws {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else { throw Errno.badMessage }
    self.status = status
    headers = lines.dropFirst().compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1].drop { $0 == " " })) : nil
    }
  }

  /// The value of a header.
  subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON; `null` if it is not JSON.
  var json: JSON { (try? JSON(parsing: body)) ?? .null }

  /// The sentence for people in an answer to a request that failed.
  var sentence: String? { json["error"]?.text ?? json["message"]?.text }
}

extension JSON {
  /// The text of a string.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of an integer.
  var int: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }

  /// The value of a number.
  var double: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }

  /// The elements of an array.
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
