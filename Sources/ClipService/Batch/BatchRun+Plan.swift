internal import Covers
internal import Files
internal import Synchronization
internal import SystemPackage

/// What a dry run reports.
///
/// Because it makes no pictures that would name their clips, it remembers the clip of each place that several may have.
extension BatchRun {
  /// Reports what a run would do with a clip.
  ///
  /// A file whose extension does not show that it is a clip is examined as a run would examine it, so that both count the
  /// same clips.
  func plan(_ clip: FoundClip, with decoder: RestartingDecoder) async throws(ServiceError) {
    report(.began(clip.path))
    if !clip.isCertain, try isDue(clip) {
      let progress = try await job(clip, place(of: clip)).progress(with: decoder)
      if case .ended(let outcome) = progress, passesOver(clip, after: outcome.failure) { return }
    }
    var result = ClipResult(clip: clip.path)
    var hasCover = true
    if batch.makesCovers {
      let place = place(of: clip)
      hasCover = try await plan(job(clip, place), at: place.cover, of: clip, for: &result) { self.end($0) }
    }
    if hasCover {
      try await planStoryboard(of: clip, for: &result)
      for extra in extras {
        guard let (job, place) = extraJob(extra, of: clip) else { continue }
        _ = try await plan(job, at: place, of: clip, for: &result) { outcome in
          self.summary.withLock { $0.count(outcome, isThumbnail: extra.thumbnail != nil) }
          self.report(.madeExtra(outcome))
        }
      }
    }
    report(.finished(result))
  }

  /// Throws if a picture of a clip has to be made although the folder for it cannot be written to.
  ///
  /// Only a clip that needs a picture ends the run, so that pictures that are up to date can be used
  /// from a read-only disk.
  func refuse(_ folder: FilePath, _ error: Errno, ifDue clip: FoundClip) throws(ServiceError) {
    guard !batch.placement.isWritable(for: clip) else { return }
    guard try isDue(clip) else { return }
    throw ServiceError(
      "cannot write to the folder \(folder.displayText): \(error.message); specify another with -o"
    )
  }

  /// Whether a picture of a clip has to be made.
  private func isDue(_ clip: FoundClip) throws(ServiceError) -> Bool {
    var jobs = extras.compactMap { extraJob($0, of: clip)?.0 }
    if batch.makesCovers { jobs.append(job(clip, place(of: clip))) }
    if jobs.contains(where: { if case .due = $0.plan() { true } else { false } }) { return true }
    guard let job = storyboardJob(for: clip), case .due = try job.plan() else { return false }
    return true
  }

  /// Reports what a run would do for a picture; returns whether the clip may have further pictures.
  private func plan(
    _ job: CoverJob,
    at place: OutputPlace,
    of clip: FoundClip,
    for result: inout ClipResult,
    end: (CoverOutcome) -> Void
  ) async throws(ServiceError) -> Bool {
    let freshness = try await occupying(place.path, for: clip) { owner throws(ServiceError) in
      var job = job
      job.owner = owner
      let freshness = job.plan()
      if freshness.ownsDestination { await pathOwners.give(place.path, to: clip.path) }
      return freshness
    }
    switch freshness {
    case .due(let picture): report(picture)
    case .ended(let outcome):
      result.add(outcome.failure)
      end(outcome)
      return outcome.hasCover
    }
    return true
  }

  private func planStoryboard(of clip: FoundClip, for result: inout ClipResult) async throws(ServiceError) {
    guard let job = storyboardJob(for: clip) else { return }
    let freshness = try await occupying(job.path, for: clip) { owner throws(ServiceError) in
      var job = job
      job.owner = owner
      let freshness = try job.plan()
      if freshness.ownsDestination { await pathOwners.give(job.path, to: clip.path) }
      return freshness
    }
    switch freshness {
    case .due(let picture): report(picture)
    case .ended(let outcome):
      result.add(outcome.failure)
      summary.withLock { $0.count(outcome) }
      report(.madeStoryboard(outcome))
    }
  }

  private func report(_ picture: PlannedPicture) {
    summary.withLock { $0.planned = ($0.planned ?? 0) + 1 }
    report(.planned(picture))
  }
}
