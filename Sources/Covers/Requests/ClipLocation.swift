/// The place where a clip was recorded.
package struct ClipLocation: Codable, Hashable, Sendable {
  /// The degrees north of the equator.
  package let latitude: Double
  /// The degrees east of Greenwich.
  package let longitude: Double
  /// The metres above the reference of the text, usually sea level.
  package let altitude: Double?
  /// The location as it is stored.
  package let text: String

  /// Parses a location in ISO 6709, such as `+48.8577+002.2950+035.000/`.
  ///
  /// Degrees may be followed by minutes and seconds. Whatever follows the slash, such as the name of the place, is
  /// ignored. Fails if the text is not a location or a value is out of range.
  package init?(_ text: String) {
    let parts = Self.signedNumbers(in: text.prefix { $0 != "/" }.utf8)
    guard parts.count == 2 || parts.count == 3, let latitude = Self.degrees(parts[0], digits: 2),
      let longitude = Self.degrees(parts[1], digits: 3)
    else { return nil }
    let altitude = parts.count == 3 ? Double(parts[2]) : nil
    guard parts.count == 2 || altitude != nil else { return nil }
    (self.latitude, self.longitude, self.altitude, self.text) = (latitude, longitude, altitude, text)
    guard isValid else { return nil }
  }

  /// Whether all values are in their ranges.
  package var isValid: Bool {
    (-90...90).contains(latitude) && (-180...180).contains(longitude)
      && altitude.map { (-100_000...100_000_000).contains($0) } ?? true
  }

  /// Returns the signed numbers of a text; an empty list if the text contains anything else.
  private static func signedNumbers(in text: some Sequence<UInt8>) -> [String] {
    var numbers: [String] = []
    for byte in text {
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
        numbers.append("")
      } else if !(0x30...0x39).contains(byte) && byte != UInt8(ascii: ".") || numbers.isEmpty {
        // The name of the reference system may follow the height.
        if byte == UInt8(ascii: "C"), numbers.count == 3 { break }
        return []
      }
      numbers[numbers.count - 1] += String(UnicodeScalar(byte))
    }
    return numbers
  }

  /// Returns the degrees in a number of degrees, which has so many digits, and of minutes and
  /// seconds of two digits each.
  private static func degrees(_ number: String, digits: Int) -> Double? {
    let isNegative = number.hasPrefix("-")
    let whole = number.dropFirst().prefix { $0 != "." }
    let fraction = number.dropFirst(1 + whole.count)
    let units: [Double]
    switch whole.count - digits {
    case 0: units = [Double(whole + fraction)].compactMap(\.self)
    case 2: units = [Double(whole.prefix(digits)), Double(whole.dropFirst(digits) + fraction)].compactMap(\.self)
    case 4:
      let minutes = whole.dropFirst(digits).prefix(2)
      units = [Double(whole.prefix(digits)), Double(minutes), Double(whole.suffix(2) + fraction)].compactMap(\.self)
    default: return nil
    }
    guard units.count == (whole.count - digits) / 2 + 1, units.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    let degrees = units.reversed().reduce(0) { $0 / 60 + $1 }
    return isNegative ? -degrees : degrees
  }
}
