internal import Covers
internal import Synchronization

/// What a batch makes of a clip in addition to its cover.
extension BatchRun {
  /// Makes the storyboard and the contact sheet of a clip, if they are wanted; returns whether that succeeded.
  func makeSheets(of clip: FoundClip, with decoder: Decoder) async throws(ServiceError) -> Bool {
    guard let hasStoryboard = try await makeStoryboard(of: clip, with: decoder),
      let hasSheet = try await makeContactSheet(of: clip, with: decoder)
    else { return true }
    return hasStoryboard && hasSheet
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

  /// Makes the contact sheet of a clip, if contact sheets are wanted; returns `nil` if there is nothing more to do.
  private func makeContactSheet(of clip: FoundClip, with decoder: Decoder) async throws(ServiceError) -> Bool? {
    guard !clips.isStopped else { return nil }
    guard let (request, artist) = batch.sheet,
      let place = batch.placement.sheetPlace(of: clip, format: request.format)
    else { return true }
    let order = CoverOrder(clip: clip, sheet: place, request: request, artist: artist, isForced: batch.isForced)
    let job = CoverJob(order: order, requestText: sheetText, folder: folder, pathRule: pathOwners.rule)
    let outcome = try await job.outcomeWithRetry(with: decoder)
    guard outcome.hasCover || !clips.isStopped, !passesOver(clip, after: outcome.failure) else { return nil }
    summary.withLock { $0.count(sheet: outcome) }
    report(.madeSheet(outcome))
    return outcome.hasCover
  }
}
