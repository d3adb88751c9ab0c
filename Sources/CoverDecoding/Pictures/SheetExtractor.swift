internal import CCover
internal import Covers
internal import Pictures

/// The making of a sheet: frames of a clip as the tiles of one picture.
struct SheetExtractor: ~Copyable {
  private let descriptor: Int32
  private let request: CoverRequest
  private let plan: SheetPlan
  private let limits: ClipDecoder.Limits
  private var clip: ClipDecoder
  private var canvas: TileCanvas
  /// The times of the tiles drawn; `nil` for frames that cannot be decoded.
  private var times: [Double?] = []
  /// What is compared of the tiles drawn, if the plan compares them.
  private var looks: [FrameLook?] = []
  /// The facts of the first frame.
  private var first: ccover_frame_facts?
  /// The number of tiles with a frame that is damaged.
  private var damagedTiles = 0
  private var firstFailure: CoverFailure?
  private var warnings: [String] = []
  /// The number of tiles that the whole sheet will have, or has room for.
  private var expectedTiles: Int
  private var watch = StopWatch()
  private var milliseconds = CoverFacts.StageTimes(open: 0, decode: 0, convert: 0, encode: 0)

  /// Opens the clip.
  ///
  /// - Throws: `CoverFailure` with the stage `open`, `probe` or `selectStream`.
  init(
    of descriptor: Int32,
    request: CoverRequest,
    plan: SheetPlan,
    limits: ClipDecoder.Limits
  ) throws(CoverFailure) {
    (self.descriptor, self.request, self.plan, self.limits) = (descriptor, request, plan, limits)
    clip = try ClipDecoder(opening: descriptor, for: request, completely: false, limits: limits)
    canvas = TileCanvas(plan)
    expectedTiles = plan.capacity
    milliseconds.open = watch.lap()
  }

  private mutating func reopen() throws(CoverFailure) {
    milliseconds.decode += watch.lap()
    clip = try ClipDecoder(opening: descriptor, for: request, completely: true, limits: limits)
    milliseconds.open += watch.lap()
  }

  /// Decodes all tiles and returns the sheet.
  ///
  /// - Throws: `CoverFailure` if no frame can be decoded, if the deadline passes, if the clip has too many tiles, or if
  ///   half of them cannot be decoded without knowing the others.
  mutating func extract() throws(CoverFailure) -> ExtractedPicture {
    // Without the duration, the end of the clip is known only when it is reached.
    if clip.facts.durationSeconds == nil { try reopen() }
    clip.findDuration(rewinds: true)
    let duration = clip.facts.durationSeconds
    if plan.half != nil, duration == nil { throw .inseparable }
    try checkCount(duration: duration)
    if let duration, !plan.isPadded { expectedTiles = max(1, plan.times(duration: duration).count) }
    try addTiles(duration: duration)
    if plan.half != nil, first == nil || !warnings.isEmpty || clip.hasFalseKeyFrames { throw .inseparable }
    if first == nil, let failure = firstFailure, failure.mayNeedFullProbe {
      try reopen()
      try addTiles(duration: duration)
      if first == nil { try doWithoutFrames() }
    }
    guard let first else {
      throw firstFailure ?? CoverFailure(stage: .decode, cause: .noFrame, message: "the clip ends before this sheet")
    }
    let clipFacts = clip.facts.completed(by: first)
    let picture = canvas.picture(of: times)
    milliseconds.convert += watch.lap()
    return ExtractedPicture(
      facts: facts(of: picture, first: first, clip: clipFacts),
      clip: clipFacts,
      picture: picture
    )
  }

