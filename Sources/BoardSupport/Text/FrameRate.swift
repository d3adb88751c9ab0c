package import Covers

/// A number of frames in a second, written `30`, `29.97` or `30000/1001`.
package struct FrameRate: Codable, Hashable, Sendable {
  /// The valid range, in frames per second.
  package static let range = 1.0...120
  /// The default rate.
  package static let usual = FrameRate(unchecked: 30, over: 1)
  /// A description of the valid rates.
  package static let forms = "a number from 1 to 120, such as 25, 29.97 or 30000/1001"

  /// The exact rate.
  package let value: Rational

  private init?(_ numerator: Int, over denominator: Int) {
    guard let value = Rational(numerator, over: denominator)?.reduced, Self.range.contains(value.value) else {
      return nil
    }
    self.value = value
  }

  private init(unchecked numerator: Int, over denominator: Int) {
    guard let rate = FrameRate(numerator, over: denominator) else { preconditionFailure("not a frame rate") }
    self = rate
  }
}

extension FrameRate: LosslessStringConvertible {
  /// The rates of NTSC, which are written with two or three decimals but are multiples of 1000/1001.
  private static let broadcast = [24_000, 30_000, 48_000, 60_000, 120_000]

  /// Parses a rate; `nil` if it is malformed or outside the limits.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ (1...9).contains($0.utf8.count) }) else { return nil }
    if parts.count == 2 {
      guard let numerator = Int(parts[0]), let denominator = Int(parts[1]) else { return nil }
      self.init(numerator, over: denominator)
    } else {
      guard text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(text) else { return nil }
      self.init(number)
    }
  }

  private init?(_ number: Double) {
    guard Self.range.contains(number) else { return nil }
    let isWhole = number == number.rounded()
    if !isWhole, let numerator = Self.broadcast.first(where: { abs(number - Double($0) / 1001) < 0.006 }) {
      self.init(numerator, over: 1001)
    } else {
      self.init(Int((number * 1000).rounded()), over: 1000)
    }
  }

  /// The rate as `30` or `30000/1001`.
  package var description: String {
    value.denominator == 1 ? "\(value.numerator)" : "\(value.numerator)/\(value.denominator)"
  }
}
