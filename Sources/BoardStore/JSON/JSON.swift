/// A JSON value exactly as it was read: numbers keep their digits, and unknown members can be written back.
///
/// Other JSON in this project uses Foundation's coders. A board's file does not, because these accept duplicate names
/// (the last one wins), lose digits of large numbers and drop unknown members.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number as written.
  case number(String)
  case string(String)
  case array([JSON])
  case object(JSONObject)

  /// Creates an integer.
  package init(_ number: Int) { self = .number("\(number)") }

  /// Creates a finite number; an integral value is written without a decimal point.
  package init(_ number: Double) {
    precondition(number.isFinite, "JSON has finite numbers only")
    if let whole = Int(exactly: number) { self.init(whole) } else { self = .number("\(number)") }
  }

  /// Creates a string, or `null` for `nil`.
  package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// Returns an object with these members; members whose value is `nil` are omitted.
  package static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(JSONObject(members.compactMap { key, value in value.map { (key, $0) } }))
  }

  /// The value of an object's member; `nil` if it is missing or this is not an object.
  package subscript(key: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }
}

/// The members of an object, sorted by name.
package struct JSONObject: Hashable, Sendable {
  /// A member of an object.
  package struct Member: Hashable, Sendable {
    /// The name, unique within its object.
    package let key: String
    /// The value.
    package var value: JSON
  }

  /// The members, sorted by the UTF-8 bytes of their names.
  package private(set) var members: [Member]

  /// Creates an object.
  ///
  /// - Parameter members: The members, in any order, with unique names.
  package init(_ members: [(String, JSON)]) {
    self.members = members.map { Member(key: $0, value: $1) }.sorted { Self.isBefore($0.key, $1.key) }
  }

  init(sorted members: [Member]) {
    self.members = members
  }

  /// The value of the member with this name.
  package subscript(key: String) -> JSON? { members.first { $0.key == key }?.value }

  /// Whether there is a member with another name.
  func hasMembers(besides known: Set<String>) -> Bool { members.contains { !known.contains($0.key) } }

  /// Adds members with other names.
  mutating func add(_ others: some Sequence<Member>) {
    members.append(contentsOf: others)
    members.sort { Self.isBefore($0.key, $1.key) }
  }

  /// Returns a copy without some members.
  func removing(_ names: Set<String>) -> JSONObject {
    var rest = members
    rest.removeAll { names.contains($0.key) }
    return JSONObject(sorted: rest)
  }

  /// Returns a copy with `new` in place of all members with known names; unknown members are kept.
  func replacing(_ known: Set<String>, with new: JSONObject) -> JSONObject {
    var result = removing(known)
    result.add(new.members)
    return result
  }

  /// Compares names by bytes: unlike Swift's comparison by canonical equivalence, this order is the same everywhere.
  static func isBefore(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
}
