public import Covers
internal import Files
internal import Synchronization
public import SystemPackage

/// What is told while a batch is at work.
public enum BatchEvent: Sendable {
  /// A clip was taken in hand.
  case began(FilePath)
  /// A clip broke its decoder; it is tried once more, alone, when all others are done.
  case postponed(FilePath, CoverFailure)
  /// A clip has its outcome.
  case ended(CoverOutcome, clip: FilePath, cover: FilePath)
  /// A file without a clip's ending turned out to be none.
  case wasNoClip(FilePath)
}

/// Makes the covers of many clips with several decoders at a time.
///
/// Nothing is held in memory per clip but those that broke a decoder.
public struct Batch: Sendable {
  /// Which clips.
  public var clips: ClipSelection
  /// What is asked of the covers.
  public var request: CoverRequest
  /// Where they go.
  public var placement: CoverPlacement
  /// How many decoders work at a time, from 1.
  public var jobs: Int
  /// Makes covers even when those there are fresh, and replaces files that are no covers of ours.
  public var isForced = false
  /// Tries clips again that gave no cover in an earlier run.
  public var retriesFailures = false

  /// Makes one of its parts.
  public init(clips: ClipSelection, request: CoverRequest, placement: CoverPlacement, jobs: Int) {
    self.clips = clips
    self.request = request
    self.placement = placement
    self.jobs = jobs
  }
}

extension Batch {
  /// Whether two clips may have their covers at one place: of paths that were named that is known beforehand, of those on
  /// a list it is not, as each is normalised by itself.
  fileprivate var clipsMayMeet: Bool {
    guard case .below = placement else { return false }
    return clips.list != nil
  }

  /// Whether one place may be come upon twice: by two clips, or by a clip that was named twice.
  fileprivate var placesMayMeet: Bool { clips.list != nil || clips.paths.count > 1 }
}

extension CoverService {
  /// Makes the covers of a batch.
  ///
  /// Every clip ends in exactly one ``BatchEvent/ended(_:clip:cover:)`` or ``BatchEvent/wasNoClip(_:)``, in the order in
  /// which they are done. When the task is cancelled, the decoders are ended at once, clips that were at work are not
  /// told of, and what is done stands.
  ///
  /// - Parameters:
  ///   - batch: What there is to do.
  ///   - report: Called by several tasks, at the same time too; while it does not return, its decoder goes no more than one
  ///     clip on.
  /// - Throws: ``ServiceError`` when no decoder can be started or the list of clips cannot be read; what was told until
  ///   then stands.
  public func run(
    _ batch: Batch,
    report: @escaping @Sendable (BatchEvent) -> Void
  ) async throws(ServiceError) -> BatchSummary {
    let run = try BatchRun(batch, makeDecoder: makeDecoder, report: report)
    return try await run.all()
  }
}

/// One batch at work.
private final class BatchRun: Sendable {
  private let batch: Batch
  private let requestText: String
  private let folder = FilePath.currentFolder
  private let clips: ClipQueue
  private let decoders: [Decoder]
  private let report: @Sendable (BatchEvent) -> Void
  private let summary = Mutex(BatchSummary())
  /// The folder of the newest cover, in which leftovers have been looked for.
  private let tidyFolder = Mutex<FilePath?>(nil)
  /// Clips that broke a decoder, in the order in which they did.
  private let suspects = Mutex<[FoundClip]>([])
  /// Where one place may be come upon twice.
  private let placesAtWork: PlacesAtWork?

  init(
    _ batch: Batch,
    makeDecoder: () -> Decoder,
    report: @escaping @Sendable (BatchEvent) -> Void
  ) throws(ServiceError) {
    self.batch = batch
    self.report = report
    requestText = try CoverMaking.text(of: batch.request)
    try DescriptorLimit.makeRoom(forDecoders: max(1, batch.jobs))
    clips = try ClipQueue(batch.clips)
    decoders = (0..<max(1, batch.jobs)).map { _ in makeDecoder() }
    placesAtWork = batch.placesMayMeet ? PlacesAtWork() : nil
  }

  func all() async throws(ServiceError) -> BatchSummary {
    let result: Result<Void, ServiceError> = await withTaskCancellationHandler {
      do throws(ServiceError) {
        return .success(try await work())
      } catch {
        return .failure(error)
      }
    } onCancel: {
      clips.stop()
      for decoder in decoders {
        Task { await decoder.shutDown() }
      }
    }
    for decoder in decoders {
      await decoder.shutDown()
    }
    try result.get()
    return await finalSummary()
  }

