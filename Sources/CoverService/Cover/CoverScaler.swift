internal import CoverCheck
public import Covers
internal import DecoderWire
public import Files
public import SystemPackage

/// Brings covers that are there to the size of a place, by one decoder process.
///
/// A cover is hostile until it is proven harmless, as a clip is: its file may be anybody's. So the decoder reads it, and
/// returns a PNG that this process has sealed and checked.
public actor CoverScaler {
  /// How a cover is brought to the size of a box.
  public enum Scaling: Hashable, Sendable {
    /// Fills it, and what is beyond is cut off; see `CoverRequest.fill`.
    case filling(SizeLimit)
    /// Fits into it and is not enlarged; see `CoverRequest.size`.
    case fitting(SizeLimit)
  }

  private let decoder: Decoder

  /// One whose decoder is started when there is something to do.
  public init(_ service: CoverService) {
    decoder = service.makeDecoder()
  }

  /// Decodes a cover.
  ///
  /// - Parameters:
  ///   - cover: The file of a cover; a whole PNG.
  ///   - scaling: To which size.
  ///   - ground: What transparent parts are laid over; `nil` leaves them transparent.
  /// - Returns: A PNG of that size, or why there is none.
  /// - Throws: ``ServiceError`` when no decoder can be started.
  public func scale(
    _ cover: FilePath,
    _ scaling: Scaling,
    over ground: Colour? = nil
  ) async throws(ServiceError) -> Result<MemoryFile, CoverFailure> {
    try DescriptorLimit.makeRoomForOneDecoder()
    let wasFresh = await decoder.isFresh
    let first = try await attempt(cover, scaling, over: ground)
    guard case .failure(let failure) = first, failure.isWorthAnotherDecoder(wasFresh: wasFresh) else { return first }
    await decoder.stop()
    return try await attempt(cover, scaling, over: ground)
  }

  /// Ends the decoder, and with it the work it is at; no other is started.
  public nonisolated func end() async {
    await decoder.end()
  }

  private func attempt(
    _ cover: FilePath,
    _ scaling: Scaling,
    over ground: Colour?
  ) async throws(ServiceError) -> Result<MemoryFile, CoverFailure> {
    var request = CoverRequest()
    switch scaling {
    case .filling(let box): request.fill = box
    case .fitting(let box): request.size = box
    }
    request.background = ground
    let (source, target): (ClipFile, MemoryFile)
    do throws(CoverFailure) {
      source = try ClipFile(opening: cover)
      guard let head = CoverHead(of: source.descriptor), head.format == .png else { throw .noPNG }
      guard head.isWhole else { throw .cutOff }
      target = try CoverFileCheck.memory(for: request, texts: [])
    } catch {
      return .failure(error)
    }
    let descriptors = [source.descriptor, target.descriptor]
    switch try await decoder.perform(.cover(request, texts: []), descriptors: descriptors) {
    case .failure(let failure): return .failure(failure)
    case .facts: return .failure(.unexpectedAnswer)
    case .cover(let facts, let bytes):
      do throws(CoverFailure) {
        try CoverFileCheck(of: facts, for: request, texts: []).seal(target, bytes: bytes)
      } catch {
        await decoder.stop()
        return .failure(error)
      }
      return facts.degradation == nil ? .success(target) : .failure(.damagedPixels)
    }
  }
}

extension CoverFailure {
  fileprivate static let noPNG = CoverFailure(stage: .input, cause: .unrecognised, message: "it is no PNG")
  fileprivate static let cutOff = CoverFailure(stage: .input, cause: .truncated, message: "it was cut off")
  fileprivate static let damagedPixels = CoverFailure(stage: .decode, cause: .damaged, message: "it is damaged")
}
