/// A fraction as media files keep it, with a denominator above zero.
public struct Rational: Hashable, Sendable {
  /// Of either sign.
  public let numerator: Int
  /// Above zero.
  public let denominator: Int

  /// Fails when the denominator is not above zero.
  public init?(_ numerator: Int, over denominator: Int) {
    guard denominator > 0 else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The nearest floating-point number.
  public var value: Double { Double(numerator) / Double(denominator) }

  /// The same value in lowest terms.
  public var reduced: Rational {
    var (divisor, rest) = (denominator, numerator.magnitude % denominator.magnitude)
    while rest != 0 {
      (divisor, rest) = (Int(rest), divisor.magnitude % rest)
    }
    return Rational(numerator / divisor, over: denominator / divisor) ?? self
  }
}

extension Rational: Codable {
  /// Written as text, `1001/30000`, so that no reader rounds it.
  public init(from decoder: any Decoder) throws {
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

  /// Writes it as the type's description says.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(numerator)/\(denominator)")
  }
}
