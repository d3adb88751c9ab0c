internal import ClipService
internal import Covers

/// Why no image was made of a clip, or why none can be made at all.
public struct ClipError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The stage of the work where the error occurred.
  ///
  /// The names do not change between versions.
  public enum Stage: String, Sendable, CaseIterable {
    /// The request itself is out of range.
    case request
    /// Opening the clip's file.
    case input
    /// Reading the container's header.
    case open
    /// Recognising the container and reading the parameters of its streams.
    case probe
    case selectStream, openDecoder, seek, decode
    /// Scaling, rotating and converting the frame.
    case convert
    /// Compressing the image.
    case encode
    /// Copying streams into another container.
    case mux
    /// Writing a file.
    case output
    /// The decoder process itself.
    case service
  }

  /// The cause of an error.
  ///
  /// The names do not change between versions.
  public enum Cause: String, Sendable, CaseIterable {
    /// A value of the request is out of range.
    case invalidRequest
    /// No decoder can be started: the program was not found, belongs to another version, or cannot be sandboxed as
    /// demanded; or the process has too few descriptors.
    case noDecoder
    // The clip's file.
    case missing, isFolder, notRegular, denied, empty, isCover, isPicture, inputOutput, changed
    // The content of the clip.
    case unrecognised, refused, noIndex, noVideoStream, unsupportedCodec, damaged, truncated, noFrame
    case encrypted, tooLarge, unsupportedPixels, unfitContainer, incompatible, severalRecordings
    // A file that is written.
    case outputExists, outputDuplicate, outputDenied, outputFull, outputFailed
    // The decoder process.
    case decoderDied, invalidReply, timedOut, outOfMemory, misuse
  }

  /// The stage of the work where the error occurred.
  public let stage: Stage
  /// The cause.
  public let cause: Cause
  /// The reason for people, without the name of the clip.
  public let message: String
  /// What can be done about it.
  public let advice: String?

  /// The reason and the advice.
  public var description: String { advice.map { "\(message); \($0)" } ?? message }

  init(_ failure: CoverFailure) {
    stage = Stage(rawValue: failure.stage.rawValue) ?? .service
    cause = Cause(rawValue: failure.cause.rawValue) ?? .misuse
    (message, advice) = (failure.message, failure.advice)
  }

  init(_ error: ServiceError) {
    (stage, cause, message, advice) = (.service, .noDecoder, error.messageForPrograms, nil)
  }

  init(request message: String) {
    (stage, cause, self.message, advice) = (.request, .invalidRequest, message, nil)
  }
}
