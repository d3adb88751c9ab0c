internal import CCover
internal import Covers
internal import Pictures

/// The decoding of the frames of an animation.
struct AnimationExtractor: ~Copyable {
  private let descriptor: Int32
  private let request: CoverRequest
  private let plan: AnimationPlan
  private let limits: ClipDecoder.Limits
  private var clip: ClipDecoder
  private var frames = AnimationFrames()
  /// The facts of the first frame.
  private var first: ccover_frame_facts?
  /// The time of the frame that was shown last, in seconds.
  private var lastTime: Double?
  /// The time of the last frame, if the video ends well before the duration given by the container.
  private var earlyEnd: Double?
  private var damaged = 0
  /// Whether the video does not move because packets after its last frame are damaged.
  private var isStuck = false
  private var warnings: [String] = []
  private var firstFailure: CoverFailure?
  private let start = ContinuousClock.now
  private var watch = StopWatch()
  private var milliseconds = CoverFacts.StageTimes(open: 0, decode: 0, convert: 0, encode: 0)

  /// Opens the clip.
  ///
  /// - Throws: `CoverFailure` with the stage `open`, `probe` or `selectStream`.
  init(
    of descriptor: Int32,
    request: CoverRequest,
    plan: AnimationPlan,
    limits: ClipDecoder.Limits
  ) throws(CoverFailure) {
    (self.descriptor, self.request, self.plan, self.limits) = (descriptor, request, plan, limits)
    clip = try ClipDecoder(opening: descriptor, for: request, completely: false, limits: limits)
    milliseconds.open = watch.lap()
  }

  private mutating func reopen() throws(CoverFailure) {
    milliseconds.decode += watch.lap()
    clip = try ClipDecoder(opening: descriptor, for: request, completely: true, limits: limits)
    milliseconds.open += watch.lap()
  }

  /// Decodes all frames.
  ///
  /// - Throws: `CoverFailure` if no frame can be decoded, if the deadline passes, or if the frames have too many pixels.
  mutating func extract() throws(CoverFailure) -> ExtractedAnimation {
    if clip.facts.durationSeconds == nil { try reopen() }
    clip.findDuration(rewinds: true)
    try addFrames()
    if first == nil, let failure = firstFailure, failure.mayNeedFullProbe {
      try reopen()
      try addFrames()
      if first == nil { try addFirstFrame() }
    }
    guard let first else {
      throw firstFailure ?? CoverFailure(stage: .decode, cause: .noFrame, message: "has no frame to show")
    }
    milliseconds.decode += watch.lap()
    return ExtractedAnimation(
      facts: facts(first: first),
      clip: clip.facts,
      plan: plan,
      quality: request.quality,
      damaged: damaged,
      frames: frames,
      end: start + limits.deadline
    )
  }

  // MARK: - Frames

  private mutating func addFrames() throws(CoverFailure) {
    let duration = clip.facts.durationSeconds
    try addSegments(plan.times(duration: duration))
    guard let end = earlyEnd else { return }
    warnings.append(
      "the video ends at \(DecimalText.of(end, places: 0...3)) s, well before the duration given by the container"
    )
    try addSegments(plan.times(duration: end))
  }

  /// Replaces all frames by those of the given times.
  private mutating func addSegments(_ segments: [[Double]]) throws(CoverFailure) {
    (frames, first, lastTime, damaged) = (AnimationFrames(), nil, nil, 0)
    for times in segments where try !addSegment(times, of: segments.joined().count) { return }
  }

  /// Adds the frames of a segment.
  ///
  /// - Parameters:
  ///   - times: The times of the frames in seconds.
  ///   - count: The number of frames of all segments.
  /// - Returns: Whether the video may have further segments.
  private mutating func addSegment(_ times: [Double], of count: Int) throws(CoverFailure) -> Bool {
    var isContinued = false
    for time in times {
      do throws(CoverFailure) {
        let isFirst = !isContinued
        let frame = isFirst ? try frame(at: .seconds(time)) : try nextFrame(at: .seconds(time))
        isContinued = true
        guard let shown = frame.presentationTime?.value else {
          if time == 0 { try addUntimedFrame(frame) }
          return false
        }
        let end = frame.endTime ?? shown + 1 / Double(plan.framesPerSecond)
        if frame.is_last, isAfterEnd(time, end: end) { return false }
        // Nothing has moved since the segment before.
        if time == times.first, shown == lastTime { return true }
        try add(frame, isRepeated: shown == lastTime, of: count)
        lastTime = shown
      } catch {
        guard error.cause != .timedOut, error.cause != .tooLarge, error.stage != .convert else { throw error }
        firstFailure = firstFailure ?? error
        damaged += 1
      }
    }
    return true
  }

