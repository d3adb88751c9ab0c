extension JSON {
  /// The value on one line, without a trailing newline.
  package var line: [UInt8] {
    var writer = Writer(indent: nil)
    writer.write(self, depth: 0)
    return writer.bytes
  }

  /// Returns an object on one line, without a trailing newline.
  static func line(_ members: some Sequence<JSONObject.Member>) -> [UInt8] {
    var writer = Writer(indent: nil)
    writer.write(members, depth: 0)
    return writer.bytes
  }

  /// The value as an indented document: two spaces per level, with a trailing newline.
  package var document: [UInt8] {
    var writer = Writer(indent: 2)
    writer.write(self, depth: 0)
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// Returns an indented document like ``document``, of an object whose members are created while it is written.
  ///
  /// - Parameters:
  ///   - members: The members, in any order.
  ///   - others: Further members, with other names.
  ///   - capacity: The expected size in bytes.
  ///   - limit: The size in bytes beyond which the text is only measured.
  /// - Returns: The text, and its size; the text is incomplete if the size exceeds the limit.
  static func document(
    _ members: [(key: String, value: LazyValue)],
    besides others: JSONObject,
    capacity: Int,
    limit: Int
  ) -> (text: [UInt8], size: Int) {
    var writer = Writer(indent: 2, limit: limit)
    writer.bytes.reserveCapacity(capacity)
    writer.write(members.sorted { JSONObject.isBefore($0.key, $1.key) }, besides: others.members)
    writer.bytes.append(UInt8(ascii: "\n"))
    return (writer.bytes, writer.dropped + writer.bytes.count)
  }

  /// The value of a member of a large document.
  enum LazyValue {
    case value(JSON)
    /// An array whose elements are created one by one, unless they are copied from an earlier document.
    case texts(count: Int, Texts)
  }

  /// Elements of an array; unchanged ones are copied from an earlier document with the same indentation.
  struct Texts {
    /// Returns the text of an element that did not change.
    let copy: (Int) -> ArraySlice<UInt8>?
    /// Returns an element.
    let element: (Int) -> JSON
    /// A closure that receives the position of each element in the new document, unless that exceeds its limit.
    let onWritten: (Range<Int>) -> Void
  }

  private struct Writer {
    let indent: Int?
    var limit = Int.max
    var bytes: [UInt8] = []
    /// The number of bytes that were not kept because of the limit.
    var dropped = 0

    /// Writes an object with the members of two sorted lists.
    mutating func write(_ members: [(key: String, value: LazyValue)], besides others: [JSONObject.Member]) {
      write(ascii: "{")
      var count = 0
      var rest = others[...]
      for member in members {
        while let other = rest.first, JSONObject.isBefore(other.key, member.key) {
          write(other, index: count, depth: 1)
          count += 1
          rest = rest.dropFirst()
        }
        startElement(count, depth: 1)
        count += 1
        write(quoted: member.key)
        write(": ")
        switch member.value {
        case .value(let value): write(value, depth: 1)
        case .texts(let count, let texts):
          write(count: count) { writer, index in
            let start = writer.bytes.count
            if let text = texts.copy(index) {
              writer.bytes += text
            } else {
              writer.write(texts.element(index), depth: 2)
            }
            if writer.dropped == 0 { texts.onWritten(start..<writer.bytes.count) }
          }
        }
      }
      for other in rest {
        write(other, index: count, depth: 1)
        count += 1
      }
      end("}", count: count, depth: 0)
    }

    mutating func write(_ members: some Sequence<JSONObject.Member>, depth: Int) {
      write(ascii: "{")
      var count = 0
      for member in members {
        write(member, index: count, depth: depth + 1)
        count += 1
      }
      end("}", count: count, depth: depth)
    }

    private mutating func write(_ member: JSONObject.Member, index: Int, depth: Int) {
      startElement(index, depth: depth)
      write(quoted: member.key)
      write(ascii: ":")
      if indent != nil { write(ascii: " ") }
      write(member.value, depth: depth)
    }

    private mutating func write(count: Int, element: (inout Writer, Int) -> Void) {
      write(ascii: "[")
      for index in 0..<count {
        startElement(index, depth: 2)
        element(&self, index)
        keepLimit(before: 0)
      }
      end("]", count: count, depth: 1)
    }

    mutating func write(_ value: JSON, depth: Int) {
      switch value {
      case .null: write("null")
      case .bool(let value): write(value ? "true" : "false")
      case .number(let digits): write(digits)
      case .string(let text): write(quoted: text)
      case .array(let values):
        write(ascii: "[")
        for (index, value) in values.enumerated() {
          startElement(index, depth: depth + 1)
          write(value, depth: depth + 1)
        }
        end("]", count: values.count, depth: depth)
      case .object(let object): write(object.members, depth: depth)
      }
    }

    private mutating func startElement(_ index: Int, depth: Int) {
      if index > 0 { write(ascii: ",") }
      newLine(depth: depth)
    }

    private mutating func end(_ bracket: Unicode.Scalar, count: Int, depth: Int) {
      if count > 0 { newLine(depth: depth) }
      write(ascii: bracket)
    }

    private mutating func newLine(depth: Int) {
      guard let indent else { return }
      write(ascii: "\n")
      for _ in 0..<indent * depth { write(ascii: " ") }
    }

    private mutating func write(ascii character: Unicode.Scalar) {
      bytes.append(UInt8(ascii: character))
    }

    private mutating func write(_ text: String) {
      var text = text
      text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Only measures what was written if the text becomes too long with the next part.
    private mutating func keepLimit(before count: Int) {
      guard bytes.count > limit - count else { return }
      dropped += bytes.count
      bytes.removeAll(keepingCapacity: true)
    }

    private mutating func write(quoted text: String) {
      keepLimit(before: text.utf8.count)
      write(ascii: "\"")
      var text = text
      text.withUTF8 { utf8 in
        var start = 0
        for (index, byte) in utf8.enumerated() where Self.needsEscape(byte) {
          bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
          write(escaping: byte)
          start = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
      }
      write(ascii: "\"")
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
      byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func write(escaping byte: UInt8) {
      switch byte {
      case UInt8(ascii: "\""): write("\\\"")
      case UInt8(ascii: "\\"): write("\\\\")
      case 0x0A: write("\\n")
      case 0x0D: write("\\r")
      case 0x09: write("\\t")
      default:
        let digits = String(byte, radix: 16)
        write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      }
    }
  }
}