  private func work() async throws(ServiceError) {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for decoder in decoders {
          group.addTask { try await self.makeCovers(with: decoder) }
        }
        try await group.waitForAll()
      }
    } catch {
      throw error as? ServiceError ?? ServiceError("\(error)")
    }
    try await retrySuspects()
  }

  /// What waits for the disk.
  private typealias Disk = QueueConfined<Void>

  /// Takes clip after clip until there are none.
  ///
  /// A cover is put in its place while the decoder is busy with the next clip, as the disk takes its time; that clip is
  /// reported later.
  private func makeCovers(with decoder: Decoder) async throws {
    let disk = Disk(label: "clipcanvas.disk", ())
    try await withThrowingTaskGroup(of: Void.self) { placing in
      while !Task.isCancelled, let finding = try await clips.next() {
        switch finding {
        case .problem(let path, let failure):
          try await placing.next()
          end(problem(path, failure), path, path)
        case .clip(let clip):
          let place = place(of: clip)
          let progress = try await decode(clip, at: place, with: decoder)
          try await placing.next()
          switch progress {
          case .ended(let outcome): await conclude(outcome, of: clip, at: place, with: decoder)
          case .decoded(let cover):
            placing.addTask { await self.put(cover, of: clip, in: place, with: decoder, by: disk) }
          }
        }
      }
    }
  }

  /// Does everything with a clip that needs its decoder; the clip keeps its place until it is concluded.
  private func decode(
    _ clip: FoundClip,
    at place: CoverPlace,
    with decoder: Decoder
  ) async throws(ServiceError) -> CoverMaking.Progress {
    report(.began(clip.path))
    await placesAtWork?.take(place.cover.path)
    do throws(ServiceError) {
      return try await making(clip, place).progress(with: decoder)
    } catch {
      await placesAtWork?.leave(place.cover.path)
      throw error
    }
  }

  private func put(
    _ cover: DecodedCover,
    of clip: FoundClip,
    in place: CoverPlace,
    with decoder: Decoder,
    by disk: Disk
  ) async {
    let making = making(clip, place)
    let outcome = await disk.use { _ in making.putInPlace(cover) }
    await conclude(outcome, of: clip, at: place, with: decoder)
  }

  /// Reports a clip, or keeps it for another try where its decoder broke down.
  private func conclude(
    _ outcome: CoverOutcome,
    of clip: FoundClip,
    at place: CoverPlace,
    with decoder: Decoder
  ) async {
    if let failure = outcome.failure, failure.isBreakdown, !outcome.isKnown {
      await decoder.stop()
      if !Task.isCancelled {
        suspects.withLock { $0.append(clip) }
        report(.postponed(clip.path, failure))
      }
    } else if outcome.hasCover || !Task.isCancelled {
      // A cover is reported also when the run is ended meanwhile: it is in its place.
      settle(outcome, of: clip, at: place)
    }
    await placesAtWork?.leave(place.cover.path)
  }

  /// Removes what a killed run may have left where this one writes.
  ///
  /// Clips come folder by folder, so to remember one is enough.
  private func tidy(_ folder: FilePath) {
    let isNew = tidyFolder.withLock { tidy in
      defer { tidy = folder }
      return tidy != folder
    }
    if isNew { ReplacementFile.removeLeftovers(in: folder) }
  }

  /// Tries the clips that broke a decoder once more, one after another, each with a decoder of its own.
  private func retrySuspects() async throws(ServiceError) {
    guard let decoder = decoders.first else { return }
    for clip in suspects.withLock({ $0 }) {
      guard !Task.isCancelled else { return }
      report(.began(clip.path))
      await decoder.stop()
      let place = place(of: clip)
      var outcome = try await making(clip, place).outcome(with: decoder)
      guard !Task.isCancelled else { return }
      outcome.attempts = 2
      settle(outcome, of: clip, at: place)
    }
  }

  private func place(of clip: FoundClip) -> CoverPlace {
    var place = batch.placement.place(of: clip, format: batch.request.format, in: folder)
    place.mayMeet = batch.clipsMayMeet
    return place
  }

  private func making(_ clip: FoundClip, _ place: CoverPlace) -> CoverMaking {
    let order = CoverOrder(
      clip: clip,
      place: place,
      request: batch.request,
      isForced: batch.isForced,
      retriesFailures: batch.retriesFailures
    )
    return CoverMaking(order: order, requestText: requestText, folder: folder)
  }

  /// Notes a failure and tells.
  ///
  /// A note and a fresh cover do not come together: what a forced try left as it was is still right, and a note goes before
  /// the cover comes.
  private func settle(_ outcome: CoverOutcome, of clip: FoundClip, at place: CoverPlace) {
    if outcome.status != .fresh { tidy(place.cover.folder) }
    guard clip.isCertain || outcome.failure?.meansNoClip != true else {
      summary.withLock { $0.notClips += 1 }
      report(.wasNoClip(clip.path))
      return
    }
    if let marker = FailureMarker(outcome), !(batch.isForced && making(clip, place).hasFreshCover) {
      marker.leave(at: place)
    }
    end(outcome, clip.path, place.cover.path)
  }

  /// The outcome of a folder that cannot be looked into.
  private func problem(_ path: FilePath, _ failure: CoverFailure) -> CoverOutcome {
    CoverOutcome(
      status: .failed,
      clip: .init(path: path.displayText, uri: path.uri(in: folder)),
      cover: nil,
      request: batch.request,
      failure: failure
    )
  }

  private func end(_ outcome: CoverOutcome, _ clip: FilePath, _ cover: FilePath) {
    summary.withLock { $0.count(outcome) }
    report(.ended(outcome, clip: clip, cover: cover))
  }

  private func finalSummary() async -> BatchSummary {
    let passedLinks = await clips.passedLinks
    var starts = 0
    for decoder in decoders {
      starts += await decoder.starts
    }
    return summary.withLock { summary in
      summary.passedLinks = passedLinks
      summary.decoders = starts
      return summary
    }
  }
}
