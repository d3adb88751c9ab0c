internal import Covers
internal import Synchronization

/// What a batch makes of a clip in addition to its cover.
extension BatchRun {
  /// Makes the storyboard, the contact sheet and the animation of a clip, if they are wanted; returns whether that
  /// succeeded.
  func makeExtras(of clip: FoundClip, with decoder: Decoder) async throws(ServiceError) -> Bool {
    guard var isComplete = try await makeStoryboard(of: clip, with: decoder) else { return true }
    for (request, text) in extraRequests {
      guard let hasPicture = try await make(request, text, of: clip, with: decoder) else { return true }
      isComplete = isComplete && hasPicture
    }
    return isComplete
  }

  /// Makes the storyboard of a clip, if storyboards are wanted; returns `nil` if there is nothing more to do.
  private func makeStoryboard(of clip: FoundClip, with decoder: Decoder) async throws(ServiceError) -> Bool? {
    guard !clips.isStopped else { return nil }
    guard let request = batch.storyboard,
      let order = StoryboardOrder(clip: clip, placement: batch.placement, request: request, isForced: batch.isForced)
    else { return true }
    let outcome = try await StoryboardJob(order: order, folder: folder).outcomeWithRetry(with: decoder)
    guard outcome.hasStoryboard || !clips.isStopped, !passesOver(clip, after: outcome.failure) else { return nil }
    summary.withLock { $0.count(outcome) }
    report(.madeStoryboard(outcome))
    return outcome.hasStoryboard
  }

  /// Makes the contact sheet or the animation of a clip; returns `nil` if there is nothing more to do.
  private func make(
    _ request: CoverRequest,
    _ text: String,
    of clip: FoundClip,
    with decoder: Decoder
  ) async throws(ServiceError) -> Bool? {
    guard !clips.isStopped else { return nil }
    guard let place = batch.placement.place(of: request, for: clip) else { return true }
    let order = CoverOrder(
      clip: clip,
      at: place,
      request: request,
      artist: batch.sheet?.artist,
      isForced: batch.isForced
    )
    let job = CoverJob(order: order, requestText: text, folder: folder, pathRule: pathOwners.rule)
    let outcome = try await job.outcomeWithRetry(with: decoder)
    guard outcome.hasCover || !clips.isStopped, !passesOver(clip, after: outcome.failure) else { return nil }
    summary.withLock { $0.count(outcome) }
    report(.madeExtra(outcome))
    return outcome.hasCover
  }
}
