/// A width and height in pixels, both at least 1.
package struct PixelSize: Hashable, Sendable {
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int

  /// Creates a size.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The box that a cover must fit into.
///
/// A cover is never larger than its clip and always keeps the clip's shape.
///
/// Written as `320x240`, or `320` for the same limit on both sides.
package struct SizeLimit: Hashable, Sendable {
  /// The largest side that can be requested, in pixels; no cover exceeds it.
  package static let largestSide = 32_767

  /// The maximum width in pixels.
  package let width: Int
  /// The maximum height in pixels.
  package let height: Int

  /// Creates a limit; fails if a side is not in 1…``largestSide``.
  package init?(width: Int, height: Int) {
    let sides = 1...Self.largestSide
    guard sides.contains(width), sides.contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  private init(unboundedWidth: Void) {
    width = Self.largestSide
    height = Self.largestSide
  }

  /// The limit that applies by default: only ``largestSide``.
  package static let none = SizeLimit(unboundedWidth: ())

  /// Returns the largest size with the shape of `size` that fits and is not larger than `size`.
  ///
  /// Sides are rounded to the nearest pixel, and no side falls below 1.
  package func fitting(_ size: PixelSize) -> PixelSize {
    guard size.width > width || size.height > height else { return size }
    // The side that exceeds its limit by the larger factor decides: compare width/limit.width with height/limit.height
    // without dividing.
    let widthDecides = size.width * height >= size.height * width
    let (numerator, denominator) = widthDecides ? (width, size.width) : (height, size.height)
    func scaled(_ side: Int, atMost limit: Int) -> Int {
      min(limit, max(1, (2 * side * numerator + denominator) / (2 * denominator)))
    }
    return PixelSize(
      width: scaled(size.width, atMost: width),
      height: scaled(size.height, atMost: height)
    )
  }
}

extension SizeLimit: LosslessStringConvertible {
  /// Parses `320x240` or `320`.
  package init?(_ text: String) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int(decimal: $0) }
    switch sides.count {
    case 1:
      guard let side = sides[0] else { return nil }
      self.init(width: side, height: side)
    case 2:
      guard let width = sides[0], let height = sides[1] else { return nil }
      self.init(width: width, height: height)
    default:
      return nil
    }
  }

  /// The limit as a person types it.
  package var description: String { "\(width)x\(height)" }
}

extension Int {
  /// Parses a number written in decimal digits only, without a sign.
  fileprivate init?(decimal text: Substring) {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    self.init(text)
  }
}
