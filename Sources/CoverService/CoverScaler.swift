public import Covers
public import SystemPackage

/// Brings covers that are there to the size of a place, by one decoder process.
///
/// A cover is hostile until it is proven harmless, as a clip is: its file may be anybody's. So the decoder reads it, and
/// what comes back is a PNG that this process has looked at.
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
    switch scaling {
    case .filling(let box): request.fill = box
    case .fitting(let box): request.size = box
    }
    request.background = ground
    let descriptors = [source.descriptor, target.descriptor]
    switch try await decoder.perform(.cover(request, texts: []), descriptors: descriptors) {
    case .failure(let failure): return .failure(failure)
    case .facts: return .failure(.unexpectedAnswer)
    case .cover(let facts):
      guard let head = CoverHead(of: target.descriptor), head.isWhole, head.format == .png,
        scaling.allows(head.size)
      else {
        await decoder.stop()
        return .failure(.noPicture)
      }
      guard facts.degradation == nil else { return .failure(.damagedPixels) }
      return target.rewound ? .success(target) : .failure(.noPicture)
    }
  }
}

extension CoverScaler.Scaling {
  /// Whether a cover may come out in a size.
  fileprivate func allows(_ size: PixelSize) -> Bool {
    switch self {
    case .filling(let box): size == PixelSize(width: box.width, height: box.height)
    case .fitting(let box): size.width <= box.width && size.height <= box.height
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
