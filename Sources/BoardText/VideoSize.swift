/// The size of a video in pixels, written `1080x1920`.
public struct VideoSize: Codable, Hashable, Sendable {
  /// The valid range of each side, which is an even number.
  public static let sides = 16...4096
  /// The default size.
  public static let usual = VideoSize(unchecked: 1080, 1920)
  /// A description of the valid sizes.
  public static let forms = "1080x1920, with even sides from \(sides.lowerBound) to \(sides.upperBound)"

  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int

  private init(unchecked width: Int, _ height: Int) {
    (self.width, self.height) = (width, height)
  }
}

extension VideoSize: LosslessStringConvertible {
  /// Parses a size; `nil` if it is malformed or outside the limits.
  public init?(_ text: String) {
    guard let size = PictureSize(text), Self.isSide(size.width), Self.isSide(size.height) else { return nil }
    self.init(unchecked: size.width, size.height)
  }

  private static func isSide(_ length: Int) -> Bool { sides.contains(length) && length.isMultiple(of: 2) }

  /// The size as `1080x1920`.
  public var description: String { "\(width)x\(height)" }
}
