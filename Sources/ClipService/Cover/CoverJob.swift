internal import Covers
internal import Files
internal import SystemPackage

/// The making of one cover, contact sheet or animation: open the clip, check the place, decode into a memory file, seal
/// and check it, and copy it into place.
///
/// The last step does not need the decoder, but waits for the disk.
struct CoverJob: PictureJob {
  let order: CoverOrder
  /// The request as stored in the cover.
  let requestText: String
  var pictures: ClipPictures
  /// The rule for clips of the same run with the same cover path.
  let pathRule: CoverPathOwners.Rule
  /// The clips that were named together with this one, which no picture may replace.
  let namedClips: Set<FileIdentity>
  /// Whether the run makes several covers of the clip, one after another.
  var isOneOfSeveral = false
  /// Whether no other work follows, so that the decoder can exit while the cover is being written.
  var isLast = false
  var owner: FilePath?

  /// - Parameters:
  ///   - order: The order.
  ///   - text: The request as stored in the cover.
  ///   - folder: The folder that relative paths are resolved against.
  ///   - pathRule: The rule for clips of the same run with the same cover path.
  ///   - namedClips: The clips that no picture may replace.
  init(
    _ order: CoverOrder,
    text: String,
    in folder: FilePath,
    pathRule: CoverPathOwners.Rule,
    namedClips: Set<FileIdentity>
  ) {
    (self.order, requestText, self.pathRule, self.namedClips) = (order, text, pathRule, namedClips)
    pictures = ClipPictures(clip: order.clip, uri: order.clip.uri(in: folder), artist: order.artist)
  }

  var path: FilePath? { if case .file(let place) = order.destination { place.path } else { nil } }

  /// The state of a clip when its decoder is free for the next one.
  enum Progress: Sendable {
    /// There is nothing more to do.
    case ended(PictureOutcome)
    /// The cover is sealed and checked, but not yet in place.
    case decoded(DecodedCover)
  }

  func outcome(
    with decoder: RestartingDecoder,
    onSheet: SheetReport
  ) async throws(ServiceError) -> PictureOutcome {
    switch try await progress(with: decoder) {
    case .ended(let outcome): return outcome
    case .decoded(let cover):
      if isLast {
        await decoder.stop()
        await pictures.helper?.stop()
      }
      return putInPlace(cover)
    }
  }

  func freshness() throws(CoverFailure) -> Freshness {
    let version = try order.clip.version()
    let existing = existingCover(of: version)
    if let head = try freshCover(existing, of: version) { return .ended(fresh(head, clip: version)) }
    if let failure = knownFailure(of: version) {
      var outcome = failed(failure, clip: version)
      outcome.isKnown = true
      return .ended(outcome)
    }
    return .due(
      PlannedPicture(
        clip: pictures.description(of: version),
        kind: order.request.kind,
        path: order.destination.displayText,
        reason: existing.reasonToReplace(for: version, request: requestText)
      )
    )
  }

  /// Does all work that needs the decoder.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func progress(with decoder: RestartingDecoder) async throws(ServiceError) -> Progress {
    let clip: OpenClip
    do throws(CoverFailure) {
      if case .ended(let outcome) = try freshness() { return .ended(outcome) }
      clip = try pictures.open(takesEmbeddedVideo: order.request.takesEmbeddedVideo)
    } catch {
      return .ended(failed(error))
    }
    let result = try await pictures.decode(
      order.request,
      text: requestText,
      of: clip,
      with: decoder,
      isOneOfSeveral: isOneOfSeveral
    )
    switch result {
    case .success(let cover): return .decoded(cover)
    case .failure(let failure): return .ended(failed(failure, clip: clip.version))
    }
  }

  /// Puts a decoded cover in place and returns the outcome.
  func putInPlace(_ cover: DecodedCover) -> PictureOutcome {
    do throws(CoverFailure) {
      switch order.destination {
      case .file(let place): try write(cover, to: place)
      case .standardOutput: try writeToStandardOutput(cover)
      }
    } catch {
      return failed(error, clip: cover.clip)
    }
    let status: PictureOutcome.Status = cover.facts.degradation == nil ? .made(order.request.kind) : .degraded
    return outcome(status, clip: cover.clip, facts: cover.facts)
  }

  // MARK: - Making

  /// Copies the picture to a new file and puts that in place, or to an empty file that another program created for it.
  private func write(_ cover: DecodedCover, to place: OutputPlace) throws(CoverFailure) {
    do throws(FileReplacementError) {
      if let file = EmptyFile(at: place) {
        return try file.fill { file throws(Errno) in try cover.picture.write(to: file) }
      }
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

  /// Removes the failure marker of the clip before the cover is in place, so that a killed run never leaves both.
  private func forgetFailure(at path: FilePath) {
    let usual = CoverPlace(at: path, of: order.clip.path, name: order.name, format: order.request.format)
    guard let place = order.place ?? usual else { return }
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
        message: "cannot write to standard output: \(error.message)"
      )
    }
  }

  // MARK: - Outcomes

  private func outcome(
    _ status: PictureOutcome.Status,
    clip: ClipVersion?,
    facts: CoverFacts? = nil,
    size: PixelSize? = nil,
    failure: CoverFailure? = nil
  ) -> PictureOutcome {
    PictureOutcome(
      status: status,
      clip: pictures.description(of: clip),
      path: failure == nil ? order.destination.displayText : nil,
      request: order.request,
      size: size ?? facts.map { PixelSize(width: $0.width, height: $0.height) },
      facts: facts,
      failure: failure
    )
  }

  private func fresh(_ head: CoverHead, clip: ClipVersion) -> PictureOutcome {
    let facts = order.reportsFacts || head.mayBeDegraded ? head.facts : nil
    let status: PictureOutcome.Status = facts?.degradation == nil ? .fresh : .degraded
    var outcome = outcome(status, clip: clip, facts: facts, size: head.size)
    outcome.isFresh = true
    outcome.namesAnotherPath = !pictures.isOwn(head)
    if facts == nil {
      // The duration is in whole seconds, rounded; 0 carries no information.
      outcome.durationSeconds = head[.movieLength].flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    return outcome
  }

  func failed(_ failure: CoverFailure, clip: ClipVersion? = nil) -> PictureOutcome {
    outcome(failure.isIncomplete ? .incomplete : .failed, clip: clip, failure: failure)
  }
}
