/// A JSON value as it was read: numbers keep their digits, and what is not understood can be written again.
///
/// The project's other JSON goes by Foundation's coders. A board's does not, as these take the last of two members of one
/// name, lose the digits of large numbers and forget what they do not know, and a board's file promises otherwise.
public enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// As it is written.
  case number(String)
  case string(String)
  case array([JSON])
  case object(JSONObject)

  /// A whole number.
  public init(_ number: Int) { self = .number("\(number)") }

  /// A finite number, whole ones without a point.
  public init(_ number: Double) {
    precondition(number.isFinite, "JSON has finite numbers only")
    if let whole = Int(exactly: number) { self.init(whole) } else { self = .number("\(number)") }
  }

  /// A value that may be missing.
  public init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// An object of these members, those without a value left out.
  public static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(JSONObject(members.compactMap { key, value in value.map { (key, $0) } }))
  }

  /// The member of an object.
  public subscript(key: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }
}

/// The members of an object, sorted by name.
public struct JSONObject: Hashable, Sendable {
  /// A name and its value.
  public struct Member: Hashable, Sendable {
    /// Unique in its object.
    public let key: String
    /// Any value.
    public var value: JSON
  }

  /// Sorted by the bytes of the names.
  public private(set) var members: [Member]

  /// - Parameter members: In any order, every name once.
  public init(_ members: [(String, JSON)]) {
    self.members = members.map { Member(key: $0, value: $1) }.sorted { Self.isBefore($0.key, $1.key) }
  }

  init(sorted members: [Member]) {
    self.members = members
  }

  /// The value of a name.
  public subscript(key: String) -> JSON? { members.first { $0.key == key }?.value }

  /// The same with other values for the known names; a known name without a value is gone, unknown ones stay.
  func replacing(_ known: Set<String>, with new: JSONObject) -> JSONObject {
    let kept = members.filter { !known.contains($0.key) }
    guard !kept.isEmpty else { return new }
    return JSONObject(sorted: (kept + new.members).sorted { Self.isBefore($0.key, $1.key) })
  }

  /// Swift compares text by what it means; the order of bytes is the same everywhere.
  static func isBefore(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
}
