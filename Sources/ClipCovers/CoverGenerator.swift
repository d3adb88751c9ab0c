internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// Makes images of clips: upright, with the right colours, decoded in a sandboxed process.
///
/// A generator is a value that holds the wishes for its images. Its work is done by the processes of a ``DecoderPool``,
/// which all generators share unless they are given another.
///
/// Cancelling the task that waits for an image ends the decoder's work on it and throws `CancellationError`.
public struct CoverGenerator: Sendable {
  /// Whether artwork in the clip, such as an album cover, may be the image.
  public enum Artwork: Sendable, Hashable {
    /// Only video is used.
    case never
    /// Artwork is used if the clip has no video.
    case fallback
    /// Artwork is used if the clip has any.
    case prefer
  }

  /// The box that images, and the tiles of sheets, fit into without changing their shape; they are never enlarged.
  ///
  /// `nil` for the full size.
  public var maximumSize: PictureSize?
  /// The box that images fill instead: scaled up or down until they cover it, centred and cropped.
  public var fillSize: PictureSize?
  /// The file format.
  public var format: ImageFormat
  /// Whether artwork may be the image.
  public var artwork = Artwork.never
  /// Whether small images are also made from fully decoded frames.
  ///
  /// Otherwise work whose effect is hardly visible is skipped.
  public var isExact = false
  private let pool: DecoderPool

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - maximumSize: The box that images fit into; `nil` for the full size.
  ///   - format: The file format.
  ///   - pool: The decoders to use.
  public init(maximumSize: PictureSize? = nil, format: ImageFormat = .png, pool: DecoderPool = .shared) {
    (self.maximumSize, self.format, self.pool) = (maximumSize, format, pool)
  }

  /// Makes an image of a clip.
  ///
  /// - Parameters:
  ///   - clip: The clip.
  ///   - time: The frame to show.
  /// - Throws: ``ClipError``, or `CancellationError` if the task is cancelled.
  public func image(of clip: ClipSource, at time: ClipTime = .first) async throws -> ClipImage {
    try await image(of: clip.open(), at: time)
  }

  /// Makes images of a clip at several times.
  ///
  /// The clip is opened when the first one is asked for.
  ///
  /// - Parameters:
  ///   - clip: The clip.
  ///   - times: The frames to show, in any order.
  public func images(of clip: ClipSource, at times: [ClipTime]) -> ClipImages {
    ClipImages(generator: self, source: clip, times: times)
  }

  /// Decodes a frame of a clip into pixels.
  ///
  /// - Parameters:
  ///   - clip: The clip.
  ///   - time: The frame.
  /// - Throws: ``ClipError``, or `CancellationError` if the task is cancelled.
  public func pixels(of clip: ClipSource, at time: ClipTime = .first) async throws -> ClipPixels {
    var generator = self
    generator.format = .png
    let (file, facts) = try await generator.make(generator.request(at: time), of: clip.open())
    return try ClipPixels(file, facts: facts)
  }

  /// Reads what is known of a clip, without decoding a frame of it.
  ///
  /// - Throws: ``ClipError``, or `CancellationError` if the task is cancelled.
  public func facts(of clip: ClipSource) async throws -> ClipFacts {
    let clip = try clip.open()
    let result = try await pool.withDecoder { decoder throws(ServiceError) in try await clip.facts(with: decoder) }
    return ClipFacts(try result.mapError(ClipError.init).get())
  }

  /// Makes one sheet of frames that are spread evenly over a clip.
  ///
  /// - Parameters:
  ///   - clip: The clip.
  ///   - columns: The number of tiles in a row, within 1…20.
  ///   - rows: The number of rows, within 1…20.
  /// - Returns: The sheet. A clip with fewer frames gives fewer tiles.
  /// - Throws: ``ClipError``, or `CancellationError` if the task is cancelled.
  public func sheet(of clip: ClipSource, columns: Int, rows: Int) async throws -> ClipSheet {
    try checkGrid(columns, rows)
    var plan = SheetPlan(columns: columns, rows: rows, interval: 1)
    plan.frames = .spread(columns * rows)
    return try await sheet(plan, of: clip.open()).sheet
  }

