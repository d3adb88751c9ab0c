/// The size of the picture of a board in pixels, written `1280x720`.
public struct PictureSize: Codable, Hashable, Sendable {
  /// What a side can be.
  public static let sides = 16...16_384
  /// What width times height is at most: 64 Mi.
  public static let mostPixels = 64 << 20
  /// What it is unless told.
  public static let usual = PictureSize(unchecked: 1280, 720)
  /// What can be asked for, in words.
  public static let words =
    "1280x720, each side from \(sides.lowerBound) to \(sides.upperBound) pixels, \(mostPixels) in all"

  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int

  private init(unchecked width: Int, _ height: Int) {
    (self.width, self.height) = (width, height)
  }
}

extension PictureSize: LosslessStringConvertible {
  /// Fails for what is no size, or not within the limits.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let width = Int(parts[0]), let height = Int(parts[1]), Self.sides.contains(width), Self.sides.contains(height),
      width * height <= Self.mostPixels
    else { return nil }
    self.init(unchecked: width, height)
  }

  /// As a person types it.
  public var description: String { "\(width)x\(height)" }
}
