/// The frames that an animation shows, and the form of its file.
///
/// An animation is a short loop made of segments of a clip, which are spread evenly over it.
package struct AnimationPlan: Hashable, Sendable {
  /// The number of segments.
  package var segments: Int
  /// The length of a segment, in seconds.
  package var segmentSeconds: Double
  /// The number of frames for each second.
  package var framesPerSecond: Int
  /// The file format.
  package var format: AnimationFormat
  /// The maximum size of the file in bytes, enforced by lowering the quality; `nil` for no limit.
  package var maximumBytes: Int?

  /// The numbers of segments that an animation may have.
  package static let segmentCounts = 1...20
  /// The lengths that a segment may have, in seconds.
  package static let segmentLengths = 0.1...10.0
  /// The numbers of frames that an animation may have for each second.
  package static let frameRates = 1...30
  /// The maximum number of frames of an animation.
  package static let maximumFrames = 600
  /// The maximum number of pixels of all frames of an animation.
  package static let maximumPixels = 50_000_000
  /// The limits that the file may have, in bytes.
  package static let fileSizes = 1...(1 << 30)

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - segments: The number of segments, within ``segmentCounts``.
  ///   - segmentSeconds: The length of a segment in seconds, within ``segmentLengths``.
  ///   - framesPerSecond: The number of frames for each second, within ``frameRates``.
  ///   - format: The file format.
  package init(
    segments: Int = 6,
    segmentSeconds: Double = 0.5,
    framesPerSecond: Int = 10,
    format: AnimationFormat = .webp
  ) {
    (self.segments, self.segmentSeconds, self.framesPerSecond) = (segments, segmentSeconds, framesPerSecond)
    self.format = format
  }

  /// Whether all values are in their ranges.
  package var isValid: Bool {
    Self.segmentCounts.contains(segments) && Self.segmentLengths.contains(segmentSeconds)
      && Self.frameRates.contains(framesPerSecond) && frameCount <= Self.maximumFrames
      && maximumBytes.map(Self.fileSizes.contains) ?? true
  }

  /// The number of frames of all segments.
  package var frameCount: Int { segments * frames(in: segmentSeconds) }

  /// Returns the number of frames in a length of time: one for each interval that begins before its end.
  private func frames(in seconds: Double) -> Int {
    // A frame is not needed for less than a millisecond.
    max(1, Int(((seconds - 0.001) * Double(framesPerSecond)).rounded(.up)))
  }

  /// Returns the times of the frames of each segment, in seconds from the start of the clip.
  ///
  /// A clip that is not longer than all segments together is shown as a whole, in one segment.
  ///
  /// - Parameter duration: The duration of the clip in seconds; if it is unknown, the beginning of the clip is shown.
  package func times(duration: Double?) -> [[Double]] {
    let length = Double(segments) * segmentSeconds
    guard let duration, duration > length else { return [times(from: 0, seconds: min(duration ?? length, length))] }
    let part = duration / Double(segments)
    return (0..<segments).map { number in
      // In the middle of each part, so that neither the first nor the last moment of the clip is shown.
      let start = (Double(number) + 0.5) * part - segmentSeconds / 2
      return times(from: (start * 1000).rounded(.down) / 1000, seconds: segmentSeconds)
    }
  }

  private func times(from start: Double, seconds: Double) -> [Double] {
    (0..<frames(in: seconds)).map { start + Double($0) / Double(framesPerSecond) }
  }

  /// Returns the start of a frame, in milliseconds from the start of the animation.
  ///
  /// - Parameter number: The number of the frame, from 0; the number of frames for the end of the animation.
  package func milliseconds(at number: Int) -> Int {
    (1000 * number + framesPerSecond / 2) / framesPerSecond
  }
}

extension AnimationPlan: Codable {
  private enum CodingKeys: String, CodingKey {
    case segments, segmentSeconds, framesPerSecond, format, maximumBytes
  }

  /// Decodes a plan; fails if a value is out of range.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    segments = try container.decode(Int.self, forKey: .segments)
    segmentSeconds = try container.decode(Double.self, forKey: .segmentSeconds)
    framesPerSecond = try container.decode(Int.self, forKey: .framesPerSecond)
    format = try container.decode(AnimationFormat.self, forKey: .format)
    maximumBytes = try container.decodeIfPresent(Int.self, forKey: .maximumBytes)
    guard isValid else {
      let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "the plan is out of range")
      throw DecodingError.dataCorrupted(context)
    }
  }
}
