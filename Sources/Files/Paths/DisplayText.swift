/// Text that is safe to show on a terminal.
///
/// File names are bytes: a name can contain an escape sequence that repaints the screen, or bytes that are not UTF-8.
package enum DisplayText {
  /// Returns the bytes as text; control characters, marks that change the text direction and bytes that are not UTF-8
  /// are written in the form `\x1b`.
  package static func of(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    // True for nearly every name.
    guard !bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return String(decoding: bytes, as: UTF8.self) }
    var result = ""
    var rest = bytes[...]
    while let first = rest.first {
      let length = sequenceLength(first)
      let sequence = rest.prefix(length)
      if let text = String(validating: sequence, as: UTF8.self), let scalar = text.unicodeScalars.first,
        !isControl(scalar)
      {
        result += text
        rest = rest.dropFirst(length)
      } else {
        result += escaped(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// Returns a line of JSON, escaping characters that would affect a terminal; its meaning is unchanged.
  ///
  /// - Parameter json: JSON as written by `CanonicalJSON`, with ASCII control characters already escaped.
  package static func json(_ json: [UInt8]) -> [UInt8] {
    guard !json.allSatisfy({ $0 < 0x7F }) else { return json }
    var result: [UInt8] = []
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      if isControl(scalar) {
        let digits = String(scalar.value, radix: 16)
        result += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
      } else {
        result += Array(String(scalar).utf8)
      }
    }
    return result
  }

  /// The length of a UTF-8 sequence that starts with the given byte.
  private static func sequenceLength(_ first: UInt8) -> Int {
    switch first {
    case 0xF0...: 4
    case 0xE0...: 3
    case 0xC0...: 2
    default: 1
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func escaped(_ byte: UInt8) -> String {
    "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
