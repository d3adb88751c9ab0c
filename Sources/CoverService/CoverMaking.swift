internal import CoverCheck
internal import Covers
internal import Files
internal import SystemPackage

/// The way of one clip: open it, look at the cover's place, decode into a file beside that, check what came, and put
/// it in place.
///
/// All but the last step needs a decoder; the last one waits for the disk.
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
    /// The cover is checked and not in its place yet.
    case decoded(DecodedCover)
  }

  /// Does it all and tells what became of it.
  ///
  /// - Throws: ``ServiceError`` when no decoder can be started.
  func outcome(with decoder: Decoder) async throws(ServiceError) -> CoverOutcome {
    switch try await progress(with: decoder) {
    case .ended(let outcome): outcome
    case .decoded(let cover): putInPlace(cover)
    }
  }

  /// Does all that needs the decoder.
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
    switch order.destination {
    case .file(let path): return try await decode(clip, intoFileFor: path, with: decoder)
    case .standardOutput:
      return .ended(outcome(try await writeToStandardOutput(clip, with: decoder), clip: clip.version))
    }
  }

  /// Does the rest, which waits for the disk.
  func putInPlace(_ cover: DecodedCover) -> CoverOutcome {
    forgetFailure(at: cover.path)
    do {
      try cover.takeFile()?.commit()
      return outcome(.success(cover.facts), clip: cover.clip)
    } catch {
      return outcome(.failure(CoverFailure(error)), clip: cover.clip)
    }
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
    intoFileFor path: FilePath,
    with decoder: Decoder
  ) async throws(ServiceError) -> Progress {
    let file: ReplacementFile
    do throws(FileReplacementError) {
      file = try newFile(for: path)
    } catch {
      return .ended(failed(CoverFailure(error), clip: clip.version))
    }
    switch try await decode(clip, into: file.descriptor, with: decoder) {
    case .success(let facts): return .decoded(DecodedCover(file, for: path, of: clip.version, facts: facts))
    case .failure(let failure): return .ended(failed(describingOutput(of: failure, path: path), clip: clip.version))
    }
  }

  /// Takes the note away that the clip gives no cover: before that is there, so that no run leaves both when it is killed.
  private func forgetFailure(at path: FilePath) {
    guard let place = order.place ?? CoverPlace(at: path, of: order.clip, format: order.request.format) else { return }
    FailureMarker.remove(at: place)
  }

  /// A batch makes the folder where it is missing.
  private func newFile(for path: FilePath) throws(FileReplacementError) -> ReplacementFile {
    guard let place = order.place else { return try ReplacementFile(for: path) }
    do {
      return try ReplacementFile(for: path, permissions: place.permissions)
    } catch  where error.errno == .noSuchFileOrDirectory {
      let folder = path.removingLastComponent()
      do throws(Errno) {
        try Folder.make(at: folder, permissions: place.folderPermissions)
      } catch {
        throw FileReplacementError(operation: "make the folder", path: folder, errno: error)
      }
      return try ReplacementFile(for: path, permissions: place.permissions)
    }
  }

  private func writeToStandardOutput(
    _ clip: ClipFile,
    with decoder: Decoder
  ) async throws(ServiceError) -> Result<CoverFacts, CoverFailure> {
    let memory: FileDescriptor
    do {
      memory = try FileDescriptor.memory(named: "clipcanvas cover")
    } catch {
      return .failure(CoverFailure(stage: .output, cause: .outputFailed, message: "cannot hold the cover: \(error)"))
    }
    defer { try? memory.close() }
    let result = try await decode(clip, into: memory, with: decoder)
    guard case .success = result else { return result }
    do {
      try memory.copyAll(to: .standardOutput)
      return result
    } catch {
      return .failure(
        CoverFailure(
          stage: .output,
          cause: .outputFailed,
          code: Int((error as? Errno)?.rawValue ?? 0),
          message: "cannot write to standard output: \((error as? Errno)?.words ?? "\(error)")"
        )
      )
    }
  }

  private func decode(
    _ clip: ClipFile,
    into output: FileDescriptor,
    with decoder: Decoder
  ) async throws(ServiceError) -> Result<CoverFacts, CoverFailure> {
    let (descriptors, texts) = ([clip.descriptor, output], texts(for: clip.version))
    switch try await decoder.perform(.cover(order.request, texts: texts), descriptors: descriptors) {
    case .cover(let facts):
      do throws(CoverFailure) {
        try CoverFileCheck(of: facts, for: order.request, texts: texts).validate(file: output)
        return .success(facts)
      } catch {
        await decoder.stop()
        return .failure(error)
      }
    case .failure(let failure): return .failure(failure)
    case .facts: return .failure(.unexpectedAnswer)
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

  // MARK: - Telling it

  private func outcome(_ result: Result<CoverFacts, CoverFailure>, clip: ClipVersion) -> CoverOutcome {
    switch result {
    case .success(let facts): outcome(facts.degradation == nil ? .cover : .degraded, clip: clip, facts: facts)
    case .failure(let failure): failed(failure, clip: clip)
    }
  }

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

  /// A decoder does not know where its output goes; here the place is known.
  private func describingOutput(of failure: CoverFailure, path: FilePath) -> CoverFailure {
    guard failure.stage == .encode, failure.cause == .outputFailed, failure.code != 0 else { return failure }
    return CoverFailure(
      FileReplacementError(operation: "write", path: path, errno: Errno(rawValue: CInt(clamping: failure.code)))
    )
  }
}
