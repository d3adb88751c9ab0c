internal import Covers
internal import Files
internal import SystemPackage

/// The making of one cover, contact sheet or animation: open the clip, check the place, decode into a memory file, seal
/// and check it, and copy it into place.
///
/// The last step does not need the decoder, but waits for the disk.
struct CoverJob {
  let order: CoverOrder
  /// The request as stored in the cover; see ``text(of:)``.
  let requestText: String
  /// The URI of the clip, which takes longer to make than to look up its cover; `nil` if it has no path.
  let uri: String?
  /// The rule for clips of the same run with the same cover path.
  var pathRule = CoverPathOwners.Rule.distinct
  /// Whether the run makes several covers of the clip, one after another.
  var isOneOfSeveral = false
  /// Whether no other work follows, so that the decoder can exit while the cover is being written.
  var isLast = false
  /// The clip that the cover path belongs to, according to ``CoverPathOwners``; `nil` if it is this clip or none.
  var owner: FilePath?
  /// The clips that were named together with this one, which no picture may replace.
  var namedClips: Set<FileIdentity> = []
  /// A second decoder that shares the work on a contact sheet; `nil` if one decoder does all.
  var helper: RestartingDecoder?

  /// Returns a request as stored in covers.
  static func text(of request: CoverRequest) throws(ServiceError) -> String {
    do {
      return String(decoding: try CanonicalJSON.line(request), as: UTF8.self)
    } catch {
      throw ServiceError("the request cannot be encoded: \(error)")
    }
  }

  private var pictures: ClipPictures {
    ClipPictures(clip: order.clip, uri: uri, artist: order.artist, helper: helper)
  }

  /// The state of a clip when its decoder is free for the next one.
  enum Progress: Sendable {
    /// There is nothing more to do.
    case ended(CoverOutcome)
    /// The cover is sealed and checked, but not yet in place.
    case decoded(DecodedCover)
  }

  /// Makes the cover and returns the outcome.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func outcome(with decoder: RestartingDecoder) async throws(ServiceError) -> CoverOutcome {
    switch try await progress(with: decoder) {
    case .ended(let outcome): return outcome
    case .decoded(let cover):
      if isLast {
        await decoder.stop()
        await helper?.stop()
      }
      return putInPlace(cover)
    }
  }

  /// What is known of a cover before anything is decoded.
  enum Freshness {
    /// There is nothing to do.
    case ended(CoverOutcome)
    /// The cover has to be made.
    case due(PlannedPicture)

    /// Whether the place of the cover belongs to the clip, although the cover there does not name it yet.
    var ownsDestination: Bool {
      switch self {
      case .ended(let outcome): outcome.namesAnotherPath
      case .due: true
      }
    }
  }

  /// Returns what a run would do.
  func plan() -> Freshness {
    do throws(CoverFailure) {
      return try freshness()
    } catch {
      return .ended(failed(error))
    }
  }

  private func freshness() throws(CoverFailure) -> Freshness {
    let version = try order.clip.version()
    let existing = existingCover(of: version)
    if let head = try freshCover(existing, of: version) { return .ended(fresh(head, clip: version)) }
    if let failure = knownFailure(of: version) { return .ended(failed(failure, clip: version, isKnown: true)) }
    return .due(
      PlannedPicture(
        clip: pictures.description(of: version),
        kind: .init(order.request.kind),
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
  func putInPlace(_ cover: DecodedCover) -> CoverOutcome {
    do throws(CoverFailure) {
      switch order.destination {
      case .file(let place): try write(cover, to: place)
      case .standardOutput: try writeToStandardOutput(cover)
      }
    } catch {
      return failed(error, clip: cover.clip)
    }
    let status: CoverOutcome.Status = cover.facts.degradation == nil ? .made(order.request.kind) : .degraded
    return outcome(status, clip: cover.clip, facts: cover.facts)
  }

  /// Makes the cover, with another decoder process if one breaks down, and returns the outcome.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func outcomeWithRetry(with decoder: RestartingDecoder) async throws(ServiceError) -> CoverOutcome {
    let wasFresh = await decoder.isFresh
    let first = try await outcome(with: decoder)
    guard first.failure?.isWorthAnotherDecoder(wasFresh: wasFresh) == true else { return first }
    return try await secondOutcome(with: decoder)
  }

  /// Makes the cover after a decoder broke down on the clip, with a new decoder process.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func secondOutcome(with decoder: RestartingDecoder) async throws(ServiceError) -> CoverOutcome {
    await decoder.stop()
    await helper?.stop()
    var job = self
    job.helper = nil
    var outcome = try await job.outcome(with: decoder)
    outcome.attempts = 2
    return outcome
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
    _ status: CoverOutcome.Status,
    clip: ClipVersion?,
    facts: CoverFacts? = nil,
    size: PixelSize? = nil,
    failure: CoverFailure? = nil
  ) -> CoverOutcome {
    CoverOutcome(
      status: status,
      clip: pictures.description(of: clip),
      cover: failure == nil ? order.destination.displayText : nil,
      request: order.request,
      coverSize: size ?? facts.map { PixelSize(width: $0.width, height: $0.height) },
      facts: facts,
      failure: failure
    )
  }

  private func fresh(_ head: CoverHead, clip: ClipVersion) -> CoverOutcome {
    let facts = order.reportsFacts || head.mayBeDegraded ? head.facts : nil
    let status: CoverOutcome.Status = facts?.degradation == nil ? .fresh : .degraded
    var outcome = outcome(status, clip: clip, facts: facts, size: head.size)
    outcome.isFresh = true
    outcome.namesAnotherPath = !isOwn(head)
    if facts == nil {
      // The duration is in whole seconds, rounded; 0 carries no information.
      outcome.durationSeconds = head[.movieLength].flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    return outcome
  }

  private func failed(_ failure: CoverFailure, clip: ClipVersion? = nil, isKnown: Bool = false) -> CoverOutcome {
    var outcome = outcome(failure.isIncomplete ? .incomplete : .failed, clip: clip, failure: failure)
    outcome.isKnown = isKnown
    return outcome
  }
}
