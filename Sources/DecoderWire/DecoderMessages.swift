package import Covers

/// The protocol between `clipcanvas` and the programs that read clips, on their socket: one JSON object per line.
///
/// The program begins with a ``ProgramHello``. A decoder then answers each ``DecoderRequest`` with one ``DecoderReply``
/// of the same number; a composer does the work of one ``ComposerRequest``. Descriptors are sent along with the first
/// byte of their request's line.
package enum DecoderProtocol {
  /// The protocol version; it changes whenever a message changes its meaning, and both sides must have the same.
  package static let version = 18
}

/// The first line of a decoder or composer.
package struct ProgramHello: Codable, Hashable, Sendable {
  /// The protocol version; see ``DecoderProtocol/version``.
  package var wire: Int
  /// The version of the program.
  package var version: String
  /// The versions of FFmpeg's libraries as loaded, by name: `libavformat` → `59.27.100`.
  package var libraries: [String: String]
  /// The state of the program's sandbox.
  package var sandbox: SandboxState

  /// Creates a greeting with the current protocol version.
  package init(version: String, libraries: [String: String], sandbox: SandboxState) {
    wire = DecoderProtocol.version
    self.version = version
    self.libraries = libraries
    self.sandbox = sandbox
  }
}

/// One unit of work for a decoder.
package struct DecoderRequest: Codable, Sendable {
  /// The number of the request; repeated in the reply.
  package var number: Int
  /// The time limit of the work, in milliseconds.
  package var deadlineMilliseconds: Int
  /// The work to do.
  package var work: Work
  /// The format assumed for a clip whose content is not recognised.
  package var rawFormat: RawFormat?
  /// The number of the first request of a series of covers of the same clip; the decoder may keep it open for them.
  ///
  /// It is closed when a request arrives that does not belong to the series.
  package var series: Int?

  /// The work to do.
  package enum Work: Codable, Sendable {
    /// Make a cover, a sheet or an animation. Two descriptors are sent along: the clip to read and the
    /// memory file to write.
    case cover(CoverRequest, texts: [CoverText])
    /// Decode the tiles of a contact sheet, or half of those of any sheet, in a single column. Two descriptors are sent
    /// along: the clip to read and the memory file to write the pixels to.
    case tiles(CoverRequest)
    /// Compress the pixels of a sheet that was drawn or put together. Two descriptors are sent along: the pixels and
    /// the memory file to write.
    case encode(CoverRequest, texts: [CoverText], facts: CoverFacts, clip: ClipFacts)
    /// Report the facts of a clip, or of a programme of a transport stream. One descriptor is sent along.
    case probe(programme: Int?)
  }

  /// Creates a request.
  package init(
    number: Int,
    deadlineMilliseconds: Int,
    work: Work,
    rawFormat: RawFormat? = nil,
    series: Int? = nil
  ) {
    self.number = number
    self.deadlineMilliseconds = deadlineMilliseconds
    self.work = work
    self.rawFormat = rawFormat
    self.series = series
  }
}

/// The result of a ``DecoderRequest``.
package struct DecoderReply: Codable, Sendable {
  /// The number of the request.
  package var number: Int
  /// The result.
  package var result: Result

  /// The result of a request.
  package enum Result: Codable, Sendable {
    /// A cover was written, with the given number of bytes.
    case cover(CoverFacts, bytes: Int)
    /// The frames of a contact sheet were decoded, with the given number of bytes.
    case tiles(CoverFacts, of: ClipFacts, bytes: Int)
    /// The facts of a clip, all its streams, and its recording.
    case facts(ClipFacts, details: ClipDetails)
    /// Why a clip has no facts, and its streams: it has no video.
    case lacksVideo(CoverFailure, details: ClipDetails)
    case failure(CoverFailure)
  }

  /// Creates a reply.
  package init(number: Int, result: Result) {
    self.number = number
    self.result = result
  }
}
