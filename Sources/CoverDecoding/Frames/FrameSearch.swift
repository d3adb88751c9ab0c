internal import CCover
package import Covers
internal import Pictures

/// The search for the frame that a cover shows.
///
/// If the first frame cannot be decoded, the clip is opened again and read completely. A search may also use a clip
/// that an earlier one left open. The result must not depend on that. So only MP4 and MOV files are left open, and if
/// the frame found there is not perfect, the clip is opened again.
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
  /// The best frame, if it was asked for and is intact.
  private(set) var best: BestFrame.Candidate?

  /// Whether an earlier search left the clip open.
  private let isReused: Bool
  /// Whether the clip holds the frame that an earlier search found by its time.
  private var holdsFrame = false
  /// Whether another search may use the clip after this one.
  private var isReusable = false

  /// Opens the clip, unless an earlier search left it open.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor open for reading; it is not closed, and must stay open for the whole search.
  ///   - request: The request.
  ///   - limits: Limits on the work.
  ///   - reusable: The clip as an earlier search left it.
  ///   - best: The best frame, if an earlier search in the same stream found it.
  /// - Throws: `CoverFailure` with the stage `open`, `probe` or `selectStream`.
  package init(
    in descriptor: Int32,
    for request: CoverRequest,
    limits: ClipDecoder.Limits,
    reusing reusable: consuming ReusableClip? = nil,
    best: BestFrame.Candidate? = nil
  ) throws(CoverFailure) {
    (self.descriptor, self.request, self.limits, self.best) = (descriptor, request, limits, best)
    switch consume reusable {
    case .some(let reusable) where reusable.suits(request):
      (isReused, holdsFrame) = (true, reusable.holdsFrame)
      clip = reusable.clip
      clip.setDeadline(limits.deadline)
    default:
      isReused = false
      clip = try ClipDecoder(opening: descriptor, for: request, completely: false, limits: limits)
    }
    milliseconds.open = watch.lap()
  }

  /// Finds the frame; must be called only once.
  ///
  /// - Throws: `CoverFailure` with the stage `openDecoder`, `seek` or `decode`, or a failure to open the clip again.
  package mutating func find() throws(CoverFailure) {
    let isFound = isReused ? try findPerfectFrame() : false
    if isReused, !isFound {
      warnings = []
      try reopen(completely: false)
    }
    if !isFound { try findAnyFrame() }
    let hasDuration = clip.facts.durationSeconds != nil
    isReusable =
      request.time != .first && !request.excludesEarlierFrames && isPerfect && hasDuration && clip.facts.hasFixedIndex
    clip.findDuration()
    milliseconds.decode += watch.lap()
  }

  /// Whether the frame is the requested one, and intact.
  private var isPerfect: Bool {
    warnings.isEmpty && !frame.is_corrupt && !frame.is_replacement && frame.presentationTime != nil
  }

  /// Finds the frame in a clip that an earlier search left open.
  ///
  /// - Returns: Whether the frame is certainly that of a search in a clip that is opened again.
  /// - Throws: `CoverFailure` if the deadline passes.
  private mutating func findPerfectFrame() throws(CoverFailure) -> Bool {
    guard !request.excludesEarlierFrames, let position = request.time.position, let time = time(of: position) else {
      return false
    }
    let errors = clip.counters.decodeErrors
    do throws(CoverFailure) {
      let continues = holdsFrame && !request.time.isKeyFrame && clip.leads(to: time)
      frame =
        continues ? try clip.decodeOn(to: time) : try clip.decode(at: time, isKeyFrame: request.time.isKeyFrame)
    } catch  where error.cause == .timedOut {
      throw error
    } catch {
      return false
    }
    let isRightKind = frame.is_key_frame || !request.time.isKeyFrame
    return isPerfect && isRightKind && !frame.is_last && clip.counters.decodeErrors == errors
  }

  private mutating func findAnyFrame() throws(CoverFailure) {
    switch request.time {
    case _ where clip.hasOnePicture: try findFirst()
    case .first: try findFirst()
    case .best: try findBest()
    case .frame(let position), .keyFrame(let position):
      if let time = time(of: position) { try findFrame(at: time) } else { try findFirst() }
    }
  }

  /// The work done in all openings of the clip.
  package var work: ClipDecoder.Counters { earlierWork + clip.counters }

  /// The number of pixels of a frame that does not fit into memory together with a picture and several other frames.
  private static let pixelsOfLargeFrame = 16 << 20

  /// Frees the other frames of the decoder if the frame that was found is large.
  private mutating func makeRoom() {
    let size = frame.storedSize
    if size.width * size.height > Self.pixelsOfLargeFrame { clip.releaseDecoder() }
  }

  /// Converts the frame that was found; see ``ClipDecoder/render(size:layout:deinterlaces:)``.
  mutating func render(size: PixelSize, layout: Picture.Layout) throws(CoverFailure) -> Picture {
    makeRoom()
    return try clip.render(size: size, layout: layout, deinterlaces: request.deinterlaces)
  }

  /// Converts the frame that was found into a picture that fills a box; see
  /// ``ClipDecoder/render(filling:_:layout:deinterlaces:)``.
  mutating func render(
    filling box: SizeLimit,
    _ filling: CoverGeometry.Filling,
    layout: Picture.Layout
  ) throws(CoverFailure) -> Picture {
    makeRoom()
    return try clip.render(filling: box, filling, layout: layout, deinterlaces: request.deinterlaces)
  }

  /// Ends the search, and returns the clip if another search may use it.
  consuming func reusableClip() -> ReusableClip? {
    guard isReusable else { return nil }
    var holdsFrame = false
    if case .frame = request.time { holdsFrame = true }
    return ReusableClip(clip: clip, source: FrameSource(request), holdsFrame: holdsFrame)
  }

  private mutating func reopen(completely: Bool = true) throws(CoverFailure) {
    milliseconds.decode += watch.lap()
    earlierWork = work
    clip = try ClipDecoder(opening: descriptor, for: request, completely: completely, limits: limits)
    milliseconds.open += watch.lap()
  }

  /// Reads the clip completely after a failure that missing facts may explain; otherwise throws the failure.
  private mutating func reopen(after failure: CoverFailure) throws(CoverFailure) {
    guard failure.mayNeedFullProbe else { throw failure }
    try reopen()
  }

  // MARK: - First frame

  private mutating func findFirst() throws(CoverFailure) {
    let reduction = request.reduction(of: clip.facts)
    do throws(CoverFailure) {
      frame = try clip.decodeFirst(reduction: reduction)
    } catch {
      try reopen(after: error)
      frame = try clip.decodeFirst()
    }
  }

  // MARK: - Frame at a time

  /// Returns a position as a time in this clip; `nil` for the first frame.
  private mutating func time(of position: RequestedTime.Position) -> Duration? {
    switch position {
    case .seconds(let seconds): return .seconds(seconds)
    case .percent(let share):
      clip.findDuration(rewinds: true)
      if let duration = clip.facts.durationSeconds { return .seconds(duration * share / 100) }
      warnings.append("the duration is unknown, so \(Self.text(share))% cannot be found; used the first frame")
      return nil
    }
  }

  private mutating func findFrame(at time: Duration) throws(CoverFailure) {
    do throws(CoverFailure) {
      frame = try clip.decode(at: time, isKeyFrame: request.time.isKeyFrame)
    } catch {
      try reopen(after: error)
      do throws(CoverFailure) {
        frame = try clip.decode(at: time, isKeyFrame: request.time.isKeyFrame)
      } catch  where error.mayNeedFullProbe {
        try findFrameFromBeginning(at: time)
      }
    }
    if request.excludesEarlierFrames { try passFrame(before: time) }
    let seconds = time / .seconds(1)
    guard let actual = frame.presentationTime?.value else {
      warnings.append("the clip has no timestamps; used the first frame")
      return
    }
    // If it is unknown when the last frame ends, it is displayed for a while.
    let end = max(actual, frame.endTime ?? actual, frame.replacedTime ?? actual)
    if frame.is_last, seconds - end >= 1 {
      try findFrame(in: end, insteadOf: seconds)
    } else if frame.is_replacement {
      warnings.append("the frame at that time seems to be damaged; used the last intact one before it")
    }
    if request.time.isKeyFrame, !frame.is_key_frame {
      warnings.append("no key frame was found at or before that time; used the frame at that time")
    }
  }

  /// Goes on to the next frame if the present one starts before a time, which is rounded to the clock of the stream.
  private mutating func passFrame(before time: Duration) throws(CoverFailure) {
    guard frame.timestamp != ccover_unknown_time, let base = Rational(frame.time_base), !frame.is_last else { return }
    let wanted = (time / .seconds(1) / base.value).rounded()
    guard Double(frame.timestamp) - Double(frame.start) < wanted, let next = try clip.decodeNext() else { return }
    frame = next
  }

  /// Returns seconds or a percentage for a warning.
  private static func text(_ value: Double) -> String { DecimalText.of(value, places: 0...3) }

  /// Finds the frame in a clip whose container has no index, or that can only be decoded from its beginning.
  private mutating func findFrameFromBeginning(at time: Duration) throws(CoverFailure) {
    try reopen()
    frame = try clip.decodeFirst()
    if frame.presentationTime != nil { frame = try clip.decodeOn(to: time) }
  }

  /// Finds the frame in a video that ends well before the wanted time.
  ///
  /// - Parameters:
  ///   - end: The end of the last frame, which is the current one, in seconds.
  ///   - seconds: The wanted time, in seconds.
  private mutating func findFrame(in end: Double, insteadOf seconds: Double) throws(CoverFailure) {
    var time = end
    if case .percent(let share) = request.time.position, share < 100 {
      // The duration given by the container is not that of its video.
      time = end * share / 100
      warnings.append(
        "the video ends at \(Self.text(end)) s, well before the duration given by the container; "
          + "used \(Self.text(share))% of that"
      )
    } else {
      let noun = request.time.isKeyFrame ? "key frame" : "frame"
      warnings.append("the clip ends before \(Self.text(seconds)) s; used the last \(noun)")
      guard request.time.isKeyFrame else { return }
    }
    frame = try clip.decode(at: .seconds(time), isKeyFrame: request.time.isKeyFrame)
  }

  // MARK: - Best frame

  private mutating func findBest() throws(CoverFailure) {
    if best == nil { best = searchBest() }
    guard let best else {
      // No frame is intact; as the first frame, the least damaged one is chosen.
      try reopen()
      frame = try clip.decodeFirst()
      return
    }
    do throws(CoverFailure) {
      frame = try clip.decode(at: best.time, isKeyFrame: best.isKeyFrame)
    } catch {
      // In some damaged clips, seeking does not work any more after the end has been read.
      try reopen()
      frame = try clip.decode(at: best.time, isKeyFrame: best.isKeyFrame)
    }
  }

  private mutating func searchBest() -> BestFrame.Candidate? {
    var search = BestFrame(deadline: limits.deadline)
    clip.setDraft(true)
    search.search(&clip)
    clip.setDraft(false)
    return search.best
  }
}

