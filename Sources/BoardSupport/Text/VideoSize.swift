/// The size of a video in pixels, written `1080x1920`.
package struct VideoSize: Codable, Hashable, Sendable {
  /// The valid range of each side, which is an even number.
  package static let sides = 16...4096
  /// The number of pixels of a video whose size is not given: that of 1920x1080.
  private static let usualPixels = 1920.0 * 1080
  /// A description of the valid sizes.
  package static let forms = "1080x1920, with even sides from \(sides.lowerBound) to \(sides.upperBound)"

  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int

  private init(unchecked width: Int, _ height: Int) {
    (self.width, self.height) = (width, height)
  }
}

extension VideoSize {
  /// Creates the size of a video with about as many pixels as 1920x1080.
  ///
  /// - Parameter shape: The width divided by the height, which is limited to what sizes can have.
  package init(shape: Double) {
    let shape = min(max(shape, 1 / Self.extremeShape), Self.extremeShape)
    let width = (Self.usualPixels * shape).squareRoot()
    self.init(unchecked: Self.even(width), Self.even(width / shape))
  }

  /// The widest shape whose longer side is a valid one.
  private static let extremeShape = 8.0

  private static func even(_ length: Double) -> Int { Int((length / 2).rounded()) * 2 }
}

extension VideoSize: LosslessStringConvertible {
  /// Parses a size; `nil` if it is malformed or outside the limits.
  package init?(_ text: String) {
    guard let size = PictureSize(text), Self.isSide(size.width), Self.isSide(size.height) else { return nil }
    self.init(unchecked: size.width, size.height)
  }

  private static func isSide(_ length: Int) -> Bool { sides.contains(length) && length.isMultiple(of: 2) }

  /// The size as `1080x1920`.
  package var description: String { "\(width)x\(height)" }
}
