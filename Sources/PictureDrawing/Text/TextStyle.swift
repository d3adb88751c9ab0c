package import Pictures

/// The appearance of a line of text.
package struct TextStyle: Hashable, Sendable {
  /// The thickness of the strokes.
  package enum Weight: Hashable, Sendable {
    case regular
    case bold
  }

  /// The sizes that a font can have, in pixels.
  package static let sizes: ClosedRange<Double> = 1...128

  /// The size of the font, in pixels.
  package let size: Double
  /// The thickness of the strokes.
  package let weight: Weight
  /// The colour and opacity; emoji keep their own colours.
  package let paint: Paint
  /// Whether all digits have the same width, so that times in a column line up.
  package let hasTabularDigits: Bool

  /// Creates a style.
  ///
  /// - Parameters:
  ///   - size: The size of the font, in pixels, within ``sizes``.
  ///   - weight: The thickness of the strokes.
  ///   - paint: The colour and opacity.
  ///   - hasTabularDigits: Whether all digits have the same width.
  package init(size: Double, weight: Weight = .regular, paint: Paint, hasTabularDigits: Bool = false) {
    precondition(Self.sizes.contains(size), "the font size must be within 1...128 pixels")
    (self.size, self.weight, self.paint, self.hasTabularDigits) = (size, weight, paint, hasTabularDigits)
  }
}
