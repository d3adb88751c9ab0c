/// The name of a canvas: stable while canvases move, unique on its board.
public struct CanvasID: Hashable, Sendable, CustomStringConvertible {
  /// Any text but an empty one.
  public let description: String

  /// Fails for an empty text.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    description = text
  }

  /// The name that a new board gives its n-th canvas, as `c1`.
  public init(number: Int) {
    description = "c\(number)"
  }
}

/// The name of a take: one recording on one canvas, from its start to its end.
public struct TakeID: Hashable, Sendable, CustomStringConvertible {
  /// Any text but an empty one.
  public let description: String

  /// Fails for an empty text.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    description = text
  }

  init(number: Int) {
    description = "t\(number)"
  }
}

/// A point in time, which comes in as a value: the model reads no clock.
public struct Instant: Hashable, Sendable, Comparable {
  /// Seconds since 1970; finite.
  public let secondsSince1970: Double

  /// The beginning of 1970.
  public static let epoch = Instant(unchecked: 0)

  /// Fails for what is no number.
  public init?(secondsSince1970: Double) {
    guard secondsSince1970.isFinite else { return nil }
    self.init(unchecked: secondsSince1970)
  }

  private init(unchecked secondsSince1970: Double) {
    self.secondsSince1970 = secondsSince1970
  }

  /// Orders by time.
  public static func < (one: Instant, other: Instant) -> Bool { one.secondsSince1970 < other.secondsSince1970 }
}
