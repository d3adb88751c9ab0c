internal import Covers
internal import Files
internal import Synchronization
internal import SystemPackage

/// One run of a batch.
final class BatchRun: Sendable {
  let batch: Batch
  private let requestText: String
  /// What to make of each clip that has a cover.
  let extras: [Extra]
  let folder = FilePath.currentFolder
  let clips: ClipQueue
  private let crew: DecoderCrew
  let report: @Sendable (BatchEvent) -> Void
  let summary = Mutex(BatchSummary())
  /// The folder of the most recent cover; leftovers in it have been removed.
  private let tidyFolder = Mutex<FilePath?>(nil)
  /// The clips that broke a decoder, in order.
  private let suspects = Mutex<[FoundClip]>([])
  let pathOwners: CoverPathOwners
  /// The clips among the named paths.
  let namedClips: Set<FileIdentity>
  /// The folder for all pictures if it cannot be written to, which ends the run at the first picture that is due.
  private let readOnlyFolder: (FilePath, Errno)?
  /// Returns the folders with removed clips; `nil` if all folders are searched for pictures without a clip.
  private let changed: (@Sendable () -> ChangedFolders)?
  /// Returns whether a failure of a clip, or `nil` for a cover, was reported before, so that it is not reported again.
  private let isReported: @Sendable (CoverFailure?, FilePath) -> Bool

  /// - Parameters:
  ///   - batch: The batch.
  ///   - clips: The clips to process; `nil` for those of the batch.
  ///   - changed: Returns the folders with removed clips; `nil` to search all folders for pictures without a clip.
  ///   - isReported: Returns whether a failure of a clip was reported before. Called for each clip, with `nil` if it has
  ///     a cover.
  ///   - makeDecoder: Creates a decoder.
  ///   - report: Called for each event.
  init(
    _ batch: Batch,
    clips: ClipQueue? = nil,
    changed: (@Sendable () -> ChangedFolders)? = nil,
    isReported: @escaping @Sendable (CoverFailure?, FilePath) -> Bool = { _, _ in false },
    makeDecoder: () -> RestartingDecoder,
    report: @escaping @Sendable (BatchEvent) -> Void
  ) throws(ServiceError) {
    self.batch = batch
    (self.report, self.changed, self.isReported) = (report, changed, isReported)
    requestText = try batch.request.text()
    extras = try Extra.all(of: batch)
    summary.withLock { summary in
      summary.storyboards = batch.storyboard.map { _ in .init() }
      summary.sheets = batch.sheet.map { _ in .init() }
      summary.animations = batch.animation.map { _ in .init() }
      summary.thumbnails = batch.thumbnailSizes.isEmpty ? nil : .init()
      summary.planned = batch.isDry ? 0 : nil
      summary.removed = batch.removesPictures ? 0 : nil
    }
    crew = try DecoderCrew(batch.jobs, makeDecoder: makeDecoder)
    if let clips { self.clips = clips } else { self.clips = try ClipQueue(batch.clips) }
    pathOwners = CoverPathOwners(batch.pathRule)
    namedClips = Set(batch.clips.paths.compactMap { FileIdentity(of: $0) })
    readOnlyFolder = batch.isDry ? nil : batch.placement.readOnlyFolder
  }

  func all() async throws(ServiceError) -> BatchSummary {
    try await crew.run(clips, work)
    return await finalSummary()
  }

  private func work() async throws(ServiceError) {
    try await crew.each { decoder throws(ServiceError) in try await self.makeCovers(with: decoder) }
    try await retrySuspects()
    if batch.removesPictures, !clips.isStopped { await removePictures() }
  }

  /// Removes the pictures whose clips are gone.
  private func removePictures() async {
    await Disk(label: "clipcanvas.tidying", ()).use { [self] _ in
      let tidying = PictureTidying(batch: batch, isStopped: { self.clips.isStopped }) { [self] event in
        if case .removed = event { summary.withLock { $0.removed = ($0.removed ?? 0) + 1 } }
        report(event)
      }
      if let changed { tidying.run(inChanged: changed()) } else { tidying.run() }
    }
  }

  /// A queue for operations that wait for the disk.
  private typealias Disk = QueueConfined<Void>

