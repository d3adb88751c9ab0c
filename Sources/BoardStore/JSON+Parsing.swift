internal import Glibc

/// Why text is not valid JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the problem.
  public let what: String
  /// The line, counted from 1.
  public let line: Int
  /// The column in bytes, counted from 1.
  public let column: Int

  /// The problem and its position.
  public var description: String { "\(what) at line \(line), column \(column)" }
}

extension JSON {
  /// The maximum nesting depth of arrays and objects.
  public static let maximumDepth = 128
  /// The maximum number of values in a document, which bounds its memory.
  ///
  /// A value may have two bytes of text, and takes 24 to 100 bytes of memory. A name or a text of more than 15 bytes
  /// counts as one more.
  public static let maximumValues = 500_000

  /// Parses one value strictly according to RFC 8259: UTF-8 only, no byte order mark, and unique names in each object.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    let result: Result<JSON, JSONError> = bytes.withUnsafeBufferPointer { buffer in
      var parser = Parser(bytes: buffer)
      do throws(JSONError) {
        return .success(try parser.document())
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// Some arrays of an object, whose elements are passed on one by one instead of being collected.
  ///
  /// As JSON, a large array takes many times the memory of its text. Only one element at a time counts among the
  /// ``maximumValues`` of a document.
  struct Streams {
    /// The names of the members of the outermost object whose arrays are passed on.
    let names: Set<String>
    /// A closure that receives each element.
    let receive: (Element) -> Void

    /// An element of such an array.
    struct Element {
      /// The element.
      let json: JSON
      /// The name of its array.
      let array: String
      /// The position of its text, if the element would be written in the same way.
      let place: Range<Int>?
    }
  }

  /// Parses one value strictly, as ``init(parsing:)`` does; arrays that are passed on are empty in the result.
  init(parsing bytes: [UInt8], passing streams: Streams) throws(JSONError) {
    let result: Result<JSON, JSONError> = bytes.withUnsafeBufferPointer { buffer in
      var parser = Parser(bytes: buffer, streams: streams)
      do throws(JSONError) {
        return .success(try parser.document())
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// Parses damaged text; arrays and objects contain whatever can be read of them.
  ///
  /// After an error, reading continues with the next member or element that stands on a line of its own with the usual
  /// indentation; without such a line, it ends.
  ///
  /// - Returns: The value, and whether it was read to its end; `nil` if nothing can be read.
  static func salvaging(_ bytes: [UInt8], passing streams: Streams) -> (json: JSON, isWhole: Bool)? {
    bytes.withUnsafeBufferPointer { buffer in
      var parser = Parser(bytes: buffer, streams: streams, salvages: true)
      guard let json = try? parser.value() else { return nil }
      return (json, !parser.hasFailed)
    }
  }

  private struct Parser {
    let bytes: UnsafeBufferPointer<UInt8>
    var streams: Streams?
    /// Whether incomplete arrays and objects are accepted.
    var salvages = false
    var position = 0
    var depth = 0
    /// The number of values that have been read and not been passed on.
    var count = 0
    /// Whether everything so far in the current element looks as it would be written.
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

    private mutating func nested(_ body: (inout Parser) throws(JSONError) -> JSON) throws(JSONError) -> JSON {
      guard depth < JSON.maximumDepth else { throw error("more than \(JSON.maximumDepth) levels") }
      depth += 1
      position += 1
      let value = try body(&self)
      depth -= 1
      return value
    }

    private mutating func object() throws(JSONError) -> JSON {
      let start = position
      var members: [JSONObject.Member] = []
      guard !takeEmptyEnd("}") else { return .object(JSONObject(sorted: [])) }
      try list(endingWith: "}", "object") { parser throws(JSONError) in members.append(try parser.member()) }
      return .object(JSONObject(sorted: try sorted(members, from: start)))
    }

    /// Parses the members of an object or the elements of an array, and its end.
    private mutating func list(
      endingWith end: Unicode.Scalar,
      _ noun: String,
      _ item: (inout Parser) throws(JSONError) -> Void
    ) throws(JSONError) {
      let depth = depth
      while true {
        let start = position
        do throws(JSONError) {
          repeat { try item(&self) } while !hasFailed && takeSeparator()
          guard hasFailed || take(end) else { throw error("expected a comma or the end of the \(noun)") }
        } catch {
          guard salvages else { throw error }
          hasFailed = true
        }
        guard hasFailed else { return }
        self.depth = depth
        guard goOn(after: start, endingWith: end) else { return }
      }
    }

    /// Goes to the next item of a list after an error, or behind the end of the list; returns whether there is an item.
    private mutating func goOn(after start: Int, endingWith end: Unicode.Scalar) -> Bool {
      // What exceeds the bounds of a document is not read.
      while count < JSON.maximumValues, let (indentation, first) = nextLine(after: start) {
        position = first
        if indentation == 2 * depth, bytes[first] != UInt8(ascii: "}"), bytes[first] != UInt8(ascii: "]") {
          hasFailed = false
          return true
        }
        if indentation < 2 * depth {
          if indentation == 2 * (depth - 1), take(end) { hasFailed = false }
          return false
        }
      }
      position = bytes.count
      return false
    }

    /// Returns the indentation and the first character of the next line that has one, which may be the line at hand if
    /// nothing of it was read.
    private func nextLine(after start: Int) -> (indentation: Int, first: Int)? {
      var line = min(position, bytes.count)
      while line > 0, bytes[line - 1] == UInt8(ascii: " ") { line -= 1 }
      var next: Int? = line == 0 || bytes[line - 1] == UInt8(ascii: "\n") ? line : lineBreak(from: line).map { $0 + 1 }
      while let line = next {
        var first = line
        while first < bytes.count, bytes[first] == UInt8(ascii: " ") { first += 1 }
        if first < bytes.count, first > start, bytes[first] != UInt8(ascii: "\n") { return (first - line, first) }
        next = lineBreak(from: first).map { $0 + 1 }
      }
      return nil
    }

    /// Returns the place of the next line break, which may be far away.
    private func lineBreak(from start: Int) -> Int? {
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private mutating func member() throws(JSONError) -> JSONObject.Member {
      let key = try name()
      return JSONObject.Member(key: key, value: try value(of: key))
    }

    /// Parses the name of a member, and the colon.
    private mutating func name() throws(JSONError) -> String {
      skip(.line)
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw error("expected a member name") }
      let key = try string()
      skip(.none)
      guard take(":") else { throw error("expected a colon after the name") }
      return key
    }

    /// Returns the members of an object, sorted by name; of members with the same name, salvaging keeps the first.
    ///
    /// - Parameter start: The position of the first member, for the error about a duplicate name.
    private mutating func sorted(
      _ members: [JSONObject.Member],
      from start: Int
    ) throws(JSONError) -> [JSONObject.Member] {
      guard !zip(members, members.dropFirst()).allSatisfy({ JSONObject.isBefore($0.key, $1.key) }) else {
        return members
      }
      isCanonical = false
      func isSame(_ one: Int, _ other: Int) -> Bool { members[one].key.utf8.elementsEqual(members[other].key.utf8) }
      let order = members.indices.sorted { one, other in
        JSONObject.isBefore(members[one].key, members[other].key) || one < other && isSame(one, other)
      }
      let duplicates = zip(order, order.dropFirst()).lazy.filter { isSame($0, $1) }.map { $1 }
      guard let first = duplicates.min() else { return order.map { members[$0] } }
      guard salvages else { throw try duplicate(first, from: start) }
      let dropped = Set(duplicates)
      return order.filter { !dropped.contains($0) }.map { members[$0] }
    }

    /// Returns the error about the member at `index` of the object whose members begin at `start`.
    private mutating func duplicate(_ index: Int, from start: Int) throws(JSONError) -> JSONError {
      position = start
      streams = streams.map { Streams(names: $0.names) { _ in } }
      count = 0
      for _ in 0..<index {
        _ = try member()
        _ = takeSeparator()
      }
      skipSpace()
      let place = position
      let key = try name()
      position = place
      return error("duplicate member \"\(key)\"")
    }

    /// Parses the value of a member, and passes on the elements of an array if they are wanted.
    private mutating func value(of key: String) throws(JSONError) -> JSON {
      skip(.one)
      guard depth == 1, let streams, streams.names.contains(key), position < bytes.count,
        bytes[position] == UInt8(ascii: "[")
      else { return try value() }
      return try nested { parser throws(JSONError) in
        try parser.elements(arePassedOn: true) { streams.receive(.init(json: $0, array: key, place: $1)) }
        return .array([])
      }
    }

    private mutating func array() throws(JSONError) -> JSON {
      var values: [JSON] = []
      try elements { value, _ in values.append(value) }
      return .array(values)
    }

    private mutating func elements(
      arePassedOn: Bool = false,
      _ receive: (JSON, Range<Int>?) -> Void
    ) throws(JSONError) {
      let countBefore = count
      guard !takeEmptyEnd("]") else { return }
      try list(endingWith: "]", "array") { parser throws(JSONError) in
        parser.skip(.line)
        if arePassedOn { (parser.count, parser.isCanonical) = (countBefore, true) }
        let start = parser.position
        let value = try parser.value()
        receive(value, parser.isCanonical ? start..<parser.position : nil)
      }
      if arePassedOn { count = countBefore }
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

    private mutating func string() throws(JSONError) -> String {
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

    /// Counts a string that takes memory of its own, which others do not.
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

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    /// Takes the comma after an element, or the space before the end of the list.
    private mutating func takeSeparator() -> Bool {
      let start = position
      skipSpace()
      if take(",") {
        isCanonical = isCanonical && position == start + 1
        return true
      }
      isCanonical = isCanonical && isLine(start..<position, depth: depth - 1)
      return false
    }

    /// Takes the end of an empty list.
    private mutating func takeEmptyEnd(_ end: Unicode.Scalar) -> Bool {
      let start = position
      skipSpace()
      guard take(end) else {
        position = start
        return false
      }
      isCanonical = isCanonical && position == start + 1
      return true
    }

    /// The space that would be written at a place.
    enum Space {
      case none, one, line
    }

    /// Skips any space.
    private mutating func skip(_ expected: Space) {
      let start = position
      skipSpace()
      switch expected {
      case .none: isCanonical = isCanonical && position == start
      case .one: isCanonical = isCanonical && position == start + 1 && bytes[start] == UInt8(ascii: " ")
      case .line: isCanonical = isCanonical && isLine(start..<position, depth: depth)
      }
    }

    /// Whether there is a line break and the indentation of a nesting depth.
    private func isLine(_ place: Range<Int>, depth: Int) -> Bool {
      place.count == 1 + 2 * depth && bytes[place.lowerBound] == UInt8(ascii: "\n")
        && bytes[place].dropFirst().allSatisfy { $0 == UInt8(ascii: " ") }
    }

    private mutating func skipSpace() {
      while position < bytes.count {
        switch bytes[position] {
        case 0x20, 0x0A, 0x0D, 0x09: position += 1
        default: return
        }
      }
    }

    private func error(_ what: String) -> JSONError {
      let before = bytes[..<min(position, bytes.count)]
      let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      return JSONError(
        what: what,
        line: before.count { $0 == UInt8(ascii: "\n") } + 1,
        column: before.count - start + 1
      )
    }
  }
}
