/// A parser of one JSON document.
struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  var streams: JSON.Streams?
  /// Whether incomplete arrays and objects are accepted.
  var salvages = false
  var position = 0
  var depth = 0
  /// The number of values that have been read and not been passed on.
  var count = 0
  /// Whether the current element, up to this point, is formatted as it would be written.
  var isCanonical = true
  /// Whether an error has ended salvaging, or the container at hand.
  var hasFailed = false

  mutating func document() throws(JSONError) -> JSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw error("a byte order mark") }
    let value = try value()
    skipSpace()
    guard position == bytes.count else { throw error("unexpected text after the document") }
    return value
  }

  mutating func value() throws(JSONError) -> JSON {
    skipSpace()
    guard position < bytes.count else { throw error("the text ends where a value is expected") }
    guard count < JSON.maximumValues else { throw error("more than \(JSON.maximumValues) values") }
    count += 1
    switch bytes[position] {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw error("expected a value")
    }
  }

  mutating func nested(_ body: (inout JSONParser) throws(JSONError) -> JSON) throws(JSONError) -> JSON {
    guard depth < JSON.maximumDepth else { throw error("more than \(JSON.maximumDepth) levels") }
    depth += 1
    position += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    let text = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[position...].starts(with: text) else { throw error("expected a value") }
    position += text.count
    return value
  }

  private mutating func number() throws(JSONError) -> String {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
    guard position > start else { throw error("expected a digit") }
  }

  private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Creates an error at the current position.
  func error(_ what: String) -> JSONError {
    let rest = bytes[min(position, bytes.count)...]
    let isComment = ["//", "/*", "#"].contains { rest.starts(with: $0.utf8) }
    let what = isComment ? "a comment, which JSON does not allow," : what
    let before = bytes[..<min(position, bytes.count)]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return JSONError(
      what: what,
      line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: before.count - start + 1
    )
  }
}
