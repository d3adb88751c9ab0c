internal import Covers
internal import Files
internal import Synchronization
internal import SystemPackage

/// What a batch makes of a clip in addition to its cover.
extension BatchRun {
  /// A storyboard, a contact sheet, an animation, or a thumbnail of a further size.
  struct Extra: Sendable {
    let request: CoverRequest
    /// The request as stored in the picture.
    let text: String
    /// The request for a storyboard, whose first sheet is `request`; `nil` for other pictures.
    var storyboard: StoryboardRequest?
    /// The size of a thumbnail; `nil` for other pictures.
    var thumbnail: FreedesktopCache.Size?

    private init(_ request: CoverRequest) throws(ServiceError) {
      (self.request, text) = (request, try request.text())
    }

    /// Returns what a batch makes of each clip.
    static func all(of batch: Batch) throws(ServiceError) -> [Extra] {
      var extras: [Extra] = []
      if let storyboard = batch.storyboard {
        var extra = try Extra(storyboard.picture)
        extra.storyboard = storyboard
        extras.append(extra)
      }
      for request in [batch.sheet?.request, batch.animation].compactMap(\.self) {
        extras.append(try Extra(request))
      }
      for size in batch.thumbnailSizes {
        var request = batch.request
        request.size = size.limit
        var extra = try Extra(request)
        extra.thumbnail = size
        extras.append(extra)
      }
      return extras
    }
  }

  /// Makes the storyboard, the contact sheet, the animation and the thumbnails of a clip, if they are wanted.
  ///
  /// - Returns: The result without the cover; `nil` if the file is not a clip or the run has been stopped.
  func makeExtras(of clip: FoundClip, with decoder: RestartingDecoder) async throws(ServiceError) -> ClipResult? {
    var result = ClipResult(clip: clip.path)
    guard !clips.isStopped else { return nil }
    for extra in extras {
      guard try await make(extra, of: clip, with: decoder, for: &result) else { return nil }
    }
    return result
  }

  /// Returns the job for a picture; `nil` if the picture has no place.
  func job(_ extra: Extra, of clip: FoundClip) -> (any PictureJob)? {
    if let storyboard = extra.storyboard {
      return StoryboardOrder(clip: clip, placement: batch.placement, request: storyboard, isForced: batch.isForced)
        .map { StoryboardJob($0, text: extra.text, in: folder) }
    }
    guard let order = order(extra, of: clip) else { return nil }
    var job = CoverJob(order, text: extra.text, in: folder, pathRule: pathOwners.rule, namedClips: namedClips)
    job.isOneOfSeveral = extra.thumbnail != nil
    return job
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
    guard let job = job(extra, of: clip), let path = job.path else { return true }
    let outcome = try await occupying(path, for: clip) { owner throws(ServiceError) in
      var job = job
      job.owner = owner
      let outcome = try await job.outcomeWithRetry(with: decoder)
      if outcome.namesAnotherPath { await pathOwners.give(path, to: clip.path) }
      return outcome
    }
    guard outcome.hasPicture || !clips.isStopped, !passesOver(clip, after: outcome.failure) else { return false }
    end(outcome, of: extra)
    result.add(outcome.failure)
    guard outcome.hasPicture else { return true }
    switch outcome.kind {
    case .storyboard: result.storyboard = (outcome, job.path(of: outcome) ?? path)
    case .animation: result.animation = path
    case .cover, .contactSheet: break
    }
    return true
  }

  /// Counts and reports the outcome of a picture other than the cover.
  func end(_ outcome: PictureOutcome, of extra: Extra) {
    summary.withLock { $0.count(outcome, isThumbnail: extra.thumbnail != nil) }
    report(.madeExtra(outcome))
  }
}
