package import Covers
internal import DecoderWire
package import Files
package import SystemPackage

/// Scales existing covers to fit or fill a box, with one decoder process.
///
/// Like a clip, the file of a cover can come from anywhere and is considered hostile. The decoder therefore reads it
/// and returns a PNG file, which this process seals and checks.
package actor CoverScaler {
  /// How a cover is scaled to a box.
  package enum Scaling: Hashable, Sendable {
    /// The cover fills the box and is cropped; see `CoverRequest.fill`.
    case filling(SizeLimit)
    /// The cover fits into the box and is never enlarged; see `CoverRequest.size`.
    case fitting(SizeLimit)
    /// The cover fills the box if not too much of it is cropped. Otherwise the whole cover is scaled, also up, until it
    /// is as wide or as high as the box.
    case mostlyFilling(SizeLimit)
  }

  /// A scaled cover.
  package struct ScaledCover: Sendable {
    /// A PNG file.
    package let file: MemoryFile
    /// The duration of the cover's clip, if the cover stores it.
    package let clipSeconds: Double?
  }

  private let decoder: RestartingDecoder

  /// Creates a scaler, whose decoder is started when it is first needed.
  package init(_ service: CoverService) {
    decoder = service.makeDecoder()
  }

  /// Scales a cover.
  ///
  /// - Parameters:
  ///   - cover: The path of a cover; it must be a complete PNG file.
  ///   - scaling: The target size.
  ///   - ground: The colour drawn behind transparent parts; `nil` keeps them transparent.
  /// - Returns: The cover in that size, or the reason why the cover could not be scaled.
  /// - Throws: ``ServiceError`` if no decoder can be started.
  package func scale(
    _ cover: FilePath,
    _ scaling: Scaling,
    over ground: Colour? = nil
  ) async throws(ServiceError) -> Result<ScaledCover, CoverFailure> {
    try DescriptorLimit.makeRoomForOneDecoder()
    return try await decoder.retrying { () throws(ServiceError) in try await attempt(cover, scaling, over: ground) }
  }

  /// Ends the decoder and cancels its current work; no other decoder is started.
  package nonisolated func end() async {
    await decoder.end()
  }

  private func attempt(
    _ cover: FilePath,
    _ scaling: Scaling,
    over ground: Colour?
  ) async throws(ServiceError) -> Result<ScaledCover, CoverFailure> {
    var request = CoverRequest()
    request.background = ground
    let (source, target, clipSeconds): (OpenClip, MemoryFile, Double?)
    do throws(CoverFailure) {
      source = try OpenClip(opening: cover)
      guard let head = CoverHead(of: source.descriptor), head.format == .png else { throw .noPNG }
      guard head.isWhole else { throw .cutOff }
      switch scaling {
      case .filling(let box): request.fill = box
      case .fitting(let box): request.size = box
      case .mostlyFilling(let box): request.fill = box.mostlyFilled(with: head.size)
      }
      target = try MemoryFile.make(for: request, texts: [])
      clipSeconds = head.facts?.durationSeconds
    } catch {
      return .failure(error)
    }
    let descriptors = [source.descriptor, target.descriptor]
    switch try await decoder.perform(.cover(request, texts: []), descriptors: descriptors) {
    case .failure(let failure): return .failure(failure)
    case .tiles, .facts, .lacksVideo: return .failure(.unexpectedAnswer)
    case .cover(let facts, let bytes):
      do throws(CoverFailure) {
        try facts.check(for: request, texts: []).seal(target, bytes: bytes)
      } catch {
        await decoder.stop()
        return .failure(error)
      }
      return facts.degradation == nil
        ? .success(ScaledCover(file: target, clipSeconds: clipSeconds)) : .failure(.damagedPixels)
    }
  }
}

extension CoverFailure {
  fileprivate static let noPNG = CoverFailure(stage: .input, cause: .unrecognised, message: "not a PNG")
  fileprivate static let cutOff = CoverFailure(stage: .input, cause: .truncated, message: "the file is truncated")
  fileprivate static let damagedPixels = CoverFailure(stage: .decode, cause: .damaged, message: "the file is damaged")
}