  /// Completes a sheet if no frame can be decoded by its time.
  private mutating func doWithoutFrames() throws(CoverFailure) {
    if let tile = plan.tileSize {
      // The clip is damaged for as long as this sheet, but there are others.
      _ = canvas.size(of: PixelSize(width: tile.width, height: tile.height), within: tile)
      first = ccover_frame_facts()
    } else if clip.isRaw || clip.facts.durationSeconds == nil {
      // Some raw streams, and files without an index, can only be decoded from their beginning.
      try reopen()
      (times, looks) = ([], [])
      try addTile(try clip.decodeFirst(), at: 0)
      if warnings.isEmpty { warnings.append("no frame can be decoded by its time; used the first frame") }
    }
  }

  private func checkCount(duration: Double?) throws(CoverFailure) {
    guard let duration else { return }
    let count = plan.tileCount(duration: duration)
    if request.style != nil, count > plan.capacity {
      throw .tooManyTiles(count, most: plan.capacity, of: "contact sheet")
    }
    if count > SheetPlan.maximumTiles { throw .tooManyTiles(count, most: SheetPlan.maximumTiles, of: "storyboard") }
  }

  private mutating func addTiles(duration: Double?) throws(CoverFailure) {
    let series = series(of: plan.times(duration: duration))
    let end = try addTiles(at: series, gap: plan.gap(duration: duration), duration: duration)
    // The last frame is displayed for a while. If the difference is larger, the duration given by the container is
    // not that of its video.
    if case .spread = plan.frames, let end, Self.isEarly(end, for: duration) {
      if plan.half != nil { throw .inseparable }
      _ = try addTiles(at: [plan.times(duration: end)], gap: plan.gap(duration: end), duration: duration)
    }
    let wanted = series.flatMap(\.self)
    if case .spread = plan.frames, times.count < wanted.count, damagedTiles == 0, let duration {
      try addOtherFrames(insteadOf: wanted, duration: duration)
    }
    if duration == nil, plan.dependsOnDuration, warnings.isEmpty {
      warnings.append("the duration is unknown, so frames cannot be spread over the clip; used the first frame")
    }
  }

  /// Draws other frames if fewer were found than wanted: all of them, or those of the spans where the picture changes.
  private mutating func addOtherFrames(insteadOf wanted: [Double], duration: Double) throws(CoverFailure) {
    defer { milliseconds.decode += watch.lap() }
    var other = try ClipDecoder(opening: descriptor, for: request, completely: true, limits: limits)
    if let all = try FrameTimes.all(of: &other, atMost: plan.times(duration: duration).count) {
      guard all.count > times.count else { return }
      if plan.half != nil { throw .inseparable }
      // A little later, so that no rounded time is that of the frame before.
      _ = try addTiles(at: [all.map { $0 + 0.0005 }], gap: 0, duration: duration)
    } else if times.count * 2 < wanted.count {
      if plan.half != nil { throw .inseparable }
      let holds = try FrameTimes.holds(in: &clip, at: wanted, until: duration, longerThan: plan.gap(duration: duration))
      let changing = holds.reduce(duration) { $0 - ($1.upperBound - $1.lowerBound) }
      guard !holds.isEmpty, changing > 0 else { return }
      let found = plan.times(duration: changing).map { time in
        holds.reduce(time) { $1.lowerBound <= $0 ? $0 + ($1.upperBound - $1.lowerBound) : $0 }
      }
      _ = try addTiles(at: [found], gap: plan.gap(duration: changing), duration: duration)
    }
  }

  /// Whether the video ends so early that the duration given by the container cannot be that of the video.
  private static func isEarly(_ end: Double, for duration: Double?) -> Bool {
    duration.map { end < $0 * 0.9 && $0 - end >= 1 } ?? false
  }

  /// Whether the clip has no further tiles: at a time past the end of the video if the duration is unknown, and
  /// otherwise if a further sheet would only repeat the last frame.
  private func isComplete(at frame: ccover_frame_facts?, duration: Double?) -> Bool {
    guard let duration else { return true }
    guard case .every = plan.frames, plan.number > 0, times.isEmpty else { return false }
    return frame?.presentationTime.map { Self.isEarly($0.value, for: duration) } ?? false
  }

