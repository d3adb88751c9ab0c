/// The ID of a canvas: unique on its board, and unchanged when canvases move.
///
/// New canvases have valid IDs only, but older boards may contain any text; see ``isValid``.
public struct CanvasID: Hashable, Sendable, CustomStringConvertible {
  /// The text of the ID; not empty.
  public let description: String

  /// Creates an ID, or returns `nil` if the text is empty.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    description = text
  }

  /// The maximum length of a valid ID, in bytes.
  public static let maximumLength = 64
  /// The words that are not valid IDs, because they have another meaning where an ID is expected.
  public static let reserved: Set<String> = ["none"]

  /// Whether a canvas may be added with the ID: 1 to 64 ASCII letters, digits, `-` and `_`, and not a reserved word.
  public var isValid: Bool {
    let bytes = description.utf8
    return (1...Self.maximumLength).contains(bytes.count) && bytes.allSatisfy { Self.isValid($0) }
      && !Self.reserved.contains(description)
  }

  /// Returns a valid ID that resembles this one and is not in use.
  ///
  /// - Parameter isUsed: Returns whether another canvas has an ID.
  public func repaired(isUsed: (CanvasID) -> Bool) -> CanvasID {
    let base = description.unicodeScalars.prefix(Self.maximumLength).map { scalar in
      UInt8(exactly: scalar.value).map { Self.isValid($0) } == true ? Character(scalar) : "_"
    }
    var number = 1
    while true {
      let suffix = number == 1 ? "" : "-\(number)"
      let text = String(base.prefix(Self.maximumLength - suffix.utf8.count)) + suffix
      if let id = CanvasID(text), id.isValid, !isUsed(id) { return id }
      number += 1
    }
  }

  private static func isValid(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Creates the ID that a new board gives its n-th canvas, such as `c1`.
  public init(number: Int) {
    description = "c\(number)"
  }
}

/// The ID of a take: one recording on one canvas, from its start to its end.
public struct TakeID: Hashable, Sendable, CustomStringConvertible {
  /// The text of the ID; not empty.
  public let description: String

  /// Creates an ID, or returns `nil` if the text is empty.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    description = text
  }

  init(number: Int) {
    description = "t\(number)"
  }
}

/// A point in time.
///
/// Times are passed to the model, which does not read the clock.
public struct Instant: Hashable, Sendable, Comparable {
  /// Seconds since 1970; finite.
  public let secondsSince1970: Double

  /// The beginning of 1970.
  public static let epoch = Instant(unchecked: 0)

  /// Creates an instant, or returns `nil` if the number of seconds is not finite.
  public init?(secondsSince1970: Double) {
    guard secondsSince1970.isFinite else { return nil }
    self.init(unchecked: secondsSince1970)
  }

  private init(unchecked secondsSince1970: Double) {
    self.secondsSince1970 = secondsSince1970
  }

  /// Returns whether an instant is earlier than another.
  public static func < (one: Instant, other: Instant) -> Bool { one.secondsSince1970 < other.secondsSince1970 }
}
