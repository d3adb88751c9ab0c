/// What `clipcanvas probe` reports about a clip besides its ``ClipFacts``: all its streams, and the metadata of its
/// recording.
///
/// It is sent only in answer to a probe, so the location of a recording cannot appear in a cover or a report. `nil`
/// means that a value is unknown or does not apply.
package struct ClipDetails: Codable, Hashable, Sendable {
  /// The streams, in the order of their indexes.
  package var streams: [Stream]
  /// When the clip was recorded or, if that is not stored, when the file was made.
  package var captureDate: CaptureDate?
  /// The place of the recording.
  package var location: ClipLocation?
  /// The maker of the camera.
  package var make: String?
  /// The model of the camera.
  package var model: String?
  /// The software or the encoder that made the file.
  package var software: String?

  /// A stream of a clip.
  package struct Stream: Codable, Hashable, Sendable {
    /// The kind of a stream.
    package enum Kind: String, Codable, Sendable {
      case video, audio, subtitle, data, attachment
      /// A picture attached to the clip, such as an album cover.
      case artwork
    }

    /// The index, counted from 0 over all streams.
    package var index: Int
    /// The kind.
    package var kind: Kind
    /// FFmpeg's name of the codec.
    package var codec: String?
    /// The language as it is stored, usually three letters of ISO 639-2.
    package var language: String?
    /// The title.
    package var title: String?
    /// FFmpeg's names of the dispositions, such as `default` or `forced`.
    package var dispositions: [String] = []
    /// The numbers of the programmes of a transport stream that the stream belongs to.
    package var programmes: [Int]?
    /// The stored width in pixels, before rotation and before pixels are made square.
    package var storedWidth: Int?
    /// The stored height in pixels.
    package var storedHeight: Int?
    /// The displayed width in pixels: upright, with square pixels.
    package var shownWidth: Int?
    /// The displayed height in pixels.
    package var shownHeight: Int?
    /// The clockwise rotation that makes the stored picture upright, in degrees: 0, 90, 180 or 270.
    package var rotation: Int?
    /// Whether the stored picture is mirrored left to right, before the rotation.
    package var mirrored: Bool?
    /// The width of a stored pixel divided by its height.
    package var sampleAspectRatio: Rational?
    /// The average frame rate.
    package var framesPerSecond: Double?
    /// FFmpeg's name of the pixel format.
    package var pixelFormat: String?
    /// The number of bits of a component of a pixel.
    package var bitDepth: Int?
    /// FFmpeg's name of the colour matrix.
    package var matrix: String?
    /// FFmpeg's name of the colour range: `tv` or `pc`.
    package var range: String?
    /// FFmpeg's name of the transfer characteristic.
    package var transfer: String?
    /// FFmpeg's name of the colour primaries.
    package var primaries: String?
    /// The number of audio samples per second.
    package var sampleRate: Int?
    /// The number of audio channels.
    package var channels: Int?
    /// FFmpeg's name of the layout of the audio channels, such as `stereo`.
    package var channelLayout: String?

    /// The largest number of programmes that are listed for a stream.
    package static let maximumProgrammes = 16

    /// Creates a stream without any other properties.
    package init(index: Int, kind: Kind) {
      (self.index, self.kind) = (index, kind)
    }
  }

  /// Creates details without anything about the recording.
  package init(streams: [Stream]) { self.streams = streams }
}

/// Why a clip has no facts.
package struct ProbeFailure: Error, Hashable, Sendable {
  /// The failure.
  package let failure: CoverFailure
  /// The streams, if the clip only lacks video, and the recording.
  package let details: ClipDetails?

  /// Creates a failure.
  package init(_ failure: CoverFailure, details: ClipDetails? = nil) {
    (self.failure, self.details) = (failure, details)
  }
}

/// A clip that was examined: its facts and details.
package struct ProbedClip: Hashable, Sendable {
  /// The facts of the clip and of the stream that covers are made of.
  package var facts: ClipFacts
  /// The other streams, and the recording.
  package var details: ClipDetails

  /// Creates the result for a clip.
  package init(facts: ClipFacts, details: ClipDetails) {
    (self.facts, self.details) = (facts, details)
  }
}
