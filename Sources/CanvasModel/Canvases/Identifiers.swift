/// The ID of a canvas: unique on its board, and unchanged when canvases move.
///
/// New canvases have valid IDs only. A file or a command line may contain any other text; see ``isValid``.
package struct CanvasID: Hashable, Sendable, CustomStringConvertible {
  /// The text of the ID; not empty.
  package let description: String

  /// Creates an ID, or returns `nil` if the text is empty.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    description = text
  }

  /// The maximum length of a valid ID, in bytes.
  package static let maximumLength = 64
  /// The words that are not valid IDs, because they have another meaning where an ID is expected.
  package static let reserved: Set<String> = ["none"]

  /// Whether a canvas may be added with the ID: 1 to 64 ASCII letters, digits, `-` and `_`, and not a reserved word.
  package var isValid: Bool {
    let bytes = description.utf8
    return (1...Self.maximumLength).contains(bytes.count) && bytes.allSatisfy { Self.isValid($0) }
      && !Self.reserved.contains(description)
  }

  /// The ID with every byte that is not valid replaced, and cut to the maximum length.
  private var resembling: String {
    let characters = description.unicodeScalars.prefix(Self.maximumLength).map { scalar in
      UInt8(exactly: scalar.value).map { Self.isValid($0) } == true ? Character(scalar) : "_"
    }
    return String(characters)
  }

  /// Returns valid, unused IDs that resemble those that are not valid, such as `a_b` for `a b` and `a_b-2` for `a$b`.
  ///
  /// - Parameter ids: All IDs in use, each once.
  static func repairing(_ ids: [CanvasID]) -> [CanvasID: CanvasID] {
    let invalid = ids.filter { !$0.isValid }
    guard !invalid.isEmpty else { return [:] }
    var used = Set(ids)
    var names: [CanvasID: CanvasID] = [:]
    // The number to try next after each text, so that thousands of IDs that resemble each other cost no more than others.
    var numbers: [String: Int] = [:]
    for id in invalid {
      let text = id.resembling
      let start = String(text.prefix(maximumLength - maximumSuffix))
      var name = CanvasID(unchecked: text)
      while !name.isValid || used.contains(name) {
        let suffix = "-\(numbers[start, default: 2])"
        numbers[start, default: 2] += 1
        name = CanvasID(unchecked: String(text.prefix(maximumLength - suffix.utf8.count)) + suffix)
      }
      used.insert(name)
      names[id] = name
    }
    return names
  }

  /// The maximum length of a number that makes a repaired ID unique, with its hyphen; a board has fewer canvases.
  private static let maximumSuffix = 8

  private init(unchecked description: String) { self.description = description }

  private static func isValid(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Creates the ID that a new board gives its n-th canvas, such as `c1`.
  package init(number: Int) {
    description = "c\(number)"
  }
}

/// The ID of a take: one recording on one canvas, from its start to its end.
package struct TakeID: Hashable, Sendable, CustomStringConvertible {
  /// The text of the ID; not empty.
  package let description: String

  /// Creates an ID, or returns `nil` if the text is empty.
  package init?(_ text: String) {
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
package struct Instant: Hashable, Sendable, Comparable {
  /// Seconds since 1970; finite.
  package let secondsSince1970: Double

  /// The beginning of 1970.
  package static let epoch = Instant(unchecked: 0)

  /// Creates an instant, or returns `nil` if the number of seconds is not finite.
  package init?(secondsSince1970: Double) {
    guard secondsSince1970.isFinite else { return nil }
    self.init(unchecked: secondsSince1970)
  }

  private init(unchecked secondsSince1970: Double) {
    self.secondsSince1970 = secondsSince1970
  }

  /// Returns whether an instant is earlier than another.
  package static func < (one: Instant, other: Instant) -> Bool { one.secondsSince1970 < other.secondsSince1970 }
}
