package import CCover
package import Covers

/// Calls the shim and throws an error if its status is not 0; the only place where that conversion is done.
package func withCoverError(_ call: (inout ccover_error) -> Int32) throws(CoverFailure) {
  var error = ccover_error()
  guard call(&error) == 0 else { throw CoverFailure(error) }
}

extension CoverFailure {
  /// Creates the failure for an error of the shim.
  package init(_ error: ccover_error) {
    self.init(
      stage: Stage(error.stage),
      cause: Cause(error.cause),
      code: Int(error.code),
      message: String(fixed: error.message),
      advice: Self.advice(for: error)
    )
  }

  private static func advice(for error: ccover_error) -> String? {
    if error.stage == CCOVER_STAGE_MUX { return error.cause == CCOVER_CAUSE_ENCRYPTED ? advice[.encrypted] : nil }
    if error.stage == CCOVER_STAGE_ENCODE { return encodingAdvice[Cause(error.cause)] }
    if error.is_packed { return "unpack it first" }
    if error.is_segment { return "join them first, as in 'cat init.mp4 segment.m4s > clip.mp4'" }
    return error.has_artwork ? "use its artwork with --embedded fallback" : advice[Cause(error.cause)]
  }

  /// Advice for the user, for causes that the user can do something about.
  private static let advice: [Cause: String] = [
    .noVideoStream: .videoNeeded,
    .refused: "convert it first, for example with ffmpeg",
    .truncated: "try again when the recording is finished",
    .noIndex: "try again when the recording is finished",
    .encrypted: "decrypt the clip first, or use a copy without protection",
    .unrecognised: .videoExpected,
    .timedOut: .longerTimeout,
  ]
  private static let encodingAdvice: [Cause: String] = [
    .unsupportedCodec: "choose another --format",
    .tooLarge: "limit it with --size, or choose another --format",
  ]
}

extension String {
  /// The advice for a clip without video.
  static let videoNeeded = "use a clip with video"
  /// The advice for a file that is not recognised.
  static let videoExpected = "check that it is a video"
}

extension CoverFailure.Stage {
  fileprivate init(_ stage: ccover_stage) {
    self =
      switch stage {
      case CCOVER_STAGE_PROBE: .probe
      case CCOVER_STAGE_SELECT_STREAM: .selectStream
      case CCOVER_STAGE_OPEN_DECODER: .openDecoder
      case CCOVER_STAGE_SEEK: .seek
      case CCOVER_STAGE_DECODE: .decode
      case CCOVER_STAGE_CONVERT: .convert
      case CCOVER_STAGE_ENCODE: .encode
      case CCOVER_STAGE_MUX: .mux
      default: .open
      }
  }
}

extension CoverFailure.Cause {
  fileprivate init(_ cause: ccover_cause) {
    self =
      switch cause {
      case CCOVER_CAUSE_EMPTY: .empty
      case CCOVER_CAUSE_UNRECOGNISED: .unrecognised
      case CCOVER_CAUSE_REFUSED: .refused
      case CCOVER_CAUSE_NO_VIDEO_STREAM: .noVideoStream
      case CCOVER_CAUSE_UNSUPPORTED_CODEC: .unsupportedCodec
      case CCOVER_CAUSE_TRUNCATED: .truncated
      case CCOVER_CAUSE_NO_INDEX: .noIndex
      case CCOVER_CAUSE_NO_FRAME: .noFrame
      case CCOVER_CAUSE_TOO_LARGE: .tooLarge
      case CCOVER_CAUSE_UNSUPPORTED_PIXELS: .unsupportedPixels
      case CCOVER_CAUSE_INPUT_OUTPUT: .inputOutput
      case CCOVER_CAUSE_OUT_OF_MEMORY: .outOfMemory
      case CCOVER_CAUSE_TIMED_OUT: .timedOut
      case CCOVER_CAUSE_ENCRYPTED: .encrypted
      case CCOVER_CAUSE_UNFIT_CONTAINER: .unfitContainer
      case CCOVER_CAUSE_INCOMPATIBLE: .incompatible
      case CCOVER_CAUSE_SEVERAL_RECORDINGS: .severalRecordings
      case CCOVER_CAUSE_MISUSE: .misuse
      default: .damaged
      }
  }
}