  /// Processes clips until the queue is empty.
  ///
  /// Because writing to disk takes time, a cover is put in place while the decoder works on the next clip, which is
  /// reported later.
  private func makeCovers(with decoder: RestartingDecoder) async throws(ServiceError) {
    let disk = Disk(label: "clipcanvas.disk", ())
    var placing: Task<Void, Never>?
    do throws(ServiceError) {
      while !clips.isStopped, let finding = try await clips.next() {
        placing = try await process(finding, with: decoder, after: placing, by: disk)
      }
    } catch {
      await placing?.value
      throw error
    }
    // It exits while the last cover is being written.
    await decoder.stop()
    await placing?.value
  }

  /// Does all work on a finding that needs the decoder, and returns the task that puts its cover in place.
  ///
  /// - Parameter earlier: The task that puts the cover of the previous clip in place; it ends before this clip does.
  private func process(
    _ finding: Finding,
    with decoder: RestartingDecoder,
    after earlier: Task<Void, Never>?,
    by disk: Disk
  ) async throws(ServiceError) -> Task<Void, Never>? {
    guard case .clip(let clip) = finding else {
      await earlier?.value
      if case .problem(let path, let failure) = finding { report(failure, ofFolder: path) }
      return nil
    }
    guard !batch.isDry else {
      try await plan(clip, with: decoder)
      return nil
    }
    if let (folder, error) = readOnlyFolder { try refuse(folder, error, ifDue: clip) }
    guard batch.makesCovers else {
      report(.began(clip.path))
      if let result = try await makeExtras(of: clip, with: decoder) { report(.finished(result)) }
      return nil
    }
    let place = place(of: clip)
    let progress = try await decode(clip, at: place, with: decoder)
    await earlier?.value
    switch progress {
    case .decoded(let cover):
      let placing = Task { await put(cover, of: clip, in: place, with: decoder, by: disk) }
      let extras = try await makeExtras(of: clip, with: decoder)
      return Task { finish(await placing.value, of: clip, at: place, extras) }
    case .ended(let outcome):
      let settled = await conclude(outcome, of: clip, at: place, with: decoder)
      let extras = outcome.hasPicture ? try await makeExtras(of: clip, with: decoder) : nil
      finish(settled, of: clip, at: place, extras)
      return nil
    }
  }

  /// Does all work on a clip that needs its decoder; the clip occupies its cover path until it is concluded.
  private func decode(
    _ clip: FoundClip,
    at place: CoverPlace,
    with decoder: RestartingDecoder
  ) async throws(ServiceError) -> CoverJob.Progress {
    report(.began(clip.path))
    let owner = await pathOwners.take(place.cover.path, for: clip.path)
    do throws(ServiceError) {
      return try await job(clip, place, owner: owner).progress(with: decoder)
    } catch {
      await pathOwners.leave(place.cover.path)
      throw error
    }
  }

  private func put(
    _ cover: DecodedCover,
    of clip: FoundClip,
    in place: CoverPlace,
    with decoder: RestartingDecoder,
    by disk: Disk
  ) async -> PictureOutcome? {
    let job = job(clip, place)
    let outcome = await disk.use { _ in job.putInPlace(cover) }
    return await conclude(outcome, of: clip, at: place, with: decoder)
  }

  /// Reports a cover, or keeps the clip for a retry if its decoder broke down; returns the outcome if it was reported.
  private func conclude(
    _ outcome: PictureOutcome,
    of clip: FoundClip,
    at place: CoverPlace,
    with decoder: RestartingDecoder
  ) async -> PictureOutcome? {
    var settled: PictureOutcome?
    if let failure = outcome.failure, failure.isBreakdown, !outcome.isKnown {
      await decoder.stop()
      if !clips.isStopped {
        suspects.withLock { $0.append(clip) }
        report(.postponed(clip.path, failure))
      }
    } else if outcome.hasPicture || !clips.isStopped {
      // A cover is reported even if the run has been cancelled in the meantime, because it is in place.
      settled = settle(outcome, of: clip, at: place)
    }
    if outcome.namesAnotherPath { await pathOwners.give(place.cover.path, to: clip.path) }
    await pathOwners.leave(place.cover.path)
    return settled
  }

  /// Reports the end of all work on a clip whose cover has been reported.
  private func finish(_ cover: PictureOutcome?, of clip: FoundClip, at place: CoverPlace, _ extras: ClipResult?) {
    guard let cover else { return }
    var result = extras ?? ClipResult(clip: clip.path)
    result.cover = (cover, place.cover.path)
    result.add(cover.failure)
    report(.finished(result))
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
    guard let decoder = crew.decoders.first else { return }
    for clip in suspects.withLock({ $0 }) {
      guard !clips.isStopped else { return }
      report(.began(clip.path))
      let place = place(of: clip)
      let outcome = try await occupying(place.cover.path, for: clip) { owner throws(ServiceError) in
        try await job(clip, place, owner: owner).secondOutcome(with: decoder)
      }
      guard !clips.isStopped else { return }
      let settled = settle(outcome, of: clip, at: place)
      let extras = outcome.hasPicture ? try await makeExtras(of: clip, with: decoder) : nil
      finish(settled, of: clip, at: place, extras)
    }
  }

