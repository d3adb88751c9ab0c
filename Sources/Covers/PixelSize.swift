/// A width and a height in pixels, both at least 1.
public struct PixelSize: Hashable, Sendable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// Makes one of its parts.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The box a cover must fit into.
///
/// A cover is never larger than its clip, and always keeps the clip's shape.
///
/// Written `320x240`, or `320` for the same bound on both sides.
public struct SizeLimit: Hashable, Sendable {
  /// The largest side that can be asked for, in pixels; also the largest a cover ever gets.
  public static let largestSide = 32_767

  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int

  /// Fails when a side is not in 1…``largestSide``.
  public init?(width: Int, height: Int) {
    let sides = 1...Self.largestSide
    guard sides.contains(width), sides.contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  private init(unboundedWidth: Void) {
    width = Self.largestSide
    height = Self.largestSide
  }

  /// The bound that holds when nothing was asked: only ``largestSide``.
  public static let none = SizeLimit(unboundedWidth: ())

  /// The largest size of the same shape as `size` that fits and is not larger than `size`.
  ///
  /// Sides are rounded to the nearest pixel, and no side falls below 1.
  public func fitting(_ size: PixelSize) -> PixelSize {
    guard size.width > width || size.height > height else { return size }
    // The side that overhangs more decides: compare width/limit.width with height/limit.height without dividing.
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
  /// Reads `320x240` or `320`.
  public init?(_ text: String) {
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

  /// As a person types it.
  public var description: String { "\(width)x\(height)" }
}

extension Int {
  /// A number written in decimal digits only, without a sign.
  fileprivate init?(decimal text: Substring) {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    self.init(text)
  }
}