  /// Divides the times of the tiles into series that are decoded independently.
  private mutating func series(of times: [Double]) -> [[Double]] {
    let middle = SheetPlan.hasTwoSeries(times.count) ? middle(of: times) : times.count
    let (first, second) = (Array(times[..<middle]), Array(times[middle...]))
    return switch plan.half {
    case nil: [first, second]
    case .first: [first]
    case .second: [second]
    }
  }

  /// Returns the number of the second series' first tile, chosen so that neither series takes much longer than the
  /// other.
  ///
  /// Nothing has to be decoded twice if the second series begins at a key frame. Unless one lies just before the
  /// middle, the last key frames before the middle and before the last quarter are compared.
  private mutating func middle(of times: [Double]) -> Int {
    let middle = times.count / 2
    var best = (number: middle, cost: Double.infinity)
    for number in [middle, times.count * 3 / 4] {
      guard let key = clip.timeOfKeyFrame(before: .seconds(times[number])).map({ $0 / .seconds(1) }) else { continue }
      let first = max(1, times.firstIndex { $0 >= key } ?? number)
      let cost = max(times[first - 1] - times[0], (times.last ?? key) - key)
      if cost < best.cost { best = (first, cost) }
      if first == middle { break }
    }
    return best.number
  }

  /// Draws all tiles, instead of those drawn before.
  ///
  /// - Parameters:
  ///   - series: The times of the tiles, in series that are independent of one another.
  ///   - gap: The time between two tiles.
  ///   - duration: The duration of the clip; if it is unknown, tiles after the end are left out.
  /// - Returns: The end of the video, if that is earlier than a tile.
  private mutating func addTiles(
    at series: [[Double]],
    gap: Double,
    duration: Double?
  ) throws(CoverFailure) -> Double? {
    var end: Double?
    (times, looks, damagedTiles) = ([], [], 0)
    canvas.room = max(1, series.reduce(0) { $0 + $1.count })
    for wanted in series {
      guard try addTiles(at: wanted, gap: gap, duration: duration, end: &end) else { break }
    }
    return end
  }

  /// Draws the tiles of a series after those of the series before.
  ///
  /// - Parameters:
  ///   - wanted: The times of the tiles.
  ///   - gap: The time between two tiles.
  ///   - duration: The duration of the clip.
  ///   - end: Set to the end of the video, if that is earlier than a tile.
  /// - Returns: Whether the clip may have further tiles.
  private mutating func addTiles(
    at wanted: [Double],
    gap: Double,
    duration: Double?,
    end: inout Double?
  ) throws(CoverFailure) -> Bool {
    var frames = FrameSeries(
      interval: .seconds(gap),
      usesKeyFrames: plan.usesKeyFrames,
      allowsRepeats: !plan.isWithoutRepeats
    )
    for time in wanted {
      do throws(CoverFailure) {
        let found = try frames.frame(at: .seconds(time), of: &clip)
        // If the video is shorter than the clip, its last frame remains visible.
        if found.isPastEnd, isComplete(at: found.frame, duration: duration) { return false }
        milliseconds.decode += watch.lap()
        try addTile(found.frame, at: time)
        warn(about: found.frame, at: time)
        if found.isPastEnd { end = end ?? times.last ?? nil }
        milliseconds.convert += watch.lap()
      } catch {
        guard error.cause != .timedOut, error.stage != .encode else { throw error }
        firstFailure = firstFailure ?? error
        times.append(nil)
        looks.append(nil)
      }
    }
    return true
  }

  /// Warns about a time after the end of the clip.
  private mutating func warn(about frame: ccover_frame_facts?, at time: Double) {
    // The last frame is displayed for a while after its presentation time.
    guard case .at = plan.frames, let frame, frame.is_last, let shown = frame.presentationTime?.value,
      time - max(shown, frame.endTime ?? shown) >= 1
    else { return }
    warnings.append("the clip ends before \(DecimalText.of(time, places: 0...3)) s; used the last frame")
  }

