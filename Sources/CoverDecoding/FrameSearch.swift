internal import CCover
package import Covers
internal import Pictures

/// The search for the frame that a cover shows.
///
/// If the first frame cannot be decoded, the clip is opened again and read completely.
package struct FrameSearch: ~Copyable {
  private let descriptor: Int32
  private let request: CoverRequest
  private let limits: ClipDecoder.Limits
  /// The open clip, which holds the frame that was found.
  private(set) var clip: ClipDecoder
  /// The facts of the frame that was found.
  private(set) var frame = ccover_frame_facts()
  /// Warnings for people about the choice of the frame.
  private(set) var warnings: [String] = []
  /// The milliseconds spent opening the clip, and in all later work.
  private(set) var milliseconds = (open: 0.0, decode: 0.0)
  private var watch = StopWatch()
  /// The work done in clips that were closed and reopened.
  private var earlierWork = ClipDecoder.Counters()
  /// The time to decode at; `nil` for the first frame.
  private var time: Duration?

  /// Opens the clip.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor open for reading; it is not closed, and must stay open for the whole search.
  ///   - request: The request.
  ///   - limits: Limits on the work.
  /// - Throws: `CoverFailure` with the stage `open`, `probe` or `selectStream`.
  package init(in descriptor: Int32, for request: CoverRequest, limits: ClipDecoder.Limits) throws(CoverFailure) {
    (self.descriptor, self.request, self.limits) = (descriptor, request, limits)
    clip = try ClipDecoder(opening: descriptor, for: request, completely: false, limits: limits)
    milliseconds.open = watch.lap()
  }

  /// Finds the frame; must be called only once.
  ///
  /// - Throws: `CoverFailure` with the stage `openDecoder`, `seek` or `decode`, or a failure to open the clip again.
  package mutating func find() throws(CoverFailure) {
    time = wantedTime
    if let time { try findFrame(at: time) } else { try findFirst() }
    if request.skipsDark { try skipDarkness() }
    clip.findDuration()
    milliseconds.decode += watch.lap()
  }

  /// The work done so far, in all openings of the clip.
  package var work: ClipDecoder.Counters { earlierWork + clip.counters }

  /// Converts the frame that was found; see ``ClipDecoder/render(size:layout:deinterlaces:)``.
  mutating func render(size: PixelSize, layout: Picture.Layout) throws(CoverFailure) -> Picture {
    try clip.render(size: size, layout: layout, deinterlaces: request.deinterlaces)
  }

  /// Converts the frame that was found into a picture that fills a box; see
  /// ``ClipDecoder/render(filling:_:layout:deinterlaces:)``.
  mutating func render(
    filling box: SizeLimit,
    _ filling: CoverGeometry.Filling,
    layout: Picture.Layout
  ) throws(CoverFailure) -> Picture {
    try clip.render(filling: box, filling, layout: layout, deinterlaces: request.deinterlaces)
  }

  private mutating func reopen() throws(CoverFailure) {
    milliseconds.decode += watch.lap()
    earlierWork = work
    clip = try ClipDecoder(opening: descriptor, for: request, completely: true, limits: limits)
    milliseconds.open += watch.lap()
  }

  /// Decodes a frame after the clip has been read completely, if a failure may be for want of facts.
  private mutating func decodeAgain(at time: Duration?, after failure: CoverFailure) throws(CoverFailure) {
    guard failure.mayBeForWantOfFacts else { throw failure }
    try reopen()
    frame = try clip.decode(at: time, keyFrame: time != nil && request.time.isKeyFrame)
  }

  // MARK: - First frame

  private mutating func findFirst() throws(CoverFailure) {
    let reduction = request.reduction(of: clip.facts)
    do throws(CoverFailure) {
      frame = try clip.decode(at: nil, isOnlyFrame: !request.skipsDark, reduction: reduction)
    } catch {
      try decodeAgain(at: nil, after: error)
    }
  }

  // MARK: - Frame at a time

  /// The requested time as a time in this clip; `nil` for the first frame.
  private var wantedTime: Duration? {
    mutating get {
      switch request.time.position {
      case nil: return nil
      case .seconds(let seconds): return .seconds(seconds)
      case .percent(let share):
        if let duration = clip.facts.durationSeconds { return .seconds(duration * share / 100) }
        warnings.append("the duration is unknown, so \(share)% cannot be found; used the first frame")
        return nil
      }
    }
  }

  private mutating func findFrame(at time: Duration) throws(CoverFailure) {
    do throws(CoverFailure) {
      frame = try clip.decode(at: time, keyFrame: request.time.isKeyFrame)
    } catch {
      try decodeAgain(at: time, after: error)
    }
    let seconds = time / .seconds(1)
    guard let actual = frame.presentationTime?.value else {
      warnings.append("the clip has no timestamps; used the first frame")
      return
    }
    // The last frame is displayed for a while after its presentation time.
    if frame.is_last, seconds - actual >= 1 { try findFrame(in: actual, insteadOf: seconds) }
    if request.time.isKeyFrame, !frame.is_key_frame {
      warnings.append("no key frame was found at or before that time; took the frame at that time")
    }
  }

  /// Finds the frame in a video that ends well before the wanted time.
  ///
  /// - Parameters:
  ///   - end: The time of the last frame, which is the current one, in seconds.
  ///   - seconds: The wanted time, in seconds.
  private mutating func findFrame(in end: Double, insteadOf seconds: Double) throws(CoverFailure) {
    if case .percent(let share) = request.time.position, share < 100 {
      // The duration given by the container is not that of its video.
      time = .seconds(end * share / 100)
      warnings.append(
        "the video ends at \(end) s, well before the duration given by the container; used \(share)% of that"
      )
    } else {
      let noun = request.time.isKeyFrame ? "key frame" : "frame"
      warnings.append("the clip ends before \(seconds) s; took the last \(noun)")
      guard request.time.isKeyFrame else { return }
      time = .seconds(end)
    }
    try reopen()
    frame = try clip.decode(at: time, keyFrame: request.time.isKeyFrame)
  }

  // MARK: - Dark starts

  /// The maximum time to search for a frame with visible content, in seconds.
  private static let longestDarkness = 10.0

  /// Advances to the first frame with visible content, or returns to the current frame if none is found in time.
  private mutating func skipDarkness() throws(CoverFailure) {
    if request.time.isKeyFrame {
      // The frames after a key frame that was decoded alone are not at hand.
      time = frame.presentationTime.map { .seconds($0.value) }
      try reopen()
      frame = try clip.decode(at: time)
    }
    guard try !skipDark() else { return }
    warnings.append("no frame with something to see within \(Int(Self.longestDarkness)) s; took the one asked for")
    try reopen()
    frame = try clip.decode(at: time)
  }

  /// Advances to the first frame with visible content; returns false if none is found in time.
  private mutating func skipDark() throws(CoverFailure) -> Bool {
    // A small picture is sufficient to decide, and cheap to render for every frame.
    let size = SizeLimit(width: 64, height: 64)?.fitting(frame.storedSize) ?? frame.storedSize
    let start = frame.presentationTime?.value ?? 0
    while try !clip.render(size: size, layout: .rgb, deinterlaces: false).lumaStatistics().hasContent {
      guard let next = try clip.decodeNext() else { return false }
      if let time = next.presentationTime?.value, time - start > Self.longestDarkness { return false }
      frame = next
    }
    return true
  }
}

extension CoverRequest {
  /// How many times the sides of the stored frame are at least as long as those of the cover; 1 if the cover must be
  /// exact.
  fileprivate func reduction(of clip: ClipFacts) -> Int {
    guard !isExact, !skipsDark, clip.storedWidth > 0, clip.storedHeight > 0 else { return 1 }
    let shown = PixelSize(width: clip.shownWidth, height: clip.shownHeight)
    let cover = fill.map { CoverGeometry.filling($0, with: shown).scaled } ?? size.fitting(shown)
    func sides(_ width: Int, _ height: Int) -> (short: Int, long: Int) { (min(width, height), max(width, height)) }
    let (small, large) = (sides(cover.width, cover.height), sides(clip.storedWidth, clip.storedHeight))
    return min(large.short / small.short, large.long / small.long)
  }
}

extension CoverFailure {
  /// Whether decoding may succeed once the clip has been read completely.
  fileprivate var mayBeForWantOfFacts: Bool {
    switch cause {
    case .damaged, .noFrame, .truncated, .unsupportedCodec: true
    default: false
    }
  }
}
