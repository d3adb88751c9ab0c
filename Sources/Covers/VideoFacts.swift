/// Facts about a clip, measured by reading all its packets.
public struct ClipMeasure: Codable, Hashable, Sendable {
  /// The duration of the video.
  public var seconds: Double
  /// The number of pixels of a frame, according to the container or codec.
  public var pixels: Int
  /// Whether the clip has sound that can be decoded.
  public var hasSound: Bool
  /// The codec of the sound, if that cannot be decoded.
  public var unsupportedSound: String?

  /// The longest duration of a clip, a year.
  ///
  /// A longer one is due to damaged timestamps.
  public static let maximumSeconds: Double = 366 * 86_400

  /// Creates a measure.
  public init(seconds: Double, pixels: Int, hasSound: Bool, unsupportedSound: String? = nil) {
    (self.seconds, self.pixels) = (seconds, pixels)
    (self.hasSound, self.unsupportedSound) = (hasSound, unsupportedSound)
  }
}

/// The result of measuring a clip.
public enum MeasuredClip: Codable, Hashable, Sendable {
  case measure(ClipMeasure)
  /// The clip cannot be read.
  case failure(CoverFailure)
}

/// A video that was composed of clips.
public struct VideoFacts: Codable, Hashable, Sendable {
  /// A clip that cannot be shown or heard as it should.
  public struct Problem: Codable, Hashable, Sendable {
    /// What is missing from the video.
    public enum Kind: String, Codable, Sendable {
      /// From the time on, the clip is neither shown nor heard.
      case broken
      /// From the time on, frames are damaged; the ones before are shown instead.
      case damaged
      /// From the time on, the clip is not heard.
      case silent
    }

    /// The index of the canvas.
    public var canvas: Int
    /// What is missing.
    public var kind: Kind
    /// The time in the clip.
    public var seconds: Double
    /// The reason.
    public var failure: CoverFailure

    /// Creates a problem.
    public init(canvas: Int, kind: Kind, seconds: Double, failure: CoverFailure) {
      (self.canvas, self.kind, self.seconds, self.failure) = (canvas, kind, seconds, failure)
    }
  }

  /// The number of frames.
  public var frames: Int
  /// The size of the file.
  public var bytes: Int
  /// The problems, by canvas.
  public var problems: [Problem]

  /// Creates a description of a video.
  public init(frames: Int, bytes: Int, problems: [Problem]) {
    (self.frames, self.bytes, self.problems) = (frames, bytes, problems)
  }
}