  /// - Parameter frame: The frame that the clip holds; `nil` if it is that of the tile before.
  private mutating func addTile(_ frame: ccover_frame_facts?, at time: Double) throws(CoverFailure) {
    let shown = frame?.presentationTime.map { ($0.value * 1000).rounded() / 1000 }
    // Without a time, it is unknown whether the other half has the same frame.
    if plan.half != nil, frame != nil, shown == nil { throw .inseparable }
    // A clip with fewer frames than wanted has fewer tiles, unless they are at intervals.
    if plan.isWithoutRepeats, !times.isEmpty, frame == nil || shown == nil || shown == times.last { return }
    guard let frame else {
      canvas.repeatTile(at: times.count)
      times.append(times.last ?? nil)
      looks.append(looks.last ?? nil)
      return
    }
    let size = canvas.size(of: frame.uprightSize(), within: request.size)
    let sheet = plan.size(tiles: expectedTiles, tile: canvas.tileSize)
    guard sheet.width * sheet.height <= SheetPlan.maximumPixels else {
      throw request.style == nil ? .tooLargeSheet(sheet) : .tooLargeFrames(canvas.tileSize, count: expectedTiles)
    }
    var picture = try clip.render(
      size: size,
      layout: frame.has_alpha ? .rgba : .rgb,
      deinterlaces: request.deinterlaces
    )
    if picture.layout.hasAlpha { picture = picture.flattened(red: 0, green: 0, blue: 0) }
    canvas.draw(picture, at: times.count)
    looks.append(plan.comparesTiles ? FrameLook(picture.lumaStatistics()) : nil)
    first = first ?? frame
    damagedTiles += frame.is_corrupt ? 1 : 0
    times.append(shown ?? time)
  }

  private func facts(
    of picture: borrowing Picture,
    first: ccover_frame_facts,
    clip: ClipFacts
  ) -> CoverFacts {
    var frame = first
    // Damage is reported of all tiles together.
    frame.is_corrupt = false
    var facts = CoverFacts(
      frame: frame,
      clip: clip,
      size: PixelSize(width: picture.width, height: picture.height),
      alpha: false,
      milliseconds: milliseconds
    )
    facts.captureDate = self.clip.captureDate
    let damaged = damagedTiles + times.count { $0 == nil }
    var tiles = CoverFacts.Tiles(size: canvas.tileSize, times: times, damaged: damaged)
    tiles.looks = plan.comparesTiles ? looks : nil
    facts.tiles = tiles
    facts.warnings += warnings
    if damaged > 0 { facts.degradation = facts.degradation ?? .damagedTiles }
    return facts
  }
}

extension CoverFailure {
  /// Half of the tiles depend on the others; the caller then lets one decoder decode all.
  fileprivate static let inseparable = CoverFailure(
    stage: .decode,
    cause: .noFrame,
    message: "half of the sheet cannot be decoded without the other"
  )

  fileprivate static func tooLargeSheet(_ size: PixelSize) -> CoverFailure {
    CoverFailure(
      stage: .encode,
      cause: .tooLarge,
      message: "a sheet would have \(size.width)×\(size.height) pixels, "
        + "more than the limit of \(SheetPlan.maximumPixels)",
      advice: "choose smaller tiles, or fewer per sheet"
    )
  }

  fileprivate static func tooLargeFrames(_ size: PixelSize, count: Int) -> CoverFailure {
    CoverFailure(
      stage: .encode,
      cause: .tooLarge,
      message: "\(count) frames of \(size.width)×\(size.height) have more than \(SheetPlan.maximumPixels) pixels",
      advice: "choose a smaller --size, or fewer frames"
    )
  }

  fileprivate static func tooManyTiles(_ count: Int, most: Int, of product: String) -> CoverFailure {
    CoverFailure(
      stage: .probe,
      cause: .tooLarge,
      message: "the \(product) would have \(count) tiles; the limit is \(most)",
      advice: "choose a longer interval"
    )
  }
}
