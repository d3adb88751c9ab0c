internal import Covers
internal import Pictures

extension PerceptualHash {
  /// Creates the hash of the picture that the statistics are of.
  init(_ luma: LumaStatistics) { self.init(luma: luma.cells) }
}

extension FrameLook {
  /// Creates the look of the picture that the statistics are of.
  init(_ luma: LumaStatistics) { self.init(hash: PerceptualHash(luma), lumaVariance: luma.variance) }
}
