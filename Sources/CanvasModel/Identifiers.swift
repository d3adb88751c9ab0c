/// The ID of a canvas: unique on its board, and unchanged when canvases move.
public struct CanvasID: Hashable, Sendable, CustomStringConvertible {
  /// The text of the ID; not empty.
  public let description: String

  /// Creates an ID, or returns `nil` if the text is empty.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    description = text
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
