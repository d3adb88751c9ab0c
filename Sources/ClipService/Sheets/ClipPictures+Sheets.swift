internal import Covers
internal import DecoderWire
internal import Files
internal import SystemPackage

// The tiles of a single sheet are decoded by two decoders, half by each, because a decoder uses one processor only.

extension ClipPictures {
  /// Returns the facts of the clip; `nil` if it has no video, or cannot be read.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func facts(
    of file: OpenClip,
    programme: Int?,
    with decoder: RestartingDecoder
  ) async throws(ServiceError) -> ClipFacts? {
    let rawFormat = RawFormat(ofFileAt: clip.path)
    guard
      case .success(let clip) = try await decoder.probe(file.descriptor, programme: programme, rawFormat: rawFormat)
    else { return nil }
    return clip.facts
  }

  /// Decodes the tiles of a sheet with a single column, with both decoders if there are two.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - file: The clip.
  ///   - decoder: The decoder that decodes all tiles if they cannot be shared.
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func decodeTiles(
    for request: CoverRequest,
    of file: OpenClip,
    with decoder: RestartingDecoder
  ) async throws(ServiceError) -> Result<SheetTiles, CoverFailure> {
    switch try await decodeSharedTiles(for: request, of: file, with: decoder) {
    case .success(let tiles?): .success(tiles)
    case .success(nil): try await decodeAllTiles(for: request, of: file, with: decoder)
    case .failure(let failure): .failure(failure)
    }
  }

  /// Decodes half of the tiles with each of two decoders, and arranges them.
  ///
  /// - Returns: `nil` if there is only one decoder, or if one has to decode the whole sheet, for instance because the
  ///   clip's duration is unknown.
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func decodeSharedTiles(
    for request: CoverRequest,
    of file: OpenClip,
    with decoder: RestartingDecoder
  ) async throws(ServiceError) -> Result<SheetTiles?, CoverFailure> {
    guard let helper, let plan = request.sheet, plan.mayBeShared else { return .success(nil) }
    var (firstRequest, secondRequest) = (request, request)
    (firstRequest.sheet, secondRequest.sheet) = (plan.column(of: .first), plan.column(of: .second))
    async let other = try? decodeAllTiles(for: secondRequest, of: file, with: helper)
    let first = try await decodeAllTiles(for: firstRequest, of: file, with: decoder)
    // If the helper cannot be started, it is not needed.
    guard let second = await other else { return .success(nil) }
    do throws(CoverFailure) {
      let tiles: SheetTiles
      switch first {
      case .success(let decoded): tiles = decoded
      case .failure(let failure): return failure.isBreakdown ? .failure(failure) : .success(nil)
      }
      switch second {
      case .success(let others): return .success(try .joining(tiles, others, for: request))
      case .failure(let failure):
        if failure.isBreakdown { return .failure(failure) }
        let isWhole = !SheetPlan.hasTwoSeries(plan.times(duration: tiles.clip.durationSeconds).count)
        return .success(isWhole ? try .joining(tiles, nil, for: request) : nil)
      }
    } catch {
      return .failure(error)
    }
  }

  private func decodeAllTiles(
    for request: CoverRequest,
    of file: OpenClip,
    with decoder: RestartingDecoder
  ) async throws(ServiceError) -> Result<SheetTiles, CoverFailure> {
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
        return .success(SheetTiles(facts: facts, clip: clip, frames: frames, pixels: pixels))
      } catch {
        await decoder.stop()
        return .failure(error)
      }
    case .failure(let failure): return .failure(failure.stage == .encode ? failure.aboutMemory : failure)
    case .cover, .facts, .lacksVideo: return .failure(.unexpectedAnswer)
    }
  }

  /// Lets a decoder compress the pixels of a sheet, and seals and checks the file.
  ///
  /// - Parameters:
  ///   - pixels: The rows of the sheet, as 8-bit RGB.
  ///   - facts: The facts of the sheet.
  ///   - clip: The facts of the clip.
  ///   - request: The request, which has the file format.
  ///   - texts: The texts to store in the picture.
  ///   - file: The clip.
  ///   - decoder: The decoder.
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func compress(
    _ pixels: MemoryFile,
    _ facts: CoverFacts,
    _ clip: ClipFacts,
    for request: CoverRequest,
    texts: [CoverText],
    of file: OpenClip,
    with decoder: RestartingDecoder
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
