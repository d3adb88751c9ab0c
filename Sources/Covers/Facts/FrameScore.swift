/// How good a frame is as a picture of its clip.
///
/// All values are measured on a small version of the frame, without black borders.
package struct FrameScore: Codable, Hashable, Sendable {
  /// The score computed from the parts, from 0 to 1; higher is better.
  package var total: Double
  /// The spread of brightness: the entropy of the luma histogram, from 0 (uniform) to 1 (all levels equally frequent).
  package var entropy: Double
  /// The share of the picture with fine detail, from 0 to 1; low for blurred frames, slates and credits.
  package var sharpness: Double
  /// The variety of colours, from 0 (gray) to 1.
  package var colourfulness: Double
  /// The share of nearly black and nearly white pixels, from 0 to 1.
  package var extremes: Double
  /// The difference from the next frame, from 0 to 1; high in fades and at cuts.
  package var change: Double

  /// The contributions of the parts to the total; they add up to 1.
  private static let weights = (entropy: 0.35, sharpness: 0.35, colourfulness: 0.15, middle: 0.15)

  /// Creates a score from its parts.
  package init(entropy: Double, sharpness: Double, colourfulness: Double, extremes: Double, change: Double) {
    (self.entropy, self.sharpness, self.colourfulness) = (entropy, sharpness, colourfulness)
    (self.extremes, self.change) = (extremes, change)
    let quality =
      Self.weights.entropy * entropy + Self.weights.sharpness * sharpness
      + Self.weights.colourfulness * colourfulness + Self.weights.middle * (1 - extremes)
    // Nothing is visible in a picture of only black and white, and one in the middle of a fade is seldom wanted.
    let transition = min(1, max(0, (change - 0.02) / 0.1))
    total = quality * (1 - extremes * extremes) * (1 - 0.35 * transition)
  }

  /// Whether the frame is so poor that it is worth looking for others.
  package var isPoor: Bool { total < 0.45 }
}
