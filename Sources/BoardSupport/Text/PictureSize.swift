/// The size of a board's picture in pixels, written `1280x720`.
package struct PictureSize: Codable, Hashable, Sendable {
  /// The valid range of each side.
  package static let sides = 16...16_384
  /// The maximum number of pixels, width times height: 64 Mi.
  package static let maximumPixels = 64 << 20
  /// The default size.
  package static let usual = PictureSize(unchecked: 1280, 720)
  /// A description of the valid sizes.
  package static let forms =
    "1280x720, with sides of \(sides.lowerBound) to \(sides.upperBound) pixels and at most \(maximumPixels) pixels"

  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int

  private init(unchecked width: Int, _ height: Int) {
    (self.width, self.height) = (width, height)
  }
}

extension PictureSize: LosslessStringConvertible {
  /// Parses a size; `nil` if it is malformed or outside the limits.
  package init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let width = Int(parts[0]), let height = Int(parts[1]), Self.sides.contains(width), Self.sides.contains(height),
      width * height <= Self.maximumPixels
    else { return nil }
    self.init(unchecked: width, height)
  }

  /// The size as `1280x720`.
  package var description: String { "\(width)x\(height)" }
}
