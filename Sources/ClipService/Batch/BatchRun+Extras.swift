internal import Covers
internal import Files
internal import Synchronization

/// What a batch makes of a clip in addition to its cover.
extension BatchRun {
  /// A contact sheet, an animation, or a thumbnail of a further size.
  struct Extra: Sendable {
    let request: CoverRequest
    /// The request as stored in the picture.
    let text: String
    /// The size of a thumbnail; `nil` for other pictures.
    var thumbnail: FreedesktopCache.Size?

    /// Returns what a batch makes of each clip.
    static func all(of batch: Batch) throws(ServiceError) -> [Extra] {
      var extras: [Extra] = []
      for request in [batch.sheet?.request, batch.animation].compactMap(\.self) {
        extras.append(Extra(request: request, text: try CoverJob.text(of: request)))
      }
      for size in batch.thumbnailSizes {
        var request = batch.request
        request.size = size.limit
        extras.append(Extra(request: request, text: try CoverJob.text(of: request), thumbnail: size))
      }
      return extras
    }
  }

  /// Makes the storyboard, the contact sheet, the animation and the thumbnails of a clip, if they are wanted.
  ///
  /// - Returns: The result without the cover; `nil` if the file is not a clip or the run has been stopped.
  func makeExtras(of clip: FoundClip, with decoder: RestartingDecoder) async throws(ServiceError) -> ClipResult? {
    var result = ClipResult(clip: clip.path)
    guard try await makeStoryboard(of: clip, with: decoder, for: &result) else { return nil }
    for extra in extras {
      guard try await make(extra, of: clip, with: decoder, for: &result) else { return nil }
    }
    return result
  }

  /// Makes the storyboard of a clip, if storyboards are wanted; returns whether there may be more to do.
  private func makeStoryboard(
    of clip: FoundClip,
    with decoder: RestartingDecoder,
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

  /// Returns the job for a picture, and its place; `nil` if the picture has no place.
  func extraJob(_ extra: Extra, of clip: FoundClip) -> (CoverJob, place: OutputPlace)? {
    guard let order = order(extra, of: clip), case .file(let place) = order.destination else { return nil }
    var job = CoverJob(
      order: order,
      requestText: extra.text,
      uri: clip.uri(in: folder),
      pathRule: pathOwners.rule,
      namedClips: namedClips
    )
    job.isOneOfSeveral = extra.thumbnail != nil
    return (job, place)
  }

  private func order(_ extra: Extra, of clip: FoundClip) -> CoverOrder? {
    if let size = extra.thumbnail, case .thumbnails(let cache, _) = batch.placement {
      let place = CoverPlacement.thumbnails(cache, size)
        .place(of: clip, name: batch.name, format: extra.request.format, in: folder)
      var order = CoverOrder(
        clip: clip,
        place: place,
        request: extra.request,
        isForced: batch.isForced,
        retriesFailures: batch.retriesFailures
      )
      order.reportsFacts = batch.reportsFacts
      return order
    }
    guard let place = batch.placement.place(of: extra.request, for: clip) else { return nil }
    return CoverOrder(
      clip: clip,
      at: place,
      request: extra.request,
      artist: batch.sheet?.artist,
      isForced: batch.isForced
    )
  }

  /// Makes the picture of a clip; returns whether there may be more to do.
  private func make(
    _ extra: Extra,
    of clip: FoundClip,
    with decoder: RestartingDecoder,
    for result: inout ClipResult
  ) async throws(ServiceError) -> Bool {
    guard !clips.isStopped else { return false }
    guard let (job, place) = extraJob(extra, of: clip) else { return true }
    let outcome = try await occupying(place.path, for: clip) { owner throws(ServiceError) in
      var job = job
      job.owner = owner
      let outcome = try await job.outcomeWithRetry(with: decoder)
      if outcome.namesAnotherPath { await pathOwners.give(place.path, to: clip.path) }
      return outcome
    }
    guard outcome.hasCover || !clips.isStopped, !passesOver(clip, after: outcome.failure) else { return false }
    summary.withLock { $0.count(outcome, isThumbnail: extra.thumbnail != nil) }
    report(.madeExtra(outcome))
    result.add(outcome.failure)
    if extra.request.kind == .animation, outcome.hasCover { result.animation = place.path }
    return true
  }
}
