/// What is compared of a frame.
package struct FrameLook: Codable, Hashable, Sendable {
  /// The perceptual hash.
  package var hash: PerceptualHash
  /// The variance of the luma.
  package var lumaVariance: Double

  /// The variance below which a frame is plain.
  private static let plainVariance = 25.0

  /// Creates the look of a frame.
  package init(hash: PerceptualHash, lumaVariance: Double) { (self.hash, self.lumaVariance) = (hash, lumaVariance) }

  /// Whether the frame is black, white or nearly so: it looks like those of many clips.
  package var isPlain: Bool { !(lumaVariance >= Self.plainVariance) }
}
