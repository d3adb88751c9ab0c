/// Facts about a clip, measured by reading all its packets.
package struct ClipMeasure: Codable, Hashable, Sendable {
  /// The duration of the video.
  package var seconds: Double
  /// The number of pixels of a frame, according to the container or codec.
  package var pixels: Int
  /// Whether the clip has sound that can be decoded.
  package var hasSound: Bool
  /// The codec of the sound, if that cannot be decoded.
  package var unsupportedSound: String?

  /// The longest duration of a clip, a year.
  ///
  /// A longer one is due to damaged timestamps.
  package static let maximumSeconds: Double = 366 * 86_400

  /// Creates a measure.
  package init(seconds: Double, pixels: Int, hasSound: Bool, unsupportedSound: String? = nil) {
    (self.seconds, self.pixels) = (seconds, pixels)
    (self.hasSound, self.unsupportedSound) = (hasSound, unsupportedSound)
  }
}

/// The result of measuring a clip.
package enum MeasuredClip: Codable, Hashable, Sendable {
  case measure(ClipMeasure)
  /// The clip cannot be read.
  case failure(CoverFailure)
}

/// A video that was composed of clips.
package struct VideoFacts: Codable, Hashable, Sendable {
  /// A clip that cannot be shown or heard as it should.
  package struct Problem: Codable, Hashable, Sendable {
    /// What is missing from the video.
    package enum Kind: String, Codable, Sendable {
      /// From the time on, the clip is neither shown nor heard.
      case broken
      /// From the time on, frames are damaged; the ones before are shown instead.
      case damaged
      /// From the time on, the clip is not heard.
      case silent
    }

    /// The index of the canvas.
    package var canvas: Int
    /// What is missing.
    package var kind: Kind
    /// The time in the clip.
    package var seconds: Double
    /// The reason.
    package var failure: CoverFailure

    /// Creates a problem.
    package init(canvas: Int, kind: Kind, seconds: Double, failure: CoverFailure) {
      (self.canvas, self.kind, self.seconds, self.failure) = (canvas, kind, seconds, failure)
    }
  }

  /// The number of frames.
  package var frames: Int
  /// The size of the file.
  package var bytes: Int
  /// The problems, by canvas.
  package var problems: [Problem]

  /// Creates a description of a video.
  package init(frames: Int, bytes: Int, problems: [Problem]) {
    (self.frames, self.bytes, self.problems) = (frames, bytes, problems)
  }
}
