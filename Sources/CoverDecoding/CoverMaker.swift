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
    try open(clip, request: CoverRequest(), completely: true, limits: limits).facts
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
    var opened = try open(clip, request: request, completely: request.time != .first, limits: limits)
    var openTime = watch.lap()
    let wanted = wantedTime(request.time, duration: opened.facts.durationSeconds)
    var frame: ccover_frame_facts
    do throws(CoverFailure) {
      frame = try opened.decode(at: wanted.time)
    } catch  where request.time == .first && error.mayBeForWantOfFacts {
      opened = try open(clip, request: request, completely: true, limits: limits)
      openTime += watch.lap()
      frame = try opened.decode(at: wanted.time)
    }
    var (time, warnings) = wanted
    if let seconds = wanted.time.map({ $0 / .seconds(1) }) {
      let late = lateness(of: frame, wanted: seconds)
      if case .percent(let share) = request.time, share < 100, let end = late.end {
        // What the container calls its duration is not that of its video.
        opened = try open(clip, request: request, completely: true, limits: limits)
        time = .seconds(end * share / 100)
        frame = try opened.decode(at: time)
        warnings.append("its video ends at \(end) s, long before its duration says; took \(share)% of that")
      } else {
        warnings += late.warnings
      }
    }
    if request.skipsDark, try !skipDark(&opened, &frame) {
      warnings.append("no frame with something to see within \(Int(longestDarkness)) s; took the one asked for")
      opened = try open(clip, request: request, completely: true, limits: limits)
      frame = try opened.decode(at: time)
    }
    let clipFacts = opened.facts
    let decodeTime = watch.lap()

    let size = request.size.fitting(fullSize(of: frame, request: request))
    let pixels = layout(for: frame, request: request)
    var picture = try opened.render(size: size, layout: pixels, deinterlaces: request.deinterlaces)
    if picture.layout.hasAlpha, let ground = request.background {
      picture = picture.flattened(red: ground.red, green: ground.green, blue: ground.blue)
    }
    let convertTime = watch.lap()

    try write(picture, as: request, to: output, texts: texts + ownTexts(clipFacts))
    let encodeTime = watch.lap()
    var facts = CoverFacts(
      frame: frame,
      clip: clipFacts,
      size: size,
      alpha: picture.layout.hasAlpha && request.format != .jpeg,
      milliseconds: .init(open: openTime, decode: decodeTime, convert: convertTime, encode: encodeTime)
    )
    let luma = picture.lumaStatistics()
    (facts.meanLuma, facts.lumaVariance) = (luma.mean, luma.variance)
    facts.warnings += warnings
    return facts
  }

  // MARK: - The picture

  private static func fullSize(of frame: ccover_frame_facts, request: CoverRequest) -> PixelSize {
    CoverGeometry.uprightSize(
      stored: frame.storedSize,
      sampleAspectRatio: request.keepsStorageShape ? nil : Rational(frame.sample_aspect_ratio),
      orientation: frame.orientation
    )
  }

  private static func layout(for frame: ccover_frame_facts, request: CoverRequest) -> Picture.Layout {
    switch (frame.has_alpha, request.bitDepth == 16) {
    case (false, false): .rgb
    case (true, false): .rgba
    case (false, true): .rgb16
    case (true, true): .rgba16
    }
  }

  // MARK: - Dark starts

  /// How far to look for a frame with something to see, in seconds.
  private static let longestDarkness = 10.0

  /// Goes on to the first frame with something to see; false when none comes in time.
  private static func skipDark(
    _ clip: inout Clip,
    _ frame: inout ccover_frame_facts
  ) throws(CoverFailure) -> Bool {
    // A small picture tells as much, and costs little for every frame.
    let size = SizeLimit(width: 64, height: 64)?.fitting(frame.storedSize) ?? frame.storedSize
    let start = frame.presentationTime?.value ?? 0
    while try !clip.render(size: size, layout: .rgb, deinterlaces: false).lumaStatistics().hasContent {
      guard let next = try clip.decodeNext() else { return false }
      if let time = next.presentationTime?.value, time - start > longestDarkness { return false }
      frame = next
    }
    return true
  }

  // MARK: - The clip

  private static func open(
    _ clip: Int32,
    request: CoverRequest,
    completely: Bool,
    limits: Clip.Limits
  ) throws(CoverFailure) -> Clip {
    do {
      return try Clip(
        descriptor: clip,
        stream: request.stream,
        artwork: request.artwork,
        completely: completely,
        limits: limits
      )
    } catch {
      if error.cause == .noVideoStream && request.stream != nil {
        var failure = error
        failure.advice = "see the streams with 'clipcanvas probe'"
        throw failure
      }
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

  /// When the video ended, where that was long before the wanted time, and what to say then.
  private static func lateness(
    of frame: ccover_frame_facts,
    wanted seconds: Double
  ) -> (end: Double?, warnings: [String]) {
    guard let actual = frame.presentationTime?.value else {
      return (nil, ["the clip has no times; took its first frame"])
    }
    // The last frame is still shown a while after it came.
    guard frame.is_last, seconds - actual >= 1 else { return (nil, []) }
    return (actual, ["the clip ends before \(seconds) s; took the last frame"])
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
