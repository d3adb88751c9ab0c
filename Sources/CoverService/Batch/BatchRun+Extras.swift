internal import Covers
internal import Files
internal import Synchronization

/// What a batch makes of a clip in addition to its cover.
extension BatchRun {
  /// Makes the storyboard, the contact sheet and the animation of a clip, if they are wanted.
  ///
  /// - Returns: The result without the cover; `nil` if the file is not a clip or the run has been stopped.
  func makeExtras(of clip: FoundClip, with decoder: Decoder) async throws(ServiceError) -> ClipResult? {
    var result = ClipResult(clip: clip.path)
    guard try await makeStoryboard(of: clip, with: decoder, for: &result) else { return nil }
    for (request, text) in extraRequests {
      guard try await make(request, text, of: clip, with: decoder, for: &result) else { return nil }
    }
    return result
  }

  /// Makes the storyboard of a clip, if storyboards are wanted; returns whether there may be more to do.
  private func makeStoryboard(
    of clip: FoundClip,
    with decoder: Decoder,
    for result: inout ClipResult
  ) async throws(ServiceError) -> Bool {
    guard !clips.isStopped else { return false }
    guard let job = storyboardJob(for: clip) else { return true }
    let outcome = try await occupying(job.path, for: clip) { owner throws(ServiceError) in
      var job = job
      job.owner = owner
      let outcome = try await job.outcomeWithRetry(with: decoder)
      if outcome.namesAnotherPath { await pathOwners.give(job.path, to: clip.path) }
      return outcome
    }
    guard outcome.hasStoryboard || !clips.isStopped, !passesOver(clip, after: outcome.failure) else { return false }
    summary.withLock { $0.count(outcome) }
    report(.madeStoryboard(outcome))
    result.add(outcome.failure)
    if let content = outcome.content {
      result.storyboard = (outcome, StoryboardPlace(of: job.order, tileWidth: content.tileWidth).output.path)
    }
    return true
  }

  /// Returns the job that makes the storyboard of a clip; `nil` if none is wanted.
  func storyboardJob(for clip: FoundClip) -> StoryboardJob? {
    batch.storyboard
      .flatMap {
        StoryboardOrder(clip: clip, placement: batch.placement, request: $0, isForced: batch.isForced)
      }
      .map { StoryboardJob(order: $0, folder: folder) }
  }

  /// Returns the job that makes a contact sheet or an animation of a clip, and its place; `nil` if it has none.
  func extraJob(_ request: CoverRequest, _ text: String, of clip: FoundClip) -> (CoverJob, place: OutputPlace)? {
    guard let place = batch.placement.place(of: request, for: clip) else { return nil }
    let order = CoverOrder(
      clip: clip,
      at: place,
      request: request,
      artist: batch.sheet?.artist,
      isForced: batch.isForced
    )
    let job = CoverJob(
      order: order,
      requestText: text,
      uri: clip.uri(in: folder),
      pathRule: pathOwners.rule,
      namedClips: namedClips
    )
    return (job, place)
  }

  /// Makes the contact sheet or the animation of a clip; returns whether there may be more to do.
  private func make(
    _ request: CoverRequest,
    _ text: String,
    of clip: FoundClip,
    with decoder: Decoder,
    for result: inout ClipResult
  ) async throws(ServiceError) -> Bool {
    guard !clips.isStopped else { return false }
    guard let (job, place) = extraJob(request, text, of: clip) else { return true }
    let outcome = try await occupying(place.path, for: clip) { owner throws(ServiceError) in
      var job = job
      job.owner = owner
      let outcome = try await job.outcomeWithRetry(with: decoder)
      if outcome.namesAnotherPath { await pathOwners.give(place.path, to: clip.path) }
      return outcome
    }
    guard outcome.hasCover || !clips.isStopped, !passesOver(clip, after: outcome.failure) else { return false }
    summary.withLock { $0.count(outcome) }
    report(.madeExtra(outcome))
    result.add(outcome.failure)
    if request.kind == .animation, outcome.hasCover { result.animation = place.path }
    return true
  }
}
