public import Covers

/// What crosses the socket between `clipcanvas` and `clipcanvas-decoder`: one JSON object a line.
///
/// The decoder speaks first, with a ``DecoderHello``; then every ``DecoderRequest`` is answered by one
/// ``DecoderReply`` with the same number. Descriptors travel with the first byte of their request's line.
public enum DecoderProtocol {
  /// Changes whenever a message changes its meaning; both sides must have the same.
  public static let version = 4
}

/// The decoder's first line.
public struct DecoderHello: Codable, Hashable, Sendable {
  /// See ``DecoderProtocol/version``.
  public var wire: Int
  /// Of the program.
  public var version: String
  /// Of FFmpeg's libraries as loaded, by name: `libavformat` → `59.27.100`.
  public var libraries: [String: String]
  /// What of its lock-in holds.
  public var sandbox: SandboxState

  /// Makes one of its parts.
  public init(version: String, libraries: [String: String], sandbox: SandboxState) {
    wire = DecoderProtocol.version
    self.version = version
    self.libraries = libraries
    self.sandbox = sandbox
  }
}

/// One piece of work for a decoder.
public struct DecoderRequest: Codable, Sendable {
  /// Told again in the reply.
  public var number: Int
  /// After this many milliseconds the decoder gives up by itself.
  public var deadlineMilliseconds: Int
  /// What there is to do.
  public var work: Work

  /// What there is to do.
  public enum Work: Codable, Sendable {
    /// Make a cover. Two descriptors come along: the clip to read and the memory file to write.
    case cover(CoverRequest, texts: [PNGText])
    /// Tell the facts of a clip. One descriptor comes along.
    case probe
  }

  /// Makes one of its parts.
  public init(number: Int, deadlineMilliseconds: Int, work: Work) {
    self.number = number
    self.deadlineMilliseconds = deadlineMilliseconds
    self.work = work
  }
}

/// What became of a ``DecoderRequest``.
public struct DecoderReply: Codable, Sendable {
  /// That of the request.
  public var number: Int
  /// How it ended.
  public var result: Result

  /// How it ended.
  public enum Result: Codable, Sendable {
    /// A cover was written, with so many bytes.
    case cover(CoverFacts, bytes: Int)
    case facts(ClipFacts)
    case failure(CoverFailure)
  }

  /// Makes one of its parts.
  public init(number: Int, result: Result) {
    self.number = number
    self.result = result
  }
}
