internal import CCover
public import Covers
internal import Pictures

/// An open clip: the owner of a decoder and of one decoded frame.
///
/// To be used by one thread at a time. The descriptor that it was opened from stays the caller's and must stay open.
public struct Clip: ~Copyable {
  /// Bounds on the work with one clip.
  public struct Limits: Sendable {
    /// For everything done with the clip, counted from opening it.
    public var deadline: Duration
    /// Of one decoded frame.
    public var maximumPixels: Int
    /// A container with more is refused.
    public var maximumStreams: Int

    /// Makes one of its parts.
    public init(
      deadline: Duration = .seconds(30),
      maximumPixels: Int = 64 << 20,
      maximumStreams: Int = 64
    ) {
      self.deadline = deadline
      self.maximumPixels = maximumPixels
      self.maximumStreams = maximumStreams
    }
  }

  /// What was done with a clip so far; for tests that must not look at a clock.
  public struct Counters: Hashable, Sendable {
    /// From the descriptor.
    public var bytesRead = 0
    /// Jumps in the file.
    public var seeks = 0
    /// Packets of the video stream.
    public var packetsRead = 0
    /// Frames that came out of the decoder.
    public var framesDecoded = 0
    /// Packets that the decoder refused.
    public var decodeErrors = 0

    static func + (one: Counters, other: Counters) -> Counters {
      Counters(
        bytesRead: one.bytesRead + other.bytesRead,
        seeks: one.seeks + other.seeks,
        packetsRead: one.packetsRead + other.packetsRead,
        framesDecoded: one.framesDecoded + other.framesDecoded,
        decodeErrors: one.decodeErrors + other.decodeErrors
      )
    }
  }

  /// What may be left out to have the first frame sooner.
  struct Haste: OptionSet {
    let rawValue: UInt32
    /// The decoder's last, smoothing step.
    static let noLoopFilter = Haste(rawValue: CCOVER_HASTE_NO_LOOP_FILTER.rawValue)
    /// All frames that follow; none can be asked for then.
    static let oneFrame = Haste(rawValue: CCOVER_HASTE_ONE_FRAME.rawValue)
  }

  private var handle: OpaquePointer?

  /// Opens the clip behind a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: A file open for reading.
  ///   - stream: Which stream is wanted, counted from 0; `nil` chooses the first video stream.
  ///   - artwork: Whether artwork counts as one.
  ///   - completely: Whether to read on until every fact of the clip is known. Without, the work ends where the header
  ///     tells enough to decode: the frame rate, or the start of a Matroska clip, may then be unknown.
  ///   - limits: Bounds on the work.
  /// - Throws: `CoverFailure` with the stage `open`, `probe` or `selectStream`.
  public init(
    descriptor: Int32,
    stream: Int? = nil,
    artwork: CoverRequest.Artwork = .never,
    completely: Bool = true,
    limits: Limits = Limits()
  ) throws(CoverFailure) {
    var cLimits = ccover_limits(
      deadline_microseconds: limits.deadline / .microseconds(1),
      max_pixels: Int64(limits.maximumPixels),
      max_streams: Int32(clamping: limits.maximumStreams),
      stream: stream.map { Int32(clamping: $0) } ?? -1,
      embedded: ccover_embedded(artwork),
      complete_facts: completely
    )
    var handle: OpaquePointer?
    try withCoverError { ccover_open(descriptor, &cLimits, &handle, &$0) }
    guard let handle else { throw CoverFailure(stage: .open, cause: .misuse, message: "no clip was opened") }
    self.handle = handle
  }

  deinit {
    var handle = handle
    ccover_close(&handle)
  }

  private var openHandle: OpaquePointer {
    guard let handle else { preconditionFailure("a clip is open from its init to its deinit") }
    return handle
  }

  /// The facts that the container and its headers tell.
  public var facts: ClipFacts {
    var facts = ccover_clip_facts()
    ccover_get_clip_facts(openHandle, &facts)
    return ClipFacts(facts)
  }

  /// What was done so far.
  public var counters: Counters {
    var counters = ccover_counters()
    ccover_get_counters(openHandle, &counters)
    return Counters(
      bytesRead: Int(counters.bytes_read),
      seeks: Int(counters.seeks),
      packetsRead: Int(counters.packets_read),
      framesDecoded: Int(counters.frames_decoded),
      decodeErrors: Int(counters.decode_errors)
    )
  }

