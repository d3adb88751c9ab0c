internal import CCover
package import Covers
internal import Pictures

/// Makes covers in the current process: reads an open clip and writes a picture to an open file.
package enum CoverExtractor {
  /// Returns the facts and details of a clip.
  ///
  /// - Parameters:
  ///   - clip: A descriptor open for reading; it is not closed.
  ///   - programme: The number of the programme of a transport stream that is examined; `nil` for the first one.
  ///   - limits: Limits on the work.
  /// - Throws: `CoverFailure`.
  package static func probe(
    _ clip: Int32,
    programme: Int? = nil,
    limits: ClipDecoder.Limits = ClipDecoder.Limits()
  ) throws(CoverFailure) -> ProbedClip {
    var request = CoverRequest()
    request.programme = programme
    var decoder = try ClipDecoder(opening: clip, for: request, completely: true, limits: limits)
    decoder.lookAtFrame()
    decoder.findRawDuration()
    // Before other parts of a transport stream are read: that may add streams.
    let details = decoder.details
    decoder.findDuration(comparing: 64)
    return ProbedClip(facts: decoder.facts, details: details)
  }

  /// Returns the streams of a clip without video, and the metadata of its recording.
  ///
  /// - Parameters:
  ///   - clip: A descriptor open for reading; it is not closed.
  ///   - limits: Limits on the work.
  /// - Throws: `CoverFailure`.
  package static func details(
    ofClipWithoutVideo clip: Int32,
    limits: ClipDecoder.Limits = ClipDecoder.Limits()
  ) throws(CoverFailure) -> ClipDetails {
    try ClipDetails(ofClipWithoutVideo: clip, limits: limits)
  }

  /// Decodes the wanted frame of a clip, or all frames of a sheet or an animation, and writes it as a picture.
  ///
  /// - Parameters:
  ///   - clip: A descriptor open for reading; it is not closed.
  ///   - request: The request.
  ///   - output: A descriptor open for writing, at the start of an empty file; it is not closed. Nothing is written to
  ///     it before the whole picture is ready.
  ///   - texts: Texts to store in the picture. The facts of the cover, the clip's type and duration, which only the
  ///     decoder knows, and the software are added.
  ///   - limits: Limits on the work.
  /// - Throws: `CoverFailure`; the output may then contain part of a picture.
  package static func makeCover(
    of clip: Int32,
    request: CoverRequest,
    into output: Int32,
    texts: [CoverText] = [],
    limits: ClipDecoder.Limits = ClipDecoder.Limits()
  ) throws(CoverFailure) -> CoverFacts {
    if let plan = request.animation {
      let animation = try explaining(clip) { () throws(CoverFailure) in
        var extractor = try AnimationExtractor(of: clip, request: request, plan: plan, limits: limits)
        return try extractor.extract()
      }
      return try write(animation, to: output, texts: texts)
    }
    guard let plan = request.sheet else {
      var covers = ClipCovers(of: clip)
      return try covers.makeCover(request, into: output, texts: texts, limits: limits)
    }
    let sheet = try extractSheet(of: clip, request: request, plan: plan, limits: limits)
    return try write(sheet, as: request, to: output, texts: texts)
  }

  static func extractSheet(
    of clip: Int32,
    request: CoverRequest,
    plan: SheetPlan,
    limits: ClipDecoder.Limits
  ) throws(CoverFailure) -> ExtractedPicture {
    try explaining(clip) { () throws(CoverFailure) in
      var extractor = try SheetExtractor(of: clip, request: request, plan: plan, limits: limits)
      return try extractor.extract()
    }
  }

  /// Makes the failure of work on a clip more precise where its content explains it.
  static func explaining<Result: ~Copyable>(
    _ clip: Int32,
    _ work: () throws(CoverFailure) -> Result
  ) throws(CoverFailure) -> Result {
    do throws(CoverFailure) {
      return try work()
    } catch {
      throw EnhancedFLV.explain(error, of: clip)
    }
  }

  /// Converts the frame that a search has found.
  static func extractCover(
    from search: inout FrameSearch,
    request: CoverRequest
  ) throws(CoverFailure) -> ExtractedPicture {
    let frame = search.frame
    let clipFacts = search.clip.facts
    var watch = StopWatch()

    var picture = try render(&search, request: request)
    if picture.layout.hasAlpha, let ground = request.background {
      picture = picture.flattened(red: ground.red, green: ground.green, blue: ground.blue)
    }
    let convertTime = watch.lap()

    var facts = CoverFacts(
      frame: frame,
      clip: clipFacts,
      size: PixelSize(width: picture.width, height: picture.height),
      alpha: picture.layout.hasAlpha && request.format != .jpeg,
      milliseconds: .init(
        open: search.milliseconds.open,
        decode: search.milliseconds.decode,
        convert: convertTime,
        encode: 0
      )
    )
    facts.captureDate = search.clip.captureDate
    facts.score = request.time == .best ? search.best?.score : nil
    facts.warnings += search.warnings
    return ExtractedPicture(facts: facts, clip: clipFacts, picture: picture)
  }

  // MARK: - Picture

  private static func render(_ search: inout FrameSearch, request: CoverRequest) throws(CoverFailure) -> Picture {
    let frame = search.frame
    let full = frame.uprightSize(keepsStorageShape: request.keepsStorageShape)
    let layout = layout(for: frame, request: request)
    guard let box = request.fill else { return try search.render(size: request.size.fitting(full), layout: layout) }
    return try search.render(filling: box, CoverGeometry.filling(box, with: full), layout: layout)
  }

  private static func layout(for frame: ccover_frame_facts, request: CoverRequest) -> Picture.Layout {
    switch (frame.has_alpha, request.bitDepth == 16) {
    case (false, false): .rgb
    case (true, false): .rgba
    case (false, true): .rgb16
    case (true, true): .rgba16
    }
  }

  // MARK: - File

  private static func allTexts(_ texts: [CoverText], _ facts: CoverFacts, _ clip: ClipFacts) -> [CoverText] {
    texts + (facts.text.map { [$0] } ?? []) + ownTexts(clip)
  }

  /// Writes the animation and returns its facts, completed by the time that took.
  private static func write(
    _ animation: ExtractedAnimation,
    to output: Int32,
    texts: [CoverText]
  ) throws(CoverFailure) -> CoverFacts {
    var watch = StopWatch()
    var file = try animation.file { facts in allTexts(texts, facts, animation.clip) }
    try writeAll(file.bytes.span.bytes, to: output)
    file.facts.milliseconds?.encode = watch.lap()
    return file.facts
  }

  private static func ownTexts(_ facts: ClipFacts) -> [CoverText] {
    var texts = [CoverText(.mimeType, facts.mimeType), CoverText(.software, "ClipCanvas \(ClipCanvasVersion.current)")]
    if let duration = facts.durationSeconds {
      texts.append(CoverText(.movieLength, "\(Int(duration.rounded()))"))
    }
    return texts
  }

  /// Writes the picture and returns its facts, completed by the time that took.
  static func write(
    _ extracted: borrowing ExtractedPicture,
    as request: CoverRequest,
    to output: Int32,
    texts: [CoverText]
  ) throws(CoverFailure) -> CoverFacts {
    var watch = StopWatch()
    var facts = extracted.facts
    let texts = allTexts(texts, facts, extracted.clip)
    switch request.format {
    case .png: try writePNG(extracted.picture, to: output, texts: texts)
    case .jpeg: try extracted.picture.write(CCOVER_JPEG, quality: request.quality, to: output, texts: texts)
    case .webp: try extracted.picture.write(CCOVER_WEBP, quality: request.quality, to: output, texts: texts)
    }
    facts.milliseconds?.encode = watch.lap()
    return facts
  }

  private static func writePNG(
    _ picture: borrowing Picture,
    to output: Int32,
    texts: [CoverText]
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

/// A picture that is ready to be written, with its facts and those of its clip.
struct ExtractedPicture: ~Copyable {
  let facts: CoverFacts
  let clip: ClipFacts
  let picture: Picture

  /// Adds the brightness of the picture to its facts, and unless it is a sheet, its hash.
  init(facts: CoverFacts, clip: ClipFacts, picture: consuming Picture) {
    var facts = facts
    let luma = picture.lumaStatistics()
    (facts.meanLuma, facts.lumaVariance) = (luma.mean, luma.variance)
    facts.perceptualHash = facts.tiles == nil ? PerceptualHash(luma) : nil
    (self.facts, self.clip) = (facts, clip)
    self.picture = picture
  }
}
