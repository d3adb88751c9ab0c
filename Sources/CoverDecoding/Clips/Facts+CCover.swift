internal import CCover
internal import Covers

extension String {
  /// The text in a C array of fixed size, up to the first NUL.
  init<Storage>(fixed array: Storage) {
    self = withUnsafeBytes(of: array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The text in a C array of fixed size; `nil` if it is empty.
  static func known<Storage>(_ array: Storage) -> String? {
    let text = String(fixed: array)
    return text.isEmpty ? nil : text
  }
}

extension Rational {
  /// Creates a fraction from a C value; fails if the value is unknown.
  init?(_ value: ccover_rational) {
    self.init(Int(value.num), over: Int(value.den))
  }
}

extension Orientation {
  init(_ value: ccover_orientation) {
    self.init(transposes: value.transposes, mirrorsX: value.mirrors_x, mirrorsY: value.mirrors_y)
  }
}

extension ClipFacts {
  /// The least time between the end of a file and that of its clip which is worth a word.
  private static let leastMissingSeconds = 0.05

  init(_ facts: ccover_clip_facts) {
    let format = facts.format
    let stored = PixelSize(width: Int(format.width), height: Int(format.height))
    let orientation = Orientation(format.orientation)
    let aspect = Rational(format.sample_aspect_ratio)
    let (container, codec) = (String(fixed: facts.container), String(fixed: facts.codec))
    self.init(
      container: container,
      mimeType: MIMEType.of(container: container, majorBrand: String(fixed: facts.major_brand), codec: codec),
      codec: codec,
      stored: stored,
      shown: CoverGeometry.uprightSize(stored: stored, sampleAspectRatio: aspect, orientation: orientation),
      orientation: orientation,
      sampleAspectRatio: aspect
    )
    pixelFormat = .known(format.colour.pixel_format)
    matrix = .known(format.colour.matrix)
    range = .known(format.colour.range)
    transfer = .known(format.colour.transfer)
    primaries = .known(format.colour.primaries)
    if facts.duration_microseconds != ccover_unknown_time {
      durationSeconds = Double(facts.duration_microseconds) / 1e6
    }
    if facts.declared_microseconds != 0 {
      let microseconds = facts.declared_microseconds
      let declared = microseconds == ccover_unknown_time ? nil : Double(microseconds) / 1e6
      // A file may end after its last frame, but before its index.
      endedEarly = declared.map { $0 - (durationSeconds ?? 0) >= Self.leastMissingSeconds } ?? true
      declaredDurationSeconds = endedEarly ? declared : nil
    }
    framesPerSecond = Rational(facts.frame_rate)?.value
    bitsPerSecond = facts.bit_rate > 0 ? Int(facts.bit_rate) : nil
    videoStreams = Int(facts.video_streams)
    audioStreams = Int(facts.audio_streams)
    artworkStreams = Int(facts.artwork_streams)
    streamIndex = Int(facts.stream_index)
    nextRecordingByte = facts.next_recording >= 0 ? Int(facts.next_recording) : nil
  }
}

extension ClipFacts {
  /// Returns the facts with the size and shape of a frame if the container does not state its size.
  ///
  /// libavformat discards the size that MP4 and MOV state for MPEG-4.
  func completed(by frame: ccover_frame_facts) -> ClipFacts {
    guard storedWidth == 0 || storedHeight == 0 else { return self }
    var facts = self
    let (stored, shown) = (frame.storedSize, frame.uprightSize())
    (facts.storedWidth, facts.storedHeight) = (stored.width, stored.height)
    (facts.shownWidth, facts.shownHeight) = (shown.width, shown.height)
    return facts
  }
}

extension ccover_frame_facts {
  var storedSize: PixelSize { PixelSize(width: Int(format.width), height: Int(format.height)) }

  /// Returns the size of the frame when it is upright and its pixels are square.
  ///
  /// - Parameter keepsStorageShape: Whether pixels keep their stored shape instead.
  func uprightSize(keepsStorageShape: Bool = false) -> PixelSize {
    CoverGeometry.uprightSize(
      stored: storedSize,
      sampleAspectRatio: keepsStorageShape ? nil : Rational(format.sample_aspect_ratio),
      orientation: Orientation(format.orientation)
    )
  }

  /// The presentation time of the frame in seconds from the start of the stream; `nil` if the clip has no timestamps.
  ///
  /// A frame that starts earlier, because an edit list shows only its end, is shown at 0.
  var presentationTime: Rational? { time(at: timestamp) }

  /// The time when the frame disappears, in seconds from the start of the stream; `nil` if it is unknown.
  var endTime: Double? { time(at: end)?.value }

  /// The time of the last damaged frame up to the requested time that this one replaces, in seconds from the start of
  /// the stream; `nil` if it is unknown, or if this is the frame of that time.
  var replacedTime: Double? { time(at: replaced)?.value }

  private func time(at ticks: Int64) -> Rational? {
    guard ticks != ccover_unknown_time, let base = Rational(time_base) else { return nil }
    let (ticks, overflowed) = Int(ticks).subtractingReportingOverflow(Int(start))
    let (numerator, overflowedToo) = ticks.multipliedReportingOverflow(by: base.numerator)
    guard !overflowed, !overflowedToo else { return nil }
    return Rational(max(0, numerator), over: base.denominator)?.reduced
  }
}

extension CoverFacts {
  /// Matrices that are treated as BT.601, although they are far from it.
  private static let unsupportedMatrices: Set = ["ycgco", "ictcp", "smpte2085", "chroma-derived-c"]

  init(
    frame: ccover_frame_facts,
    clip: ClipFacts,
    size: PixelSize,
    alpha: Bool,
    milliseconds: StageTimes?
  ) {
    self.init(
      size: size,
      alpha: alpha,
      stored: frame.storedSize,
      orientation: Orientation(frame.format.orientation),
      sampleAspectRatio: Rational(frame.format.sample_aspect_ratio),
      container: clip.container,
      codec: clip.codec,
      pixelFormat: String(fixed: frame.format.colour.pixel_format),
      milliseconds: milliseconds
    )
    matrix = .known(frame.format.colour.matrix)
    range = .known(frame.format.colour.range)
    transfer = .known(frame.format.colour.transfer)
    primaries = .known(frame.format.colour.primaries)
    toneMapped = frame.is_tone_mapped
    dolbyVisionProfile = frame.dolby_vision_profile > 0 ? Int(frame.dolby_vision_profile) : nil
    interlaced = frame.is_interlaced
    assumedMatrix = frame.assumes_matrix ? "bt601" : nil
    actualTimeExact = frame.presentationTime
    actualTime = actualTimeExact?.value
    durationSeconds = clip.durationSeconds
    frameRate = clip.framesPerSecond
    if let byte = clip.nextRecordingByte {
      warnings.append("another recording begins at byte \(byte); times and the duration are those of the first one")
    }
    if let end = clip.earlyEnd { warnings.append("\(end): it was cut off, or is still being recorded") }
    if frame.edits_ignored { warnings.append("the clip's edit list shows no frame, and is ignored") }
    if frame.orientation_ignored {
      warnings.append("the rotation is not a multiple of 90° (a singular or oblique display matrix) and is ignored")
    }
    if frame.lacks_alpha {
      warnings.append("the clip is transparent, which the installed FFmpeg cannot decode; the cover is opaque")
    }
    if frame.is_corrupt {
      degradation = .corruptFrame
      warnings.append("no intact frame was found; used the least damaged one")
    }
    if frame.lacks_base_layer {
      degradation = degradation ?? .dolbyVisionWithoutBaseLayer
      warnings.append(
        "the clip is Dolby Vision (profile \(frame.dolby_vision_profile)) without a base layer that can be shown alone; "
          + "its colours are wrong"
      )
    }
    if frame.assumes_matrix, let matrix, Self.unsupportedMatrices.contains(matrix) {
      warnings.append("the colour matrix \(matrix) is not supported and taken for BT.601; the colours may be wrong")
    }
  }
}
