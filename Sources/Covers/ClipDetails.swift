/// What `clipcanvas probe` reports about a clip besides its ``ClipFacts``: all its streams, and the metadata of its
/// recording.
///
/// It is sent only in answer to a probe, so the location of a recording cannot appear in a cover or a report. `nil`
/// means that a value is unknown or does not apply.
public struct ClipDetails: Codable, Hashable, Sendable {
  /// The streams, in the order of their indexes.
  public var streams: [Stream]
  /// When the clip was recorded or, if that is not stored, when the file was made.
  public var captureDate: CaptureDate?
  /// The place of the recording.
  public var location: ClipLocation?
  /// The maker of the camera.
  public var make: String?
  /// The model of the camera.
  public var model: String?
  /// The software or the encoder that made the file.
  public var software: String?

  /// A stream of a clip.
  public struct Stream: Codable, Hashable, Sendable {
    /// The kind of a stream.
    public enum Kind: String, Codable, Sendable {
      case video, audio, subtitle, data, attachment
      /// A picture attached to the clip, such as an album cover.
      case artwork
    }

    /// The index, counted from 0 over all streams.
    public var index: Int
    /// The kind.
    public var kind: Kind
    /// FFmpeg's name of the codec.
    public var codec: String?
    /// The language as it is stored, usually three letters of ISO 639-2.
    public var language: String?
    /// The title.
    public var title: String?
    /// FFmpeg's names of the dispositions, such as `default` or `forced`.
    public var dispositions: [String] = []
    /// The numbers of the programmes of a transport stream that the stream belongs to.
    public var programmes: [Int]?
    /// The stored width in pixels, before rotation and before pixels are made square.
    public var storedWidth: Int?
    /// The stored height in pixels.
    public var storedHeight: Int?
    /// The displayed width in pixels: upright, with square pixels.
    public var shownWidth: Int?
    /// The displayed height in pixels.
    public var shownHeight: Int?
    /// The clockwise rotation that makes the stored picture upright, in degrees: 0, 90, 180 or 270.
    public var rotation: Int?
    /// Whether the stored picture is mirrored left to right, before the rotation.
    public var mirrored: Bool?
    /// The width of a stored pixel divided by its height.
    public var sampleAspectRatio: Rational?
    /// The average frame rate.
    public var framesPerSecond: Double?
    /// FFmpeg's name of the pixel format.
    public var pixelFormat: String?
    /// The number of bits of a component of a pixel.
    public var bitDepth: Int?
    /// FFmpeg's name of the colour matrix.
    public var matrix: String?
    /// FFmpeg's name of the colour range: `tv` or `pc`.
    public var range: String?
    /// FFmpeg's name of the transfer characteristic.
    public var transfer: String?
    /// FFmpeg's name of the colour primaries.
    public var primaries: String?
    /// The number of audio samples per second.
    public var sampleRate: Int?
    /// The number of audio channels.
    public var channels: Int?
    /// FFmpeg's name of the layout of the audio channels, such as `stereo`.
    public var channelLayout: String?

    /// The largest number of programmes that are listed for a stream.
    public static let maximumProgrammes = 16

    /// Creates a stream without any other properties.
    public init(index: Int, kind: Kind) {
      (self.index, self.kind) = (index, kind)
    }
  }

  /// Creates details without anything about the recording.
  public init(streams: [Stream]) { self.streams = streams }
}

/// Why a clip has no facts.
public struct ProbeFailure: Error, Hashable, Sendable {
  /// The failure.
  public let failure: CoverFailure
  /// The streams, if the clip only lacks video, and the recording.
  public let details: ClipDetails?

  /// Creates a failure.
  public init(_ failure: CoverFailure, details: ClipDetails? = nil) {
    (self.failure, self.details) = (failure, details)
  }
}

/// A clip that was examined: its facts and details.
public struct ProbedClip: Hashable, Sendable {
  /// The facts of the clip and of the stream that covers are made of.
  public var facts: ClipFacts
  /// The other streams, and the recording.
  public var details: ClipDetails

  /// Creates the result for a clip.
  public init(facts: ClipFacts, details: ClipDetails) {
    (self.facts, self.details) = (facts, details)
  }
}
