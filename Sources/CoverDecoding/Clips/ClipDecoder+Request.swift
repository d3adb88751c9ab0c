internal import Covers
internal import Glibc

extension ClipDecoder {
  /// Opens a clip for a request, and makes the reported failure more precise where possible.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor of a file open for reading.
  ///   - request: The request.
  ///   - completely: Whether to read until all facts of the clip are known.
  ///   - limits: Limits on the work.
  /// - Throws: `CoverFailure`.
  init(
    opening descriptor: Int32,
    for request: CoverRequest,
    completely: Bool,
    limits: Limits
  ) throws(CoverFailure) {
    do {
      try self.init(
        descriptor: descriptor,
        stream: request.stream,
        programme: request.programme,
        artwork: request.artwork,
        completely: completely,
        seeks: request.time != .first || request.hasSeveralFrames,
        limits: limits
      )
      if request.dependsOnDuration { findRawDuration() }
    } catch {
      let isChosen = request.stream != nil || request.programme != nil
      if error.cause == .noVideoStream, isChosen || request.hasSeveralFrames {
        var failure = error
        // Sheets and animations are not made of artwork.
        failure.advice = isChosen ? "'clipcanvas probe' lists the streams" : .videoNeeded
        throw failure
      }
      if Self.isPicture(descriptor) {
        throw CoverFailure(
          stage: .probe,
          cause: .isPicture,
          message: "it is a HEIF picture, not a clip",
          advice: "convert it to JPEG or PNG first"
        )
      }
      throw error
    }
  }

  private static func isPicture(_ descriptor: Int32) -> Bool {
    var start: [UInt8] = Array(repeating: 0, count: PictureBrand.maximumBytes)
    let count = pread(descriptor, &start, start.count, 0)
    return PictureBrand.isHEIF(Array(start.prefix(max(0, count))), includesSequences: true)
  }
}

extension CoverRequest {
  /// Whether the wanted frames depend on the duration of the clip.
  fileprivate var dependsOnDuration: Bool {
    time == .best || time.position?.isPercent == true || hasSeveralFrames
  }
}
