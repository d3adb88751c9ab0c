// Strings and their escape sequences.

extension JSONParser {
  mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    var seen: UInt8 = 0
    while position < bytes.count, bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\\") {
      if bytes[position] == UInt8(ascii: "\"") {
        let text = try text(UnsafeBufferPointer(rebasing: bytes[start..<position]), isASCII: seen < 0x80)
        position += 1
        return text
      }
      seen |= bytes[position]
      // It would be written as an escape sequence.
      if bytes[position] == 0x7F { isCanonical = false }
      position += 1
    }
    return try stringWithEscapes(from: start)
  }

  /// Returns a decoded string; nearly all strings in a board are ASCII, which needs no validation.
  private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) throws(JSONError) -> String {
    countLong(bytes.count)
    if isASCII { return String(decoding: bytes, as: UTF8.self) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw error("a string that is not UTF-8") }
    return text
  }

  /// Counts a string that is too long to be stored inline, and therefore allocates memory.
  private mutating func countLong(_ length: Int) {
    count += length > 15 ? 1 : 0
  }

  /// Parses the rest of a string that contains an escape, or is invalid or incomplete.
  private mutating func stringWithEscapes(from start: Int) throws(JSONError) -> String {
    isCanonical = false
    var result = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: result, as: UTF8.self) else { throw error("a string that is not UTF-8") }
        countLong(result.count)
        position += 1
        return text
      case UInt8(ascii: "\\"): result += Array(String(try escape()).utf8)
      case 0..<0x20: throw error("a control character in a string")
      default:
        result.append(byte)
        position += 1
      }
    }
    throw error("an unterminated string")
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard position + 1 < bytes.count else { throw error("an unterminated string") }
    position += 2
    switch bytes[position - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default:
      position -= 2
      throw error("an invalid escape sequence")
    }
  }

  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let first = try hexadecimal()
    guard (0xD800..<0xDC00).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw error("half of a surrogate pair") }
      return scalar
    }
    guard take("\\"), take("u") else { throw error("half of a surrogate pair") }
    let second = try hexadecimal()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("half of a surrogate pair") }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue,
        bytes[position] < 0x80
      else { throw error("expected a hexadecimal digit") }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