  func place(of clip: FoundClip) -> CoverPlace {
    batch.placement.place(of: clip, name: batch.name, format: batch.request.format, in: folder)
  }

  /// Does work on a picture of a clip while no other task uses its place.
  ///
  /// - Parameters:
  ///   - path: The place.
  ///   - clip: The clip.
  ///   - work: The work; it is given the clip that the place belongs to, if that is another one.
  func occupying<Result: Sendable>(
    _ path: FilePath,
    for clip: FoundClip,
    _ work: (FilePath?) async throws(ServiceError) -> Result
  ) async throws(ServiceError) -> Result {
    let owner = await pathOwners.take(path, for: clip.path)
    do throws(ServiceError) {
      let result = try await work(owner)
      await pathOwners.leave(path)
      return result
    } catch {
      await pathOwners.leave(path)
      throw error
    }
  }

  /// - Parameter owner: The clip that the place belongs to, if that is another one.
  func job(_ clip: FoundClip, _ place: CoverPlace, owner: FilePath? = nil) -> CoverJob {
    var order = CoverOrder(
      clip: clip,
      place: place,
      request: batch.request,
      isForced: batch.isForced,
      retriesFailures: batch.retriesFailures
    )
    order.reportsFacts = batch.reportsFacts
    order.keepsSize = batch.keepsSizes
    order.name = batch.name
    var job = CoverJob(order, text: requestText, in: folder, pathRule: pathOwners.rule, namedClips: namedClips)
    job.owner = owner
    job.isOneOfSeveral = !batch.thumbnailSizes.isEmpty
    return job
  }

  /// Records a failure and reports the outcome; returns it unless the file turned out not to be a clip.
  ///
  /// A failure marker and a fresh cover never exist together: a cover left unchanged by a failed forced run is still
  /// valid, and a marker is removed before a cover is put in place.
  private func settle(_ outcome: PictureOutcome, of clip: FoundClip, at place: CoverPlace) -> PictureOutcome? {
    if !outcome.isFresh { tidy(place.cover.folder) }
    if passesOver(clip, after: outcome.failure) { return nil }
    if let marker = FailureMarker(outcome), !(batch.isForced && job(clip, place).hasFreshCover) {
      marker.leave(at: place)
    }
    var outcome = outcome
    outcome.isKnown = isReported(outcome.failure, clip.path) || outcome.isKnown
    end(outcome)
    return outcome
  }

  /// Reports a file that turned out not to be a clip, or a watched clip that was removed; returns whether that is so.
  func passesOver(_ clip: FoundClip, after failure: CoverFailure?) -> Bool {
    let isGone = clip.mayVanish && failure?.cause == .missing
    guard isGone || failure.map(clip.isNoClip) == true else { return false }
    summary.withLock { $0.notClips += isGone ? 0 : 1 }
    report(.wasNoClip(clip.path))
    return true
  }

  /// Reports a folder that cannot be read.
  private func report(_ failure: CoverFailure, ofFolder path: FilePath) {
    let outcome = PictureOutcome(
      status: .failed,
      clip: .init(path: path.displayText, uri: path.uri(in: folder)),
      path: nil,
      request: batch.request,
      failure: failure
    )
    end(outcome)
    summary.withLock { $0.failedFolders += 1 }
    var result = ClipResult(clip: path)
    result.cover = (outcome, path)
    result.add(failure)
    report(.finished(result))
  }

  func end(_ outcome: PictureOutcome) {
    summary.withLock { $0.count(outcome) }
    report(.ended(outcome))
  }

  private func finalSummary() async -> BatchSummary {
    let passedOver = await clips.passedOver
    var starts = 0
    for decoder in crew.decoders {
      starts += await decoder.starts
    }
    return summary.withLock { summary in
      summary.passedLinks = passedOver.links
      summary.defaultExclusions = passedOver.defaultExclusions
      summary.otherFiles = passedOver.otherFiles
      summary.decoders = starts
      return summary
    }
  }
}
