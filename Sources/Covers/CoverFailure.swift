/// Why a clip gave no cover: where in the work × what was wrong, and the words for a person.
public struct CoverFailure: Error, Codable, Hashable, Sendable {
  /// Where in the work it went wrong.
  public enum Stage: String, Codable, Sendable {
    /// Finding and opening the clip's file.
    case input
    /// Reading the container's header.
    case open
    /// Recognising the container and reading the facts of its streams.
    case probe
    case selectStream
    case openDecoder
    case seek
    case decode
    /// Scaling, turning and converting the frame.
    case convert
    /// Compressing the picture.
    case encode
    /// Writing and naming the cover.
    case output
    /// The decoder process itself.
    case service
  }

  /// What was wrong.
  public enum Cause: String, Codable, Sendable {
    // The file.
    case missing, isFolder, notRegular, denied, empty, isCover, isPicture, inputOutput
    // What is in it.
    case unrecognised, refused, noIndex, noVideoStream, unsupportedCodec, damaged, truncated, noFrame
    case tooLarge, unsupportedPixels
    // Where the cover goes.
    case outputExists, outputDuplicate, outputDenied, outputFull, outputFailed
    // The decoder process.
    case decoderDied, decoderNonsense, timedOut, outOfMemory, misuse
  }

  private enum CodingKeys: String, CodingKey {
    case stage
    case cause = "reason"
    case code, message, advice
  }

  /// Where in the work it went wrong.
  public var stage: Stage
  /// What was wrong.
  public var cause: Cause
  /// FFmpeg's or the system's own number, 0 when there is none.
  public var code: Int
  /// Why, in words, without the clip's name.
  public var message: String
  /// What to do about it.
  public var advice: String?

  /// Makes one of its parts.
  public init(stage: Stage, cause: Cause, code: Int = 0, message: String, advice: String? = nil) {
    self.stage = stage
    self.cause = cause
    self.code = code
    self.message = message
    self.advice = advice
  }

  /// Whether the clip may give a cover later without anybody's doing: it is still being written.
  public var isIncomplete: Bool { [.noIndex, .truncated, .empty].contains(cause) }

  /// Whether the decoder process broke down, so that another one may do better.
  public var isBreakdown: Bool { [.decoderDied, .decoderNonsense, .timedOut, .outOfMemory].contains(cause) }

  /// Whether the file is of another kind than a clip.
  public var meansNoClip: Bool {
    [.isCover, .isPicture, .empty, .unrecognised, .refused, .noVideoStream].contains(cause)
  }
}
