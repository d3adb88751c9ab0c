internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// Encodes the segments of a take again, so that they can be joined although they differ.
///
/// A take may be continued with another camera, another browser, or without sound. Every segment then becomes H.264 in
/// the size of the first, with sound if any has sound.
struct SegmentEncoder: Sendable {
  let video: VideoService
  let covers: CoverService

  private static let framesPerSecond = 30
  private static let quality = 85
  private static let ground = Colour(red: 0, green: 0, blue: 0)

  /// A segment that has pictures.
  struct Segment: Sendable {
    let path: FilePath
    fileprivate let clip: MeasuredFile
  }

  /// Opens a segment; returns `nil` if it has no pictures.
  func segment(at path: FilePath) async throws(CoverFailure) -> Segment? {
    let file = try OpenClip(opening: path)
    let result = try await Self.perform { () async throws(ServiceError) in
      try await video.measure([file.descriptor]).map { $0[0] }
    }
    switch result {
    case .success(.measure(let measure)):
      return measure.seconds > 0 ? Segment(path: path, clip: MeasuredFile(file, measure)) : nil
    case .success(.failure(let failure)) where !failure.isBreakdown && failure.cause != .inputOutput: return nil
    case .success(.failure(let failure)), .failure(let failure): throw failure
    }
  }

  /// Encodes segments.
  ///
  /// - Parameters:
  ///   - segments: The segments, in order.
  ///   - places: Where the encoded segments go; files there are replaced.
  /// - Returns: The paths of the encoded segments.
  func encode(_ segments: [Segment], at places: [OutputPlace]) async throws(CoverFailure) -> [FilePath] {
    guard let first = segments.first else { return [] }
    let size = try await size(of: first.clip.file)
    let hasSound = segments.contains(where: \.clip.measure.hasSound)
    let pictures = try Self.noPictures()
    for (segment, place) in zip(segments, places) {
      let request = request(for: segment.clip.measure, size: size, hasSound: hasSound)
      let result = try await Self.perform { () async throws(ServiceError) in
        try await video.compose(request, clips: [segment.clip], pictures: pictures, at: place) { _ in }
      }
      // What of a segment cannot be decoded would be lost without a word. One whose browser was killed is cut off.
      let problems = try result.mapError(\.failure).get().problems
      if let problem = problems.first(where: { $0.failure.cause != .truncated }) { throw problem.failure }
    }
    return places.map(\.path)
  }

  private func request(for measure: ClipMeasure, size: PixelSize, hasSound: Bool) -> VideoRequest {
    guard let rate = Rational(Self.framesPerSecond, over: 1) else { preconditionFailure("the rate is positive") }
    let frames = max(1, Int((measure.seconds * rate.value).rounded()))
    let gain: Double = measure.hasSound ? 1 : 0
    var canvas = VideoRequest.Canvas(x: 0, y: 0, width: size.width, height: size.height)
    canvas.clip = .init(file: 0, start: 0, frames: frames, end: .hold, leftGain: gain, rightGain: gain)
    return VideoRequest(
      canvases: [canvas],
      width: size.width,
      height: size.height,
      frameRate: rate,
      frames: frames,
      ground: Self.ground,
      canvasGround: Self.ground,
      quality: Self.quality,
      hasSound: hasSound,
      isIndexFirst: false
    )
  }

  /// Returns the display size of a clip, scaled down to the largest size of a video, with even sides.
  private func size(of file: OpenClip) async throws(CoverFailure) -> PixelSize {
    let result = try await Self.perform { () async throws(ServiceError) in
      try await covers.facts(of: [file.descriptor])[0]
    }
    let facts = try result.get()
    let scale = min(1, Double(VideoRequest.maximumSide) / Double(max(facts.shownWidth, facts.shownHeight, 1)))
    func even(_ side: Int) -> Int { max(2, Int(Double(side) * scale) / 2 * 2) }
    return PixelSize(width: even(facts.shownWidth), height: even(facts.shownHeight))
  }

  private static func noPictures() throws(CoverFailure) -> MemoryFile {
    do throws(Errno) {
      let file = try MemoryFile(maximumBytes: 1)
      try file.seal(bytes: 0)
      return file
    } catch {
      throw CoverFailure(stage: .service, cause: .outOfMemory, message: error.message)
    }
  }

  /// Calls a service; if it cannot be started, that is a failure like others.
  private static func perform<Result>(
    _ body: () async throws(ServiceError) -> Result
  ) async throws(CoverFailure) -> Result {
    do throws(ServiceError) {
      return try await body()
    } catch {
      throw CoverFailure(error)
    }
  }
}

extension CoverFailure {
  /// The failure of a service that cannot be started.
  init(_ error: ServiceError) {
    self.init(stage: .service, cause: .decoderDied, message: "\(error)")
  }
}
