/// Numbers with a fixed number of decimal places.
package enum DecimalText {
  /// Returns a number as text.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - places: The number of decimal places, 0 to 6.
  package static func of(_ value: Double, places: Int) -> String {
    let factor = (0..<places).reduce(1) { product, _ in product * 10 }
    guard let scaled = Int(exactly: (value * Double(factor)).rounded()) else { return "\(value)" }
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(factor))
    let sign = scaled < 0 ? "-" : ""
    guard places > 0 else { return sign + "\(whole)" }
    let digits = String(rest)
    return sign + "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
  }

  /// Returns a number as text without zeros at its end.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - places: The fewest and the most decimal places, 0 to 6.
  package static func of(_ value: Double, places: ClosedRange<Int>) -> String {
    var text = of(value, places: places.upperBound)
    // A number without decimal places may have an exponent.
    guard let point = text.firstIndex(of: "."), !text.contains("e") else { return text }
    while text.hasSuffix("0"), text.distance(from: point, to: text.endIndex) > places.lowerBound + 1 {
      text.removeLast()
    }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
