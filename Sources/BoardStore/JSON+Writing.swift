extension JSON {
  /// The value on one line, without the newline.
  public var line: [UInt8] {
    var writer = Writer(indent: nil)
    writer.write(self, depth: 0)
    return writer.bytes
  }

  /// The value as a document that a person can read: two spaces a level, and a newline at the end.
  public var document: [UInt8] {
    var writer = Writer(indent: 2)
    writer.write(self, depth: 0)
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  private struct Writer {
    let indent: Int?
    var bytes: [UInt8] = []

    mutating func write(_ value: JSON, depth: Int) {
      switch value {
      case .null: write("null")
      case .bool(let value): write(value ? "true" : "false")
      case .number(let digits): write(digits)
      case .string(let text): write(quoted: text)
      case .array(let values):
        list("[", "]", count: values.count, depth: depth) { writer, index in
          writer.write(values[index], depth: depth + 1)
        }
      case .object(let object):
        list("{", "}", count: object.members.count, depth: depth) { writer, index in
          writer.write(quoted: object.members[index].key)
          writer.write(writer.indent == nil ? ":" : ": ")
          writer.write(object.members[index].value, depth: depth + 1)
        }
      }
    }

    private mutating func list(
      _ start: String,
      _ end: String,
      count: Int,
      depth: Int,
      _ element: (inout Writer, Int) -> Void
    ) {
      write(start)
      for index in 0..<count {
        if index > 0 { write(",") }
        newLine(depth: depth + 1)
        element(&self, index)
      }
      if count > 0 { newLine(depth: depth) }
      write(end)
    }

    private mutating func newLine(depth: Int) {
      guard let indent else { return }
      bytes.append(UInt8(ascii: "\n"))
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * depth))
    }

    private mutating func write(_ text: String) {
      bytes.append(contentsOf: text.utf8)
    }

    private mutating func write(quoted text: String) {
      bytes.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""): write("\\\"")
        case UInt8(ascii: "\\"): write("\\\\")
        case 0x0A: write("\\n")
        case 0x0D: write("\\r")
        case 0x09: write("\\t")
        case 0..<0x20, 0x7F:
          let digits = String(byte, radix: 16)
          write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        default: bytes.append(byte)
        }
      }
      bytes.append(UInt8(ascii: "\""))
    }
  }
}
