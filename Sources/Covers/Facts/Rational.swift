/// A fraction as stored in media files, with a positive denominator.
package struct Rational: Hashable, Sendable {
  /// The numerator, of either sign.
  package let numerator: Int
  /// The denominator, greater than 0.
  package let denominator: Int

  /// Creates a fraction; fails if the denominator is not positive.
  package init?(_ numerator: Int, over denominator: Int) {
    guard denominator > 0 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The nearest floating-point value.
  package var value: Double { Double(numerator) / Double(denominator) }

  /// The same value in lowest terms.
  package var reduced: Rational {
    var (divisor, rest) = (denominator, numerator.magnitude % denominator.magnitude)
    while rest != 0 {
      (divisor, rest) = (Int(rest), divisor.magnitude % rest)
    }
    return Rational(numerator / divisor, over: denominator / divisor) ?? self
  }
}

extension Rational: Codable {
  /// Decodes a fraction written as text, such as `1001/30000`, so that no reader rounds it.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let numerator = parts[0], let denominator = parts[1],
      let value = Rational(numerator, over: denominator)
    else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not a fraction")
    }
    self = value
  }

  /// Encodes the fraction as text, such as `1001/30000`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(numerator)/\(denominator)")
  }
}
