public import Covers
internal import Files
internal import Synchronization
public import SystemPackage

/// A progress event of a running batch.
public enum BatchEvent: Sendable {
  /// Work on a clip has started.
  case began(FilePath)
  /// The decoder broke down on a clip, which will be retried alone after all other clips.
  case postponed(FilePath, CoverFailure)
  /// Work on a clip has ended.
  case ended(CoverOutcome, clip: FilePath, cover: FilePath)
  /// A file without a clip's file extension turned out not to be a clip.
  case wasNoClip(FilePath)
}

/// A job that makes the covers of many clips with several decoders in parallel.
///
/// Memory use does not grow with the number of clips, except for those that broke a decoder.
public struct Batch: Sendable {
  /// The clips.
  public var clips: ClipSelection
  /// The request for all covers.
  public var request: CoverRequest
  /// The location of the covers.
  public var placement: CoverPlacement
  /// The number of decoders used in parallel, at least 1.
  public var jobs: Int
  /// Whether to replace covers that are fresh and files that are not ClipCanvas covers.
  public var isForced = false
  /// Whether to retry clips that failed in an earlier run.
  public var retriesFailures = false

  /// Creates a batch.
  public init(clips: ClipSelection, request: CoverRequest, placement: CoverPlacement, jobs: Int) {
    self.clips = clips
    self.request = request
    self.placement = placement
    self.jobs = jobs
  }
}

extension Batch {
  /// Whether two clips may have the same cover path.
  ///
  /// For named paths this is checked in advance; for paths in a list it is not, because each is normalised separately.
  fileprivate var clipsMayMeet: Bool {
    guard case .below = placement else { return false }
    return clips.list != nil
  }

  /// Whether the same cover path may occur twice, because of two clips or of one clip that was named twice.
  fileprivate var placesMayMeet: Bool { clips.list != nil || clips.paths.count > 1 }
}

extension CoverService {
  /// Makes the covers of a batch.
  ///
  /// Every clip ends in exactly one ``BatchEvent/ended(_:clip:cover:)`` or ``BatchEvent/wasNoClip(_:)``, in order of
  /// completion. If the task is cancelled, the decoders are terminated immediately, clips in progress are not reported,
  /// and finished covers are kept.
  ///
  /// - Parameters:
  ///   - batch: The batch to run.
  ///   - report: Called from several tasks, possibly concurrently. Until a call returns, the decoder of the clip
  ///     processes at most one further clip.
  /// - Throws: ``ServiceError`` if no decoder can be started or the list of clips cannot be read; events reported
  ///   before remain valid.
  public func run(
    _ batch: Batch,
    report: @escaping @Sendable (BatchEvent) -> Void
  ) async throws(ServiceError) -> BatchSummary {
    let run = try BatchRun(batch, makeDecoder: makeDecoder, report: report)
    return try await run.all()
  }
}

/// One run of a batch.
private final class BatchRun: Sendable {
  private let batch: Batch
  private let requestText: String
  private let folder = FilePath.currentFolder
  private let clips: ClipQueue
  private let decoders: [Decoder]
  private let report: @Sendable (BatchEvent) -> Void
  private let summary = Mutex(BatchSummary())
  /// The folder of the most recent cover, in which leftovers have been removed.
  private let tidyFolder = Mutex<FilePath?>(nil)
  /// The clips that broke a decoder, in order.
  private let suspects = Mutex<[FoundClip]>([])
  /// The cover paths in use, if the same path may occur twice.
  private let pathLocks: CoverPathLocks?

  init(
    _ batch: Batch,
    makeDecoder: () -> Decoder,
    report: @escaping @Sendable (BatchEvent) -> Void
  ) throws(ServiceError) {
    self.batch = batch
    self.report = report
    requestText = try CoverJob.text(of: batch.request)
    try DescriptorLimit.makeRoom(forDecoders: max(1, batch.jobs))
    clips = try ClipQueue(batch.clips)
    decoders = (0..<max(1, batch.jobs)).map { _ in makeDecoder() }
    pathLocks = batch.placesMayMeet ? CoverPathLocks() : nil
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

  /// A queue for operations that wait for the disk.
  private typealias Disk = QueueConfined<Void>

  /// Processes clips until the queue is empty.
  ///
  /// Because writing to disk takes time, a cover is put in place while the decoder works on the next clip, which is
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

  /// Does all work on a clip that needs its decoder; the clip occupies its cover path until it is concluded.
  private func decode(
    _ clip: FoundClip,
    at place: CoverPlace,
    with decoder: Decoder
  ) async throws(ServiceError) -> CoverJob.Progress {
    report(.began(clip.path))
    await pathLocks?.take(place.cover.path)
    do throws(ServiceError) {
      return try await making(clip, place).progress(with: decoder)
    } catch {
      await pathLocks?.leave(place.cover.path)
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

  /// Reports a clip, or keeps it for a retry if its decoder broke down.
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
      // A cover is reported even if the run has been cancelled in the meantime, because it is in place.
      settle(outcome, of: clip, at: place)
    }
    await pathLocks?.leave(place.cover.path)
  }

  /// Removes leftovers of killed runs from a folder that this run writes to.
  ///
  /// Clips are found folder by folder, so remembering the last folder is sufficient.
  private func tidy(_ folder: FilePath) {
    let isNew = tidyFolder.withLock { tidy in
      defer { tidy = folder }
      return tidy != folder
    }
    if isNew { ReplacementFile.removeLeftovers(in: folder) }
  }

  /// Retries the clips that broke a decoder one after another, each with a new decoder process.
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

  private func making(_ clip: FoundClip, _ place: CoverPlace) -> CoverJob {
    let order = CoverOrder(
      clip: clip,
      place: place,
      request: batch.request,
      isForced: batch.isForced,
      retriesFailures: batch.retriesFailures
    )
    return CoverJob(order: order, requestText: requestText, folder: folder)
  }

  /// Records a failure and reports the outcome.
  ///
  /// A failure marker and a fresh cover never exist together: a cover left unchanged by a failed forced run is still
  /// valid, and a marker is removed before a cover is put in place.
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

  /// The outcome for a folder that cannot be read.
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
