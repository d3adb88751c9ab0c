extension CoverFacts {
  /// The frames of an animation.
  package struct Frames: Codable, Hashable, Sendable {
    /// The number of frames in the file; successive pictures that look the same may share a frame.
    package var count: Int
    /// The duration of the animation.
    package var milliseconds: Int
    /// The quality of the pictures, which is lower than requested if the file would otherwise be larger than requested.
    package var quality: Int
    /// The number of frames left out because they are damaged or cannot be decoded.
    package var damaged: Int

    /// Creates a description of frames.
    package init(count: Int, milliseconds: Int, quality: Int, damaged: Int = 0) {
      (self.count, self.milliseconds, self.quality, self.damaged) = (count, milliseconds, quality, damaged)
    }
  }

  /// Whether the frames are those of the request: none for a cover or a sheet; for an animation, as many as the plan
  /// allows, and in a quality that is not higher.
  package func framesFit(_ request: CoverRequest) -> Bool {
    guard let plan = request.animation else { return frames == nil }
    guard let frames else { return false }
    // Times in a GIF are rounded to hundredths of a second.
    let longest = plan.milliseconds(at: plan.frameCount) + 10
    return request.allows(PixelSize(width: width, height: height)) && (1...plan.frameCount).contains(frames.count)
      && (1...longest).contains(frames.milliseconds) && (1...request.quality).contains(frames.quality)
      && (0..<plan.frameCount).contains(frames.damaged)
  }
}
