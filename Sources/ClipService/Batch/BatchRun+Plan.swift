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
    if !clip.isCertain, isDue(clip) {
      let progress = try await job(clip, place(of: clip)).progress(with: decoder)
      if case .ended(let outcome) = progress, passesOver(clip, after: outcome.failure) { return }
    }
    var result = ClipResult(clip: clip.path)
    var hasCover = true
    if batch.makesCovers {
      hasCover = try await plan(job(clip, place(of: clip)), of: clip, for: &result) { end($0) }
    }
    for extra in hasCover ? extras : [] {
      guard let job = job(extra, of: clip) else { continue }
      _ = try await plan(job, of: clip, for: &result) { end($0, of: extra) }
    }
    report(.finished(result))
  }

  /// Throws if a picture of a clip has to be made although the folder for it cannot be written to.
  ///
  /// Only a clip that needs a picture ends the run, so that pictures that are up to date can be used
  /// from a read-only disk.
  func refuse(_ folder: FilePath, _ error: Errno, ifDue clip: FoundClip) throws(ServiceError) {
    guard !batch.placement.isWritable(for: clip) else { return }
    guard isDue(clip) else { return }
    throw ServiceError(
      "cannot write to the folder \(folder.displayText): \(error.message); specify another with -o"
    )
  }

  /// Whether a picture of a clip has to be made.
  private func isDue(_ clip: FoundClip) -> Bool {
    extras.contains { job($0, of: clip)?.plan().isDue == true }
      || batch.makesCovers && job(clip, place(of: clip)).plan().isDue
  }

  /// Reports what a run would do for a picture; returns whether the clip may have further pictures.
  private func plan(
    _ job: any PictureJob,
    of clip: FoundClip,
    for result: inout ClipResult,
    end: (PictureOutcome) -> Void
  ) async throws(ServiceError) -> Bool {
    guard let path = job.path else { return true }
    let freshness = try await occupying(path, for: clip) { owner throws(ServiceError) in
      var job = job
      job.owner = owner
      let freshness = job.plan()
      if freshness.ownsDestination { await pathOwners.give(path, to: clip.path) }
      return freshness
    }
    switch freshness {
    case .due(let picture):
      summary.withLock { $0.planned = ($0.planned ?? 0) + 1 }
      report(.planned(picture))
      return true
    case .ended(let outcome):
      result.add(outcome.failure)
      end(outcome)
      return outcome.hasPicture
    }
  }
}
