internal import CCover
package import Covers
internal import Pictures

/// The search for the frame that a cover shows, in one open clip or, where its header told too little, several times over.
package struct FrameSearch: ~Copyable {
  private let descriptor: Int32
  private let request: CoverRequest
  private let limits: Clip.Limits
  /// Holds the frame that was found.
  private(set) var clip: Clip
  /// Of the frame that was found.
  private(set) var frame = ccover_frame_facts()
  /// What a person should know of the choice.
  private(set) var warnings: [String] = []
  /// Milliseconds in the containers' headers, and in everything behind them.
  private(set) var milliseconds = (open: 0.0, decode: 0.0)
  private var watch = StopWatch()
  /// What was done in clips that were given up for another opening.
  private var earlierWork = Clip.Counters()
  /// What is decoded for; `nil` for the first frame.
  private var time: Duration?

  /// Opens the clip.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor open for reading; stays open, and must as long as this.
  ///   - request: What is wanted.
  ///   - limits: Bounds on the work.
  /// - Throws: `CoverFailure` with the stage `open`, `probe` or `selectStream`.
  package init(in descriptor: Int32, for request: CoverRequest, limits: Clip.Limits) throws(CoverFailure) {
    (self.descriptor, self.request, self.limits) = (descriptor, request, limits)
    // The header alone suffices for the first frame of most clips; any other time needs the start of the stream.
    clip = try Clip(opening: descriptor, for: request, completely: request.time != .first, limits: limits)
    milliseconds.open = watch.lap()
  }

  /// Finds the frame; to be called once.
  ///
  /// - Throws: `CoverFailure` with the stage `openDecoder`, `seek` or `decode`, or of opening the clip once more.
  package mutating func find() throws(CoverFailure) {
    time = wantedTime
    if let time { try findFrame(at: time) } else { try findFirst() }
    if request.skipsDark, try !skipDark() {
      warnings.append("no frame with something to see within \(Int(Self.longestDarkness)) s; took the one asked for")
      try reopen()
      frame = try clip.decode(at: time)
    }
    milliseconds.decode += watch.lap()
  }

  /// What was done so far, in all openings.
  package var work: Clip.Counters { earlierWork + clip.counters }

  /// Converts the frame that was found; see ``Clip/render(size:layout:deinterlaces:)``.
  mutating func render(size: PixelSize, layout: Picture.Layout) throws(CoverFailure) -> Picture {
    try clip.render(size: size, layout: layout, deinterlaces: request.deinterlaces)
  }

  /// The same as a picture that fills a box; see ``Clip/render(filling:_:layout:deinterlaces:)``.
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
    clip = try Clip(opening: descriptor, for: request, completely: true, limits: limits)
    milliseconds.open += watch.lap()
  }

  // MARK: - The first frame

  private mutating func findFirst() throws(CoverFailure) {
    let lacksLoopFilter = request.toleratesHaste(in: clip.facts)
    var haste: Clip.Haste = request.skipsDark ? [] : .oneFrame
    if lacksLoopFilter { haste.insert(.noLoopFilter) }
    do throws(CoverFailure) {
      frame = try clip.decode(at: nil, haste: haste)
      // Frames made from others would add up what those lack.
      guard lacksLoopFilter, !frame.is_key_frame || clip.counters.framesDecoded > 1 else { return }
    } catch {
      guard error.mayBeForWantOfFacts else { throw error }
    }
    try reopen()
    frame = try clip.decode(at: nil)
  }

  // MARK: - A time

  /// The time that the request means in this clip.
  private var wantedTime: Duration? {
    mutating get {
      switch request.time {
      case .first: return nil
      case .seconds(let seconds): return .seconds(seconds)
      case .percent(let share):
        if let duration = clip.facts.durationSeconds { return .seconds(duration * share / 100) }
        warnings.append("the duration is unknown, so \(share)% of it is too; took the first frame")
        return nil
      }
    }
  }

  private mutating func findFrame(at time: Duration) throws(CoverFailure) {
    frame = try clip.decode(at: time)
    let seconds = time / .seconds(1)
    guard let actual = frame.presentationTime?.value else {
      warnings.append("the clip has no times; took its first frame")
      return
    }
    // The last frame is still shown a while after it came.
    guard frame.is_last, seconds - actual >= 1 else { return }
    guard case .percent(let share) = request.time, share < 100 else {
      warnings.append("the clip ends before \(seconds) s; took the last frame")
      return
    }
    // What the container calls its duration is not that of its video.
    self.time = .seconds(actual * share / 100)
    try reopen()
    frame = try clip.decode(at: self.time)
    warnings.append("its video ends at \(actual) s, long before its duration says; took \(share)% of that")
  }

  // MARK: - Dark starts

  /// How far to look for a frame with something to see, in seconds.
  private static let longestDarkness = 10.0

  /// Goes on to the first frame with something to see; false when none comes in time.
  private mutating func skipDark() throws(CoverFailure) -> Bool {
    // A small picture tells as much, and costs little for every frame.
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
  /// Whether nobody will see that the frame lacks the decoder's last, smoothing step.
  fileprivate func toleratesHaste(in clip: ClipFacts) -> Bool {
    guard !isExact, !skipsDark, clip.storedWidth > 0, clip.storedHeight > 0 else { return false }
    let cover = size.fitting(PixelSize(width: clip.shownWidth, height: clip.shownHeight))
    func sides(_ width: Int, _ height: Int) -> (short: Int, long: Int) { (min(width, height), max(width, height)) }
    let (small, large) = (sides(cover.width, cover.height), sides(clip.storedWidth, clip.storedHeight))
    return 2 * small.short <= large.short && 2 * small.long <= large.long
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
