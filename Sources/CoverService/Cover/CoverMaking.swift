internal import CoverCheck
internal import Covers
internal import DecoderWire
internal import Files
internal import SystemPackage

/// The life of one cover: open the clip, look at the cover's place, decode into a file in memory, seal and check that, and
/// copy it into place.
///
/// The last step needs no decoder, and waits for the disk.
struct CoverMaking {
  let order: CoverOrder
  /// The request as it is written into the cover; see ``text(of:)``.
  let requestText: String
  /// What relative paths are relative to.
  let folder: FilePath
  /// Whether an earlier order of the same run has the same destination.
  var isDuplicate = false

  /// A request as it is written into covers.
  static func text(of request: CoverRequest) throws(ServiceError) -> String {
    do {
      return String(decoding: try CanonicalJSON.line(request), as: UTF8.self)
    } catch {
      throw ServiceError("the request cannot be written down: \(error)")
    }
  }

  /// How far a clip has come when its decoder is free for the next one.
  enum Progress: Sendable {
    /// There is nothing more to do.
    case ended(CoverOutcome)
    /// The cover is sealed and checked, and not in its place yet.
    case decoded(DecodedCover)
  }

  /// Makes the cover and returns what became of it.
  ///
  /// - Throws: ``ServiceError`` when no decoder can be started.
  func outcome(with decoder: Decoder) async throws(ServiceError) -> CoverOutcome {
    switch try await progress(with: decoder) {
    case .ended(let outcome): outcome
    case .decoded(let cover): putInPlace(cover)
    }
  }

  /// Does everything that needs the decoder.
  ///
  /// - Throws: ``ServiceError`` when no decoder can be started.
  func progress(with decoder: Decoder) async throws(ServiceError) -> Progress {
    let clip: ClipFile
    do throws(CoverFailure) {
      let version = try ClipVersion(of: order.clip, followsLinks: order.followsLinks)
      if let head = try freshCover(of: version) { return .ended(fresh(head, clip: version)) }
      if let failure = knownFailure(of: version) { return .ended(failed(failure, clip: version, isKnown: true)) }
      clip = try ClipFile(opening: order.clip, followsLinks: order.followsLinks)
      try checkKind(of: clip)
    } catch {
      return .ended(failed(error))
    }
    switch try await decode(clip, with: decoder) {
    case .success(let cover): return .decoded(cover)
    case .failure(let failure): return .ended(failed(failure, clip: clip.version))
    }
  }

  /// Puts a cover in its place.
  func putInPlace(_ cover: DecodedCover) -> CoverOutcome {
    do throws(CoverFailure) {
      switch order.destination {
      case .file(let place): try write(cover, to: place)
      case .standardOutput: try writeToStandardOutput(cover)
      }
    } catch {
      return failed(error, clip: cover.clip)
    }
    return outcome(cover.facts.degradation == nil ? .cover : .degraded, clip: cover.clip, facts: cover.facts)
  }

  /// Tries once more with another decoder when the first one breaks down.
  func outcomeOfTwoTries(with decoder: Decoder) async throws(ServiceError) -> CoverOutcome {
    let wasFresh = await decoder.isFresh
    let first = try await outcome(with: decoder)
    guard first.failure?.isWorthAnotherDecoder(wasFresh: wasFresh) == true else { return first }
    await decoder.stop()
    var second = try await outcome(with: decoder)
    second.attempts = 2
    return second
  }

  // MARK: - Making it

  /// Refuses what is a cover, and a picture of which nobody said that it is a clip.
  private func checkKind(of clip: ClipFile) throws(CoverFailure) {
    guard PictureSignature.isPicture(clip.descriptor.bytes(at: 0, count: PictureSignature.mostBytes)) else { return }
    guard CoverHead(of: clip.descriptor)?.isCover != true else {
      throw CoverFailure(stage: .input, cause: .isCover, message: "it is a cover made by clipcanvas")
    }
    guard order.isCertain else { throw CoverFailure(stage: .input, cause: .isPicture, message: "it is a picture") }
  }

