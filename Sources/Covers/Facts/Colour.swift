/// An opaque sRGB colour.
///
/// Written as `#ff8000`, `#f80`, or one of CSS's sixteen basic names.
package struct Colour: Hashable, Sendable {
  /// The red component, 0…255.
  package let red: UInt8
  /// The green component, 0…255.
  package let green: UInt8
  /// The blue component, 0…255.
  package let blue: UInt8

  /// Creates a colour from its components.
  package init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// The names of CSS level 1 (CSS Color Module Level 4, section 6.1).
  private static let names: [String: UInt32] = [
    "black": 0x000000, "silver": 0xC0C0C0, "gray": 0x808080, "white": 0xFFFFFF, "maroon": 0x800000, "red": 0xFF0000,
    "purple": 0x800080, "fuchsia": 0xFF00FF, "green": 0x008000, "lime": 0x00FF00, "olive": 0x808000,
    "yellow": 0xFFFF00, "navy": 0x000080, "blue": 0x0000FF, "teal": 0x008080, "aqua": 0x00FFFF,
  ]
}

extension Colour: LosslessStringConvertible {
  /// Parses a colour as a person types it; returns `nil` if the text is not a colour.
  package init?(_ text: String) {
    guard let number = Self.names[text.lowercased()] ?? Self.hexadecimal(text) else { return nil }
    red = UInt8(truncatingIfNeeded: number >> 16)
    green = UInt8(truncatingIfNeeded: number >> 8)
    blue = UInt8(truncatingIfNeeded: number)
  }

  /// The colour in the form `#ff8000`.
  package var description: String {
    "#"
      + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func hexadecimal(_ text: String) -> UInt32? {
    guard text.first == "#", text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    let digits = text.count == 4 ? text.dropFirst().map { "\($0)\($0)" }.joined() : String(text.dropFirst())
    return digits.count == 6 ? UInt32(digits, radix: 16) : nil
  }
}