  /// Decodes the wanted frame and keeps it.
  ///
  /// To be called once.
  ///
  /// - Parameters:
  ///   - time: `nil` for the first frame.
  ///   - haste: What may be left out to have the first frame sooner.
  /// - Throws: `CoverFailure` with the stage `openDecoder`, `seek` or `decode`.
  mutating func decode(at time: Duration?, haste: Haste = []) throws(CoverFailure) -> ccover_frame_facts {
    var facts = ccover_frame_facts()
    let handle = openHandle
    try withCoverError { error in
      if let time {
        ccover_decode_at(handle, time / .microseconds(1), &facts, &error)
      } else {
        ccover_decode_first(handle, ccover_haste(haste.rawValue), &facts, &error)
      }
    }
    return facts
  }

  /// Decodes the frame presented after the one kept, and keeps it instead; `nil` when there is none.
  ///
  /// - Throws: `CoverFailure` with the stage `decode`.
  mutating func decodeNext() throws(CoverFailure) -> ccover_frame_facts? {
    var facts = ccover_frame_facts()
    let handle = openHandle
    var status: Int32 = 0
    try withCoverError { error in
      status = ccover_decode_next(handle, &facts, &error)
      return status < 0 ? status : 0
    }
    return status == 0 ? facts : nil
  }

  /// Converts the decoded frame into a picture of the given size, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - size: Counted upright.
  ///   - withAlpha: Whether to keep transparency, where there is any.
  ///   - deinterlaces: Whether an interlaced frame is to be shown as its first field alone.
  /// - Throws: `CoverFailure` with the stage `convert`.
  mutating func render(
    size: PixelSize,
    layout: Picture.Layout,
    deinterlaces: Bool
  ) throws(CoverFailure) -> Picture {
    try render(size: size, layout: layout) { handle, picture, error in
      ccover_render(handle, picture, deinterlaces, &error)
    }
  }

  /// Converts the decoded frame into a picture that fills a box, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - box: The size of the picture.
  ///   - filling: How the upright frame fills it.
  ///   - layout: How a pixel is kept.
  ///   - deinterlaces: Whether an interlaced frame is to be shown as its first field alone.
  /// - Throws: `CoverFailure` with the stage `convert`.
  mutating func render(
    filling box: SizeLimit,
    _ filling: CoverGeometry.Filling,
    layout: Picture.Layout,
    deinterlaces: Bool
  ) throws(CoverFailure) -> Picture {
    let part = ccover_part(
      whole_width: Int32(clamping: filling.scaled.width),
      whole_height: Int32(clamping: filling.scaled.height),
      left: Int32(clamping: filling.left),
      top: Int32(clamping: filling.top)
    )
    let size = PixelSize(width: box.width, height: box.height)
    return try render(size: size, layout: layout) { handle, picture, error in
      ccover_render_part(handle, picture, part, deinterlaces, &error)
    }
  }

  /// - Parameter draw: The call that writes the rows of the picture it is passed.
  private mutating func render(
    size: PixelSize,
    layout: Picture.Layout,
    draw: (OpaquePointer, UnsafePointer<ccover_picture>, inout ccover_error) -> Int32
  ) throws(CoverFailure) -> Picture {
    let cLayout = ccover_layout(layout)
    var picture = Picture(
      width: size.width,
      height: size.height,
      layout: layout,
      rowBytes: ccover_row_bytes(Int32(clamping: size.width), cLayout),
      tailBytes: Int(CCOVER_TAIL_PADDING)
    )
    let (handle, rowBytes) = (openHandle, picture.rowBytes)
    let isOpaque = try picture.withMutableBytes { bytes throws(CoverFailure) in
      guard let rows = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
      var target = ccover_picture(
        width: Int32(clamping: size.width),
        height: Int32(clamping: size.height),
        layout: cLayout,
        row_bytes: rowBytes,
        rows: rows
      )
      try withCoverError { draw(handle, &target, &$0) }
      return ccover_is_opaque(&target)
    }
    return layout.hasAlpha && isOpaque ? picture.droppingAlpha() : picture
  }
}

extension ccover_layout {
  fileprivate init(_ layout: Picture.Layout) {
    self =
      switch layout {
      case .rgb: CCOVER_RGB8
      case .rgba: CCOVER_RGBA8
      case .rgb16: CCOVER_RGB16
      case .rgba16: CCOVER_RGBA16
      }
  }
}

extension ccover_embedded {
  fileprivate init(_ artwork: CoverRequest.Artwork) {
    self =
      switch artwork {
      case .never: CCOVER_EMBEDDED_NEVER
      case .fallback: CCOVER_EMBEDDED_FALLBACK
      case .prefer: CCOVER_EMBEDDED_PREFER
      }
  }
}

extension Duration {
  /// How many whole times `unit` goes into this, towards zero, held within 64 bits.
  fileprivate static func / (duration: Duration, unit: Duration) -> Int64 {
    let ratio: Double = duration / unit
    return Int64(max(-9e18, min(9e18, ratio)))
  }
}
