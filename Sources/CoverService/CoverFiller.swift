public import Covers
public import SystemPackage

/// Brings covers that are there to the size of a place, by one decoder process.
///
/// A cover is hostile until it is proven harmless, as a clip is: its file may be anybody's. So the decoder reads it, and
/// what comes back is a PNG that this process has looked at.
public actor CoverFiller {
  private let decoder: Decoder

  /// A filler whose decoder is started when there is something to do.
  public init(_ service: CoverService) {
    decoder = service.makeDecoder()
  }

  /// Decodes a cover.
  ///
  /// - Parameters:
  ///   - cover: The file of a cover; a whole PNG.
  ///   - box: The size to fill; see `CoverRequest.fill`.
  ///   - ground: What transparent parts are laid over.
  /// - Returns: A PNG of that size without transparency, or why there is none.
  /// - Throws: ``ServiceError`` when no decoder can be started.
  public func fill(
    _ box: SizeLimit,
    with cover: FilePath,
    over ground: Colour
  ) async throws(ServiceError) -> Result<MemoryFile, CoverFailure> {
    let wasFresh = await decoder.isFresh
    let first = try await attempt(box, with: cover, over: ground)
    guard case .failure(let failure) = first, failure.isWorthAnotherDecoder(wasFresh: wasFresh) else { return first }
    await decoder.stop()
    return try await attempt(box, with: cover, over: ground)
  }

  /// Ends the decoder.
  public func end() async {
    await decoder.stop()
  }

  private func attempt(
    _ box: SizeLimit,
    with cover: FilePath,
    over ground: Colour
  ) async throws(ServiceError) -> Result<MemoryFile, CoverFailure> {
    let (source, target): (ClipFile, MemoryFile)
    do throws(CoverFailure) {
      source = try ClipFile(opening: cover)
      guard let head = CoverHead(of: source.descriptor), head.format == .png else { throw .noPNG }
      guard head.isWhole else { throw .cutOff }
      target = try MemoryFile()
    } catch {
      return .failure(error)
    }
    var request = CoverRequest()
    request.fill = box
    request.background = ground
    let descriptors = [source.descriptor, target.descriptor]
    switch try await decoder.perform(.cover(request, texts: []), descriptors: descriptors) {
    case .failure(let failure): return .failure(failure)
    case .facts: return .failure(.unexpectedAnswer)
    case .cover(let facts):
      guard let head = CoverHead(of: target.descriptor), head.isWhole, head.format == .png,
        head.size == PixelSize(width: box.width, height: box.height)
      else {
        await decoder.stop()
        return .failure(.noPicture)
      }
      guard facts.degradation == nil else { return .failure(.damagedPixels) }
      return target.rewound ? .success(target) : .failure(.noPicture)
    }
  }
}

/// A file in memory, closed with its last user.
public final class MemoryFile: Sendable {
  /// Open for reading and writing; stands at the start when it is given out.
  public let descriptor: FileDescriptor

  init() throws(CoverFailure) {
    do throws(Errno) {
      descriptor = try FileDescriptor.memory(named: "clipcanvas cover")
    } catch {
      throw CoverFailure(stage: .output, cause: .outputFailed, message: "cannot hold the cover: \(error.words)")
    }
  }

  /// Goes to the start: the decoder wrote through the same open file.
  fileprivate var rewound: Bool { (try? descriptor.seek(offset: 0, from: .start)) == 0 }

  deinit {
    try? descriptor.close()
  }
}

extension CoverFailure {
  fileprivate static let noPNG = CoverFailure(stage: .input, cause: .unrecognised, message: "it is no PNG")
  fileprivate static let cutOff = CoverFailure(stage: .input, cause: .truncated, message: "it was cut off")
  fileprivate static let damagedPixels = CoverFailure(stage: .decode, cause: .damaged, message: "it is damaged")
}