  private func decode(
    _ clip: ClipFile,
    with decoder: Decoder
  ) async throws(ServiceError) -> Result<DecodedCover, CoverFailure> {
    let texts = texts(for: clip.version)
    let picture: MemoryFile
    do throws(CoverFailure) {
      picture = try CoverFileCheck.memory(for: order.request, texts: texts)
    } catch {
      return .failure(error)
    }
    let descriptors = [clip.descriptor, picture.descriptor]
    switch try await decoder.perform(.cover(order.request, texts: texts), descriptors: descriptors) {
    case .cover(let facts, let bytes):
      // Checked before the decoder gets another clip: after nonsense it is replaced.
      do throws(CoverFailure) {
        try CoverFileCheck(of: facts, for: order.request, texts: texts).seal(picture, bytes: bytes)
      } catch {
        await decoder.stop()
        return .failure(error)
      }
      return .success(DecodedCover(clip: clip.version, facts: facts, picture: picture))
    case .failure(let failure): return .failure(failure.stage == .encode ? failure.aboutMemory : failure)
    case .facts: return .failure(.unexpectedAnswer)
    }
  }

  /// Copies the picture into a file of its own and puts that in place.
  private func write(_ cover: DecodedCover, to place: OutputPlace) throws(CoverFailure) {
    do throws(FileReplacementError) {
      let file = try ReplacementFile(
        for: place,
        permissions: order.place?.permissions ?? CoverPlace.usualPermissions,
        creatingFolders: order.createsFolders
          ? order.place?.folderPermissions ?? CoverPlace.usualFolderPermissions : nil
      )
      do throws(Errno) {
        try cover.picture.write(to: file.descriptor)
      } catch {
        throw FileReplacementError(operation: "write", path: place.path, errno: error)
      }
      forgetFailure(at: place.path)
      try file.commit()
    } catch {
      throw CoverFailure(error)
    }
  }

  /// Removes the note that the clip gives no cover: before the cover is in place, so that a killed run never leaves both.
  private func forgetFailure(at path: FilePath) {
    guard let place = order.place ?? CoverPlace(at: path, of: order.clip, format: order.request.format) else { return }
    FailureMarker.remove(at: place)
  }

  private func writeToStandardOutput(_ cover: DecodedCover) throws(CoverFailure) {
    do throws(Errno) {
      try cover.picture.write(to: .standardOutput)
    } catch {
      throw CoverFailure(
        stage: .output,
        cause: .outputFailed,
        code: Int(error.rawValue),
        message: "cannot write to standard output: \(error.words)"
      )
    }
  }

  private func texts(for clip: ClipVersion) -> [PNGText] {
    [
      PNGText(.uri, uri),
      PNGText(.mtime, "\(clip.mtimeSeconds)"),
      PNGText(.size, "\(clip.bytes)"),
      PNGText(.mtimeNanoseconds, "\(clip.mtimeNanoseconds)"),
      PNGText(.request, requestText),
    ]
  }

  private var uri: String { order.clip.uri(in: folder) }

  // MARK: - Outcomes

  private func outcome(
    _ status: CoverOutcome.Status,
    clip: ClipVersion?,
    facts: CoverFacts? = nil,
    size: PixelSize? = nil,
    failure: CoverFailure? = nil
  ) -> CoverOutcome {
    CoverOutcome(
      status: status,
      clip: .init(
        path: order.clip.displayText,
        uri: uri,
        bytes: clip?.bytes,
        mtimeNanoseconds: clip?.mtimeNanoseconds
      ),
      cover: failure == nil ? order.destination.displayText : nil,
      request: order.request,
      coverSize: size ?? facts.map { PixelSize(width: $0.width, height: $0.height) },
      facts: facts,
      failure: failure
    )
  }

  private func fresh(_ head: CoverHead, clip: ClipVersion) -> CoverOutcome {
    var outcome = outcome(.fresh, clip: clip, size: head.size)
    // Whole seconds, rounded; 0 tells nothing.
    outcome.durationSeconds = head[.movieLength].flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
    return outcome
  }

  private func failed(_ failure: CoverFailure, clip: ClipVersion? = nil, isKnown: Bool = false) -> CoverOutcome {
    var outcome = outcome(failure.isIncomplete ? .incomplete : .failed, clip: clip, failure: failure)
    outcome.isKnown = isKnown
    return outcome
  }
}
