internal import CComposer
internal import CCover
internal import CoverDecoding
internal import Covers

/// A video that is being composed of clips.
struct VideoComposition: ~Copyable {
  private let handle: OpaquePointer

  /// Prepares to compose clips.
  ///
  /// - Parameters:
  ///   - request: The video.
  ///   - clips: Descriptors of the clips, which stay open until the composition is destroyed.
  ///   - pictures: The bytes of all pictures; they are copied.
  ///   - output: The descriptor of an empty file, open for reading and writing.
  ///   - deadline: The time that each clip may take for a frame.
  /// - Throws: `CoverFailure`.
  init(
    of request: VideoRequest,
    clips: [Int32],
    pictures: UnsafeRawBufferPointer,
    into output: Int32,
    deadline: Duration
  ) throws(CoverFailure) {
    let canvasGround = ccomposition_colour(request.canvasGround)
    var canvases: [ccomposition_canvas] = []
    for canvas in request.canvases {
      canvases.append(try Self.canvas(canvas, clips: clips, pictures: pictures, ground: canvasGround))
    }
    var options = ccomposition_options(request, output: output, deadline: deadline)
    var composition: OpaquePointer?
    try withCoverError {
      ccomposition_open(&options, canvases, Int32(clamping: canvases.count), &composition, &$0)
    }
    guard let composition else { preconditionFailure("a composition was opened without a handle") }
    handle = composition
  }

  deinit {
    var composition: OpaquePointer? = handle
    ccomposition_close(&composition)
  }

  /// The number of frames composed.
  private(set) var frames = 0
  /// The number of bytes written.
  private(set) var bytes = 0

  /// Composes up to this many frames.
  ///
  /// - Returns: False if all frames are composed.
  /// - Throws: `CoverFailure`.
  mutating func step(frames: Int) throws(CoverFailure) -> Bool {
    var progress = ccomposition_progress()
    var result: Int32 = 0
    let handle = handle
    try withCoverError { error in
      result = ccomposition_step(handle, Int32(clamping: frames), &progress, &error)
      return min(result, 0)
    }
    (self.frames, bytes) = (Int(progress.frames), Int(progress.bytes))
    return result == 0
  }

  /// Completes the file.
  ///
  /// - Throws: `CoverFailure`.
  mutating func finish() throws(CoverFailure) -> VideoFacts {
    var progress = ccomposition_progress()
    let handle = handle
    try withCoverError { ccomposition_finish(handle, &progress, &$0) }
    let problems = (0..<ccomposition_problem_count(handle)).map { index in
      var problem = ccomposition_problem()
      ccomposition_get_problem(handle, index, &problem)
      return VideoFacts.Problem(problem)
    }
    return VideoFacts(
      frames: Int(progress.frames),
      bytes: Int(progress.bytes),
      problems: problems.sorted { ($0.canvas, $0.seconds) < ($1.canvas, $1.seconds) }
    )
  }

  // MARK: - Canvases

  private static func canvas(
    _ canvas: VideoRequest.Canvas,
    clips: [Int32],
    pictures: UnsafeRawBufferPointer,
    ground: ccomposition_colour
  ) throws(CoverFailure) -> ccomposition_canvas {
    var result = ccomposition_canvas()
    (result.x, result.y) = (Int32(clamping: canvas.x), Int32(clamping: canvas.y))
    (result.width, result.height) = (Int32(clamping: canvas.width), Int32(clamping: canvas.height))
    result.gutter = Int32(clamping: canvas.gutter)
    (result.ground, result.descriptor) = (ground, -1)
    result.cover = try picture(at: canvas.cover, of: canvas, in: pictures)
    result.after = try picture(at: canvas.after, of: canvas, in: pictures)
    result.backdrop = try picture(at: canvas.backdrop, of: canvas, in: pictures)
    guard let clip = canvas.clip else { return result }
    guard clips.indices.contains(clip.file) else { throw .impossibleVideo }
    (result.descriptor, result.start) = (clips[clip.file], Int64(clip.start))
    guard let skip = Int64(exactly: (clip.skippedSeconds * 1e6).rounded()), skip >= 0 else { throw .impossibleVideo }
    result.skip = skip
    (result.frames, result.end) = (Int64(clip.frames), clip.end.value)
    (result.left_gain, result.right_gain) = (Float(clip.leftGain), Float(clip.rightGain))
    result.least_shown = CoverGeometry.leastShown
    result.least_shown_turned = CoverGeometry.leastShownIfTurned
    return result
  }

  /// Returns the pixels of a picture, if its position is not `nil`.
  private static func picture(
    at start: Int?,
    of canvas: VideoRequest.Canvas,
    in pictures: UnsafeRawBufferPointer
  ) throws(CoverFailure) -> UnsafePointer<UInt8>? {
    guard let start else { return nil }
    let sides = 1...VideoRequest.maximumSide
    guard sides.contains(canvas.width), sides.contains(canvas.height), start >= 0,
      start <= pictures.count - canvas.pictureBytes, let base = pictures.baseAddress
    else { throw .impossibleVideo }
    return (base + start).assumingMemoryBound(to: UInt8.self)
  }
}

// MARK: - Values of the shim

extension ccomposition_options {
  fileprivate init(_ request: VideoRequest, output: Int32, deadline: Duration) {
    self.init()
    descriptor = output
    (width, height) = (Int32(clamping: request.width), Int32(clamping: request.height))
    rate.num = Int32(clamping: request.frameRate.numerator)
    rate.den = Int32(clamping: request.frameRate.denominator)
    frames = Int64(request.frames)
    ground = ccomposition_colour(request.ground)
    // From 51 (worst) to 13.5; 23 is usual.
    quality = 51 - 0.375 * Double(min(max(request.quality, 1), 100))
    has_sound = request.hasSound
    sound_bit_rate = 160_000
    has_index_in_front = request.isIndexFirst
    // A clip that gives no frame is given up before the parent gives up the composer.
    stall_microseconds = Int64(deadline / .microseconds(2))
    max_pixels = Int64(ClipDecoder.Limits().maximumPixels)
    max_streams = Int32(ClipDecoder.Limits().maximumStreams)
  }
}

extension ccomposition_colour {
  fileprivate init(_ text: String) {
    let colour = Colour(text) ?? Colour(red: 0, green: 0, blue: 0)
    self.init(red: colour.red, green: colour.green, blue: colour.blue)
  }
}

extension VideoRequest.End {
  fileprivate var value: ccomposition_end {
    switch self {
    case .picture: CCOMPOSITION_END_PICTURE
    case .hold: CCOMPOSITION_END_HOLD
    case .loop: CCOMPOSITION_END_LOOP
    }
  }
}

extension VideoFacts.Problem {
  fileprivate init(_ problem: ccomposition_problem) {
    let kind: Kind =
      switch problem.kind {
      case CCOMPOSITION_PROBLEM_DAMAGED: .damaged
      case CCOMPOSITION_PROBLEM_SILENT: .silent
      default: .broken
      }
    self.init(
      canvas: Int(problem.canvas),
      kind: kind,
      seconds: problem.seconds,
      failure: CoverFailure(problem.error)
    )
  }
}

extension CoverFailure {
  static let impossibleVideo = CoverFailure(stage: .service, cause: .misuse, message: "the request is impossible")
}