  /// Makes the sheets of a storyboard: a tile for each interval of a clip, for seeking in a player.
  ///
  /// All tiles have the size of the first one. Only the last sheet may have fewer tiles than the others.
  ///
  /// - Parameters:
  ///   - clip: The clip.
  ///   - interval: The time between two tiles in seconds, within 0.1…86,400.
  ///   - columns: The number of tiles in a row, within 1…20.
  ///   - rows: The number of rows, within 1…20.
  /// - Throws: ``ClipError``, or `CancellationError` if the task is cancelled.
  public func storyboard(
    of clip: ClipSource,
    every interval: Double,
    columns: Int = 10,
    rows: Int = 10
  ) async throws -> [ClipSheet] {
    try checkGrid(columns, rows)
    guard SheetPlan.intervals.contains(interval) else {
      throw ClipError(request: "the interval must be within 0.1…86400 seconds, not \(interval)")
    }
    var plan = SheetPlan(columns: columns, rows: rows, interval: interval)
    let clip = try clip.open()
    var sheets: [ClipSheet] = []
    var progress: StoryboardSheets?
    repeat {
      do {
        let (sheet, facts) = try await sheet(plan, of: clip)
        sheets.append(sheet)
        if progress == nil { progress = StoryboardSheets(plan: plan, first: facts) } else { progress?.add(facts) }
        plan.tileSize = facts.tiles.flatMap { SizeLimit(width: $0.width, height: $0.height) }
        plan.number += 1
      } catch let error as ClipError where error.cause == .noFrame && !sheets.isEmpty {
        return sheets
      }
    } while progress?.mayContinue == true
    return sheets
  }

  // MARK: - Requests

  private func checkGrid(_ columns: Int, _ rows: Int) throws(ClipError) {
    guard SheetPlan.sides.contains(columns), SheetPlan.sides.contains(rows) else {
      throw ClipError(request: "a sheet has 1…20 columns and rows, not \(columns) and \(rows)")
    }
  }

  private func request(at time: ClipTime) throws(ClipError) -> CoverRequest {
    guard time.isValid else { throw ClipError(request: "\(time) is not a time in a clip") }
    var request = CoverRequest(time: time.requested)
    if let maximumSize { request.size = try maximumSize.limit("the maximum size") }
    request.fill = try fillSize?.limit("the size to fill")
    request.artwork =
      switch artwork {
      case .never: .never
      case .fallback: .fallback
      case .prefer: .prefer
      }
    request.isExact = isExact
    try format.apply(to: &request)
    return request
  }

  // MARK: - Work

  func image(of clip: ClipReading, at time: ClipTime, isOneOfSeveral: Bool = false) async throws -> ClipImage {
    let (file, facts) = try await make(request(at: time), of: clip, isOneOfSeveral: isOneOfSeveral)
    return ClipImage(data: try Self.bytes(of: file), mediaType: format.mediaType, facts: facts)
  }

  private func sheet(_ plan: SheetPlan, of clip: ClipReading) async throws -> (sheet: ClipSheet, facts: CoverFacts) {
    var request = try request(at: .first)
    (request.sheet, request.fill) = (plan, nil)
    let (file, facts) = try await make(request, of: clip)
    let image = ClipImage(data: try Self.bytes(of: file), mediaType: format.mediaType, facts: facts)
    return (ClipSheet(image, facts: facts), facts)
  }

  private func make(
    _ request: CoverRequest,
    of clip: ClipReading,
    isOneOfSeveral: Bool = false
  ) async throws -> (file: MemoryFile, facts: CoverFacts) {
    let result = try await pool.withDecoder { decoder throws(ServiceError) in
      try await clip.picture(request, with: decoder, isOneOfSeveral: isOneOfSeveral)
    }
    if let change = clip.change { throw ClipError(change) }
    return try result.mapError(ClipError.init).get()
  }

  private static func bytes(of file: MemoryFile) throws(ClipError) -> [UInt8] {
    do throws(Errno) {
      return try file.withBytes { bytes throws(Errno) in [UInt8](bytes) }
    } catch {
      throw ClipError(
        CoverFailure(
          stage: .output,
          cause: .outputFailed,
          code: Int(error.rawValue),
          message: "the image cannot be mapped into memory: \(error)"
        )
      )
    }
  }
}
