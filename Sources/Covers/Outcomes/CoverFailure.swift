/// Why no cover or video was made of a clip: the stage of the work, the cause, and a message for people.
package struct CoverFailure: Error, Codable, Hashable, Sendable {
  /// The stage of the work where the failure occurred.
  package enum Stage: String, Codable, Sendable, CaseIterable {
    /// Finding and opening the clip's file.
    case input
    /// Reading the container's header.
    case open
    /// Recognising the container and reading the parameters of its streams.
    case probe
    case selectStream
    case openDecoder
    case seek
    case decode
    /// Scaling, rotating and converting the frame.
    case convert
    /// Compressing the picture.
    case encode
    /// Copying streams into another container.
    case mux
    /// Writing and naming the cover.
    case output
    /// The decoder process itself.
    case service
  }

  /// The cause of a failure.
  package enum Cause: String, Codable, Sendable, CaseIterable {
    // The clip's file.
    case missing, isFolder, notRegular, denied, empty, isCover, isPicture, inputOutput, changed
    // The content of the clip.
    case unrecognised, refused, noIndex, noVideoStream, unsupportedCodec, damaged, truncated, noFrame
    case encrypted, tooLarge, unsupportedPixels, unfitContainer, incompatible, severalRecordings
    // The destination of the cover.
    case outputExists, outputDuplicate, outputDenied, outputFull, outputFailed
    // The decoder process.
    case decoderDied, invalidReply, timedOut, outOfMemory, misuse
  }

  private enum CodingKeys: String, CodingKey {
    case stage
    case cause = "reason"
    case code, message, advice
  }

  /// The stage of the work where the failure occurred.
  package var stage: Stage
  /// The cause of the failure.
  package var cause: Cause
  /// The error code from FFmpeg or the system; 0 if not applicable.
  package var code: Int
  /// The reason for people, without the clip's name.
  package var message: String
  /// What the user can do about it.
  package var advice: String?

  /// Creates a failure.
  package init(stage: Stage, cause: Cause, code: Int = 0, message: String, advice: String? = nil) {
    self.stage = stage
    self.cause = cause
    self.code = code
    self.message = message
    self.advice = advice
  }

  /// Whether a cover may become possible without anyone's intervention, because the clip is still being written.
  package var isIncomplete: Bool { [.noIndex, .truncated, .empty].contains(cause) }

  /// Whether the decoder process broke down, so that a retry in another process may succeed.
  package var isBreakdown: Bool { [.decoderDied, .invalidReply, .timedOut, .outOfMemory].contains(cause) }

  /// Whether the file is not a clip, or has no content that FFmpeg recognises one by.
  package var meansNoClip: Bool {
    [.isCover, .isPicture, .empty, .unrecognised, .refused, .noVideoStream].contains(cause)
      || (stage == .probe && cause == .truncated)
  }
}

extension String {
  /// The advice for work that took longer than its time limit.
  package static let longerTimeout = "allow more time with --timeout"
}
