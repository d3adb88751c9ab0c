// Objects and arrays.

extension JSONParser {
  mutating func object() throws(JSONError) -> JSON {
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
    _ item: (inout JSONParser) throws(JSONError) -> Void
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
    streams = streams.map { JSON.Streams(names: $0.names) { _ in } }
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

  mutating func array() throws(JSONError) -> JSON {
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
}
