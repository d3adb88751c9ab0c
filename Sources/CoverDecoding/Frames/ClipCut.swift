internal import CCover
package import Covers

/// A part of a clip to copy without encoding: it starts where decoding can.
///
/// All ticks are those of the stream that covers show, as the container counts them.
package struct ClipCut: Sendable {
  /// The start of a part that does not start with its clip.
  package struct Start: Sendable {
    /// When the key frame is shown that the packets start with, or the least number if they start with the clip's; and
    /// when the first frame is that the part shows, in ticks.
    package let key, shown: Int64
    /// The same in seconds from the start of the video.
    package let keySeconds, shownSeconds: Double
  }

  /// The wanted limits in seconds from the start of the video.
  package let from, to: Double?
  /// The start of the part; `nil` for that of the clip.
  package let start: Start?
  /// The time that all frames of the part are shown before, in ticks; `nil` if the part ends with its clip.
  package let end: Int64?

  /// The codecs whose frames before the wanted one are hidden in MP4 and MOV.
  ///
  /// FFmpeg shows such frames of AV1, and the last one of MPEG-1 and MPEG-2.
  private static let hiddenCodecs: Set = ["h264", "hevc", "mpeg4", "vp9"]

  /// Finds where the part that a request selects starts and ends, by decoding its first frame.
  ///
  /// - Parameters:
  ///   - request: The request; without a part, the result is `nil`.
  ///   - descriptor: A descriptor of the clip, open for reading.
  ///   - limits: Limits on the work with each of a few frames.
  /// - Throws: `CoverFailure`.
  package init?(
    of request: RemuxRequest,
    in descriptor: Int32,
    limits: ClipDecoder.Limits
  ) throws(CoverFailure) {
    guard let part = request.part else { return nil }
    let programme = request.programme
    var codec = ""
    func frame(_ time: RequestedTime) throws(CoverFailure) -> ccover_frame_facts {
      var search = try FrameSearch(in: descriptor, for: Self.request(time, programme), limits: limits)
      try search.find()
      codec = search.clip.facts.codec
      return search.frame
    }
    func seconds(_ position: RequestedTime.Position?) throws(CoverFailure) -> Double? {
      switch position {
      case nil: return nil
      case .seconds(let seconds): return seconds
      case .percent(let share):
        return try Self.duration(of: descriptor, programme, limits: limits) * share / 100
      }
    }
    (from, to) = (try seconds(part.from), try seconds(part.to))
    if let from, let to, from >= to { throw .emptyPart(from, to) }
    let shown = try frame(from.map { .seconds($0) } ?? .first)
    guard let base = Rational(shown.time_base), let time = shown.presentationTime?.value else { throw .noTimes }
    if let from, shown.ends(by: from) { throw .startsAfterEnd(from, of: shown) }
    // A microsecond makes up for rounding.
    end = to.map { shown.start + Int64((($0 - 0.000001) / base.value).rounded(.up)) }
    guard let from, shown.timestamp > shown.start else {
      start = nil
      return
    }
    let key = try frame(.keyFrame(before: .seconds(from)))
    let isMovie = request.container == .mp4 || request.container == .mov
    let isExact = isMovie && Self.hiddenCodecs.contains(codec)
    let keyTime = key.presentationTime?.value ?? 0
    let isFound = key.is_key_frame && key.timestamp > key.start && key.timestamp <= shown.timestamp
    switch (isExact, isFound) {
    case (true, _):
      let stored = isFound ? key.timestamp : .min
      let storedTime = isFound ? keyTime : 0
      start = Start(key: stored, shown: shown.timestamp, keySeconds: storedTime, shownSeconds: time)
    case (false, true):
      start = Start(key: key.timestamp, shown: key.timestamp, keySeconds: keyTime, shownSeconds: keyTime)
    case (false, false): start = nil
    }
  }

  private static func request(_ time: RequestedTime, _ programme: Int?) -> CoverRequest {
    var request = CoverRequest(time: time)
    request.programme = programme
    return request
  }

  private static func duration(
    of descriptor: Int32,
    _ programme: Int?,
    limits: ClipDecoder.Limits
  ) throws(CoverFailure) -> Double {
    let request = request(.percent(100), programme)
    var clip = try ClipDecoder(opening: descriptor, for: request, completely: true, limits: limits)
    clip.findDuration()
    guard let duration = clip.facts.durationSeconds else {
      throw CoverFailure(
        stage: .seek,
        cause: .noFrame,
        message: "its duration is unknown, so a percentage of it is not a time",
        advice: "give the time in seconds"
      )
    }
    return duration
  }
}

extension ccover_frame_facts {
  /// Whether this is the last frame, and has ended by a time.
  ///
  /// If it is unknown when the last frame ends, it is displayed for a while.
  fileprivate func ends(by seconds: Double) -> Bool {
    guard is_last, let shown = presentationTime?.value else { return false }
    return seconds >= max(endTime ?? shown + 1, replacedTime ?? 0)
  }
}

extension CoverFailure {
  fileprivate static let noTimes = CoverFailure(
    stage: .seek,
    cause: .incompatible,
    message: "its video has no timestamps, so it cannot be cut",
    advice: "copy all of it"
  )

  fileprivate static func emptyPart(_ from: Double, _ to: Double) -> CoverFailure {
    CoverFailure(
      stage: .seek,
      cause: .misuse,
      message: "the part from \(text(from)) s to \(text(to)) s is empty",
      advice: "let it end after its start"
    )
  }

  fileprivate static func startsAfterEnd(_ from: Double, of frame: ccover_frame_facts) -> CoverFailure {
    let end = frame.endTime ?? frame.presentationTime?.value ?? 0
    return CoverFailure(
      stage: .seek,
      cause: .noFrame,
      message: "its video ends at \(text(end)) s, so no part starts at \(text(from)) s",
      advice: "let the part start earlier"
    )
  }

  private static func text(_ seconds: Double) -> String { DecimalText.of(seconds, places: 0...3) }
}
