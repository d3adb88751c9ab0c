internal import Covers
internal import Files
internal import Synchronization

/// What a dry run reports.
extension BatchRun {
  /// Reports what a run would do with a clip.
  func plan(_ clip: FoundClip) throws(ServiceError) {
    report(.began(clip.path))
    var result = ClipResult(clip: clip.path)
    var hasCover = true
    if batch.makesCovers { hasCover = plan(job(clip, place(of: clip)), for: &result) }
    if hasCover {
      try planStoryboard(of: clip, for: &result)
      for (request, text) in extraRequests {
        if let job = extraJob(request, text, of: clip) { _ = plan(job, for: &result) }
      }
    }
    report(.finished(result))
  }

  /// Reports what a run would do for a picture; returns whether the clip may have further pictures.
  private func plan(_ job: CoverJob, for result: inout ClipResult) -> Bool {
    switch job.plan() {
    case .due(let picture): report(picture)
    case .ended(let outcome):
      result.isProblem = result.isProblem || !outcome.hasCover
      if outcome.request.kind == .cover {
        end(outcome)
      } else {
        summary.withLock { $0.count(outcome) }
        report(.madeExtra(outcome))
      }
      return outcome.hasCover
    }
    return true
  }

  private func planStoryboard(of clip: FoundClip, for result: inout ClipResult) throws(ServiceError) {
    guard let job = storyboardJob(for: clip) else { return }
    switch try job.plan() {
    case .due(let picture): report(picture)
    case .ended(let outcome):
      result.isProblem = result.isProblem || !outcome.hasStoryboard
      summary.withLock { $0.count(outcome) }
      report(.madeStoryboard(outcome))
    }
  }

  private func report(_ picture: PlannedPicture) {
    summary.withLock { $0.planned = ($0.planned ?? 0) + 1 }
    report(.planned(picture))
  }
}
