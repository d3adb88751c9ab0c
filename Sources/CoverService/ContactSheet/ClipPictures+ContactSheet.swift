internal import CoverCheck
internal import Covers
internal import DecoderWire
internal import Files
internal import SystemPackage

extension ClipPictures {
  /// Makes a contact sheet in a memory file, and seals and checks that.
  ///
  /// The decoder decodes the frames, another program draws the sheet, and the decoder compresses it.
  ///
  /// - Parameters:
  ///   - style: The appearance of the sheet.
  ///   - request: The request.
  ///   - texts: The texts to store in the picture.
  ///   - file: The clip.
  ///   - decoder: The decoder to use.
  /// - Throws: ``ServiceError`` if no decoder can be started, or if no sheet can be drawn.
  func decodeSheet(
    _ style: SheetStyle,
    for request: CoverRequest,
    texts: [CoverText],
    of file: OpenClip,
    with decoder: Decoder
  ) async throws(ServiceError) -> Result<DecodedCover, CoverFailure> {
    guard let artist else { throw ServiceError("contact sheets need a program that draws them") }
    let tiles: Tiles
    switch try await decodeTiles(for: request, of: file, with: decoder) {
    case .success(let decoded): tiles = decoded
    case .failure(let failure): return .failure(failure)
    }
    let sheet = ContactSheet(
      style: style,
      header: .init(
        name: clip.isFile
          ? clip.path.lastComponent.map { FilePath(root: nil, [$0]).displayText } ?? "" : "standard input",
        bytes: file.version.bytes,
        facts: tiles.facts,
        clip: tiles.clip
      ),
      tiles: tiles.frames
    )
    guard sheet.isDrawable else { return .failure(.tooLargeSheet(sheet.size)) }
    switch try await artist.draw(sheet, from: tiles.pixels) {
    case .success(let drawn):
      var facts = tiles.facts
      (facts.width, facts.height) = (sheet.size.width, sheet.size.height)
      return try await compress(drawn, facts, tiles.clip, for: request, texts: texts, of: file, with: decoder)
    case .failure(let failure): return .failure(failure)
    }
  }

  /// The decoded frames of a contact sheet.
  private struct Tiles {
    let facts: CoverFacts
    let clip: ClipFacts
    let frames: CoverFacts.Tiles
    let pixels: MemoryFile
  }

  private func decodeTiles(
    for request: CoverRequest,
    of file: OpenClip,
    with decoder: Decoder
  ) async throws(ServiceError) -> Result<Tiles, CoverFailure> {
    let largest = request.largestSize
    let pixels: MemoryFile
    do throws(Errno) {
      pixels = try MemoryFile(maximumBytes: 3 * min(largest.width * largest.height, SheetPlan.maximumPixels))
    } catch {
      return .failure(.cannotHold(error))
    }
    let reply = try await decoder.perform(
      .tiles(request),
      descriptors: [file.descriptor, pixels.descriptor],
      rawFormat: RawFormat(ofFileAt: clip.path)
    )
    switch reply {
    case .tiles(let facts, let clip, let bytes):
      do throws(CoverFailure) {
        guard facts.tilesFit(request), let frames = facts.tiles, bytes == 3 * facts.width * facts.height else {
          throw .invalidPicture("its tiles are not those of the request")
        }
        do throws(Errno) {
          try pixels.seal(bytes: bytes)
        } catch {
          throw .unsealed(error)
        }
        return .success(Tiles(facts: facts, clip: clip, frames: frames, pixels: pixels))
      } catch {
        await decoder.stop()
        return .failure(error)
      }
    case .failure(let failure): return .failure(failure.stage == .encode ? failure.aboutMemory : failure)
    case .cover, .facts, .lacksVideo: return .failure(.unexpectedAnswer)
    }
  }

  private func compress(
    _ pixels: MemoryFile,
    _ facts: CoverFacts,
    _ clip: ClipFacts,
    for request: CoverRequest,
    texts: [CoverText],
    of file: OpenClip,
    with decoder: Decoder
  ) async throws(ServiceError) -> Result<DecodedCover, CoverFailure> {
    var encoding = CoverRequest(size: SizeLimit(width: facts.width, height: facts.height) ?? .none)
    (encoding.format, encoding.quality) = (request.format, request.quality)
    let picture: MemoryFile
    do throws(CoverFailure) {
      picture = try MemoryFile.make(for: encoding, texts: texts)
    } catch {
      return .failure(error)
    }
    let work = DecoderRequest.Work.encode(encoding, texts: texts, facts: facts, clip: clip)
    switch try await decoder.perform(work, descriptors: [pixels.descriptor, picture.descriptor]) {
    case .cover(let encoded, let bytes):
      do throws(CoverFailure) {
        guard (encoded.width, encoded.height) == (facts.width, facts.height), encoded.tiles == facts.tiles else {
          throw .invalidPicture("its size or its frames are not those that were drawn")
        }
        try CoverFileCheck(of: encoded, for: encoding, texts: texts).seal(picture, bytes: bytes)
      } catch {
        await decoder.stop()
        return .failure(error)
      }
      return .success(DecodedCover(clip: file.version, facts: encoded, picture: picture))
    case .failure(let failure): return .failure(failure.stage == .encode ? failure.aboutMemory : failure)
    case .tiles, .facts, .lacksVideo: return .failure(.unexpectedAnswer)
    }
  }
}

extension ContactSheet {
  /// Whether the sheet is within the limits of its formats and of memory.
  fileprivate var isDrawable: Bool {
    max(size.width, size.height) < SheetPlan.maximumSide && size.width * size.height <= SheetPlan.maximumPixels
  }
}

extension CoverFailure {
  fileprivate static func tooLargeSheet(_ size: PixelSize) -> CoverFailure {
    CoverFailure(
      stage: .encode,
      cause: .tooLarge,
      message: "the contact sheet would have \(size.width)×\(size.height) pixels; the limits are "
        + "\(SheetPlan.maximumSide - 1) for a side and \(SheetPlan.maximumPixels) for all",
      advice: "choose a smaller --size, fewer frames or more --columns"
    )
  }
}
