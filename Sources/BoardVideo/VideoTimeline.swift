package import BoardSupport
package import Covers

/// When each clip of a video starts, and how long the video lasts, in frames.
package struct VideoTimeline: Hashable, Sendable {
  /// The time that a clip takes on its canvas.
  package struct Span: Hashable, Sendable {
    /// The first frame of the clip.
    package let start: Int
    /// The number of frames that the clip lasts; at least 1.
    package let frames: Int

    /// The frame after the last one.
    package var end: Int { start + frames }
  }

  /// The spans of the clips, by canvas; `nil` for a canvas without a clip.
  package let spans: [Span?]
  /// The duration of the video; 0 if it has no clip and no other duration is given.
  package let frames: Int

  /// The longest video, in frames: a day at the highest frame rate.
  package static let maximumFrames = 86_400 * VideoRequest.maximumFrameRate

  /// Creates a timeline.
  ///
  /// - Parameters:
  ///   - seconds: The durations of the clips, by canvas; `nil` for a canvas without a clip.
  ///   - order: The playing order of the clips.
  ///   - length: How long the video lasts.
  ///   - frameRate: The number of frames in a second.
  package init(
    of seconds: [Double?],
    order: ExportArguments.Order,
    length: ExportArguments.Length,
    frameRate: Rational
  ) {
    var next = 0
    spans = seconds.map { seconds in
      guard let seconds else { return nil }
      let span = Span(start: next, frames: Self.frames(in: seconds, at: frameRate))
      if order == .sequence { next = min(span.end, Self.maximumFrames) }
      return span
    }
    let ends = spans.compactMap { $0?.end }
    let wanted =
      switch length {
      case .longest: ends.max() ?? 0
      case .shortest: ends.min() ?? 0
      case .seconds(let seconds): Self.frames(in: seconds, at: frameRate)
      }
    frames = min(wanted, Self.maximumFrames)
  }

  /// Returns the nearest number of frames, but at least 1.
  private static func frames(in seconds: Double, at frameRate: Rational) -> Int {
    let frames = (seconds * frameRate.value).rounded()
    return frames >= 1 ? Int(exactly: min(frames, Double(maximumFrames))) ?? 1 : 1
  }

  /// The largest number of clips that meet a condition and play at the same time.
  ///
  /// - Parameters:
  ///   - isLooped: Whether clips play again after they have ended.
  ///   - isCounted: Whether the clip of a canvas counts.
  package func mostAtOnce(isLooped: Bool, where isCounted: (_ canvas: Int) -> Bool) -> Int {
    let counted = spans.enumerated().compactMap { isCounted($0.offset) ? $0.element : nil }
    return counted.map { span in
      counted.count { $0.start <= span.start && (isLooped || span.start < $0.end) }
    }.max() ?? 0
  }
}