extension CoverRequest {
  /// How many times the sides of the stored frame are at least as long as those of the cover; 1 if the cover must be
  /// exact.
  fileprivate func reduction(of clip: ClipFacts) -> Int {
    guard !isExact, clip.storedWidth > 0, clip.storedHeight > 0 else { return 1 }
    let shown = PixelSize(width: clip.shownWidth, height: clip.shownHeight)
    let cover = fill.map { CoverGeometry.filling($0, with: shown).scaled } ?? size.fitting(shown)
    func sides(_ width: Int, _ height: Int) -> (short: Int, long: Int) { (min(width, height), max(width, height)) }
    let (small, large) = (sides(cover.width, cover.height), sides(clip.storedWidth, clip.storedHeight))
    return min(large.short / small.short, large.long / small.long)
  }
}

extension ClipFacts {
  /// Whether the whole index is read when the clip is opened.
  ///
  /// In other containers, the index grows as packets are read, and later seeks may end elsewhere.
  fileprivate var hasFixedIndex: Bool { container.hasPrefix("mov,") }
}

extension CoverFailure {
  /// Whether decoding may succeed once the clip has been read completely.
  var mayNeedFullProbe: Bool {
    switch cause {
    case .damaged, .noFrame, .truncated, .unsupportedCodec: true
    default: false
    }
  }
}