  /// Decodes the frame shown at a time.
  private mutating func frame(at time: Duration) throws(CoverFailure) -> ccover_frame_facts {
    isStuck = false
    let key = clip.timeOfKeyFrame(before: time)
    let frame = try clip.decode(at: time)
    guard !frame.is_replacement, !clip.isReplaced(frame, at: time, key: key) else { throw .damagedFrame }
    return frame
  }

  /// Decodes on to the frame shown at a later time.
  private mutating func nextFrame(at time: Duration) throws(CoverFailure) -> ccover_frame_facts {
    let errors = clip.counters.decodeErrors
    let frame = try clip.decodeOn(to: time)
    // If the decoder rejects packets, no frame follows until it finds intact ones.
    let hasMoved = frame.presentationTime?.value != lastTime
    isStuck = !hasMoved && (isStuck || clip.counters.decodeErrors > errors)
    guard !frame.is_replacement, !isStuck else { throw .damagedFrame }
    return frame
  }

  /// Whether the video has ended well before a time that is within the duration, or, if that is unknown, before the
  /// time.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - end: The end of the last frame, or an estimate of it.
  private mutating func isAfterEnd(_ time: Double, end: Double) -> Bool {
    guard clip.facts.durationSeconds != nil else { return time >= end }
    let rate = clip.facts.framesPerSecond ?? 0
    // The pictures of a slide show remain for longer.
    guard earlyEnd == nil, time - end >= max(1, rate > 0 ? 1 / rate : 1) else { return false }
    earlyEnd = end
    return true
  }

  private mutating func addUntimedFrame(_ frame: ccover_frame_facts) throws(CoverFailure) {
    warnings.append("the clip has no timestamps; the animation shows its first frame")
    try add(frame, isRepeated: false, of: 1)
  }

  /// Adds the first frame of a raw stream that can only be decoded from its beginning.
  private mutating func addFirstFrame() throws(CoverFailure) {
    try reopen()
    (frames, damaged) = (AnimationFrames(), 0)
    warnings.append("no frame can be found by its time; the animation shows the first frame")
    try add(try clip.decodeFirst(), isRepeated: false, of: 1)
  }

  private mutating func add(_ frame: ccover_frame_facts, isRepeated: Bool, of count: Int) throws(CoverFailure) {
    guard !isRepeated else { return frames.repeatLast() }
    milliseconds.decode += watch.lap()
    let upright = frame.uprightSize()
    let size = frames.size ?? request.size.fitting(upright)
    guard size.width * size.height * count <= AnimationPlan.maximumPixels else {
      throw .tooManyPixels(size, frames: count)
    }
    let picture = try clip.render(
      size: (SizeLimit(width: size.width, height: size.height) ?? .none).fitting(upright),
      layout: frame.has_alpha ? .rgba : .rgb,
      deinterlaces: request.deinterlaces
    )
    frames.add(picture, on: size)
    damaged += frame.is_corrupt ? 1 : 0
    first = first ?? frame
    milliseconds.convert += watch.lap()
  }

  // MARK: - Facts

  private func facts(first: ccover_frame_facts) -> CoverFacts {
    var frame = first
    // Damage is reported of all frames together.
    frame.is_corrupt = false
    var facts = CoverFacts(
      frame: frame,
      clip: clip.facts,
      size: frames.size ?? PixelSize(width: 1, height: 1),
      alpha: frames.hasAlpha && plan.format == .webp,
      milliseconds: milliseconds
    )
    facts.captureDate = clip.captureDate
    let luma = frames.firstLuma
    (facts.meanLuma, facts.lumaVariance) = (luma.mean, luma.variance)
    facts.warnings += warnings
    if damaged > 0 {
      facts.degradation = facts.degradation ?? .damagedFrames
      facts.warnings.append("\(damaged) frame\(damaged == 1 ? " is" : "s are") damaged")
    }
    return facts
  }
}

extension CoverFailure {
  fileprivate static func tooManyPixels(_ size: PixelSize, frames: Int) -> CoverFailure {
    CoverFailure(
      stage: .encode,
      cause: .tooLarge,
      message: "\(frames) frames of \(size.width)×\(size.height) have more than \(AnimationPlan.maximumPixels) pixels",
      advice: .smallerAnimation
    )
  }
}

extension String {
  /// The advice for an animation that is too large.
  static let smallerAnimation = "choose a smaller --size, a lower --fps or fewer --segments"
}
