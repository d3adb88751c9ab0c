internal import CCover
public import Covers
internal import Pictures

/// Makes covers in this process: from an open clip to a picture in an open file.
public enum CoverMaker {
  /// Tells the facts of a clip.
  ///
  /// - Parameters:
  ///   - clip: A descriptor open for reading; stays open.
  ///   - limits: Bounds on the work.
  /// - Throws: `CoverFailure`.
  public static func facts(of clip: Int32, limits: Clip.Limits = Clip.Limits()) throws(CoverFailure) -> ClipFacts {
    try open(clip, completely: true, limits: limits).facts
  }

  /// Decodes the wanted frame of a clip and writes it as a picture.
  ///
  /// - Parameters:
  ///   - clip: A descriptor open for reading; stays open.
  ///   - request: What is wanted.
  ///   - output: A descriptor open for writing, at the start of an empty file; stays open. Nothing is written to it
  ///     before the whole picture is there.
  ///   - texts: Texts to keep in the picture. What only the clip can tell (its type and length) and the software is added.
  ///   - limits: Bounds on the work.
  /// - Throws: `CoverFailure`; then the output may hold a part of a picture.
  public static func makeCover(
    of clip: Int32,
    request: CoverRequest,
    into output: Int32,
    texts: [PNGText] = [],
    limits: Clip.Limits = Clip.Limits()
  ) throws(CoverFailure) -> CoverFacts {
    var watch = StopWatch()
    // The header alone suffices for the first frame of most clips; any other time needs the start of the stream.
    var opened = try open(clip, completely: request.time != .first, limits: limits)
    var openTime = watch.lap()
    let wanted = wantedTime(request.time, duration: opened.facts.durationSeconds)
    let frame: ccover_frame_facts
    do throws(CoverFailure) {
      frame = try opened.decode(at: wanted.time)
    } catch  where request.time == .first && error.mayBeForWantOfFacts {
      opened = try open(clip, completely: true, limits: limits)
      openTime += watch.lap()
      frame = try opened.decode(at: wanted.time)
    }
    let clipFacts = opened.facts
    let decodeTime = watch.lap()

    let fullSize = CoverGeometry.uprightSize(
      stored: frame.storedSize,
      sampleAspectRatio: Rational(frame.sample_aspect_ratio),
      orientation: frame.orientation
    )
    let size = request.size.fitting(fullSize)
    let picture = try opened.render(size: size, withAlpha: frame.has_alpha, deinterlaces: request.deinterlaces)
    let convertTime = watch.lap()

    try write(picture, as: request, to: output, texts: texts + ownTexts(clipFacts))
    var facts = CoverFacts(
      frame: frame,
      clip: clipFacts,
      size: size,
      alpha: picture.layout == .rgba && request.format != .jpeg,
      milliseconds: .init(open: openTime, decode: decodeTime, convert: convertTime, encode: watch.lap())
    )
    facts.warnings += wanted.warnings + lateness(request.time, facts)
    return facts
  }

  private static func open(
    _ clip: Int32,
    completely: Bool,
    limits: Clip.Limits
  ) throws(CoverFailure) -> Clip {
    do {
      return try Clip(descriptor: clip, completely: completely, limits: limits)
    } catch {
      guard error.cause == .damaged || error.cause == .unrecognised, MovieIndex.isMissing(in: clip) else { throw error }
      throw CoverFailure(
        stage: .open,
        cause: .noIndex,
        code: error.code,
        message: "its index (moov) is missing: it is still being recorded, or was cut short",
        advice: "try again when the recording is finished"
      )
    }
  }

  /// The time to decode at, `nil` for the first frame, and what to say when it is not what was asked.
  private static func wantedTime(
    _ time: RequestedTime,
    duration: Double?
  ) -> (time: Duration?, warnings: [String]) {
    switch time {
    case .first: return (nil, [])
    case .seconds(let seconds): return (.seconds(seconds), [])
    case .percent(let share):
      guard let duration else {
        return (nil, ["the duration is unknown, so \(share)% of it is too; took the first frame"])
      }
      return (.seconds(duration * share / 100), [])
    }
  }

  /// What to say when the wanted time is past the end.
  private static func lateness(_ time: RequestedTime, _ facts: CoverFacts) -> [String] {
    guard case .seconds(let seconds) = time, let duration = facts.durationSeconds, seconds >= duration else {
      return []
    }
    return ["the clip ends before \(seconds) s; took the last frame"]
  }

  private static func ownTexts(_ facts: ClipFacts) -> [PNGText] {
    var texts = [PNGText(.mimeType, facts.mimeType), PNGText(.software, "ClipCanvas \(ClipCanvasVersion.current)")]
    if let duration = facts.durationSeconds, duration < 1e15 {
      texts.append(PNGText(.movieLength, "\(Int(duration.rounded()))"))
    }
    return texts
  }

  private static func write(
    _ picture: borrowing Picture,
    as request: CoverRequest,
    to output: Int32,
    texts: [PNGText]
  ) throws(CoverFailure) {
    switch request.format {
    case .png: try writePNG(picture, to: output, texts: texts)
    case .jpeg: try picture.write(CCOVER_JPEG, quality: request.quality, to: output, texts: texts)
    case .webp: try picture.write(CCOVER_WEBP, quality: request.quality, to: output, texts: texts)
    }
  }

  private static func writePNG(
    _ picture: borrowing Picture,
    to output: Int32,
    texts: [PNGText]
  ) throws(CoverFailure) {
    do {
      try picture.writePNG(to: output, texts: texts.map { ($0.keyword.rawValue, $0.text) })
    } catch {
      throw CoverFailure(
        stage: .encode,
        cause: .outputFailed,
        code: Int(error.systemError),
        message: error.message
      )
    }
  }
}

extension CoverFailure {
  /// Whether decoding may go better once the whole clip has been looked at.
  fileprivate var mayBeForWantOfFacts: Bool {
    switch cause {
    case .damaged, .noFrame, .truncated, .unsupportedCodec: true
    default: false
    }
  }
}

/// Tells the milliseconds between laps.
private struct StopWatch {
  private var last = ContinuousClock.now

  mutating func lap() -> Double {
    let now = ContinuousClock.now
    defer { last = now }
    return (now - last) / .milliseconds(1)
  }
}
