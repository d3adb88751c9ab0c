package import Covers
internal import Files
internal import Synchronization
package import SystemPackage

/// A progress event of a running batch.
package enum BatchEvent: Sendable {
  /// Work on a clip has started.
  case began(FilePath)
  /// The decoder broke down on a clip, which will be retried alone after all other clips.
  case postponed(FilePath, CoverFailure)
  /// Work on the cover of a clip has ended.
  case ended(PictureOutcome)
  /// Work on the storyboard, the contact sheet, the animation or a thumbnail of a further size of a clip has ended.
  case madeExtra(PictureOutcome)
  /// All work on a clip has ended, after the events for its pictures.
  case finished(ClipResult)
  /// A file without a clip's file extension turned out not to be a clip.
  case wasNoClip(FilePath)
  /// A dry run would make a picture.
  case planned(PlannedPicture)
  /// A picture whose clip is gone was removed, or would be by a dry run.
  case removed(RemovedPicture)
  /// Pictures whose clips are gone were kept, because their folder has no clips at all.
  case keptPictures(of: FilePath, count: Int)
}

/// A job that makes the covers of many clips with several decoders in parallel.
///
/// Memory use does not grow with the number of clips, except for those that broke a decoder.
package struct Batch: Sendable {
  /// The clips.
  package var clips: ClipSelection
  /// The request for all covers.
  package var request: CoverRequest
  /// Whether a cover that differs from the request only in its size is fresh.
  package var keepsSizes = false
  /// The location of the covers.
  package var placement: CoverPlacement
  /// Further sizes of thumbnails to make of each clip that has a cover; for covers in the thumbnail cache only.
  package var thumbnailSizes: [FreedesktopCache.Size] = []
  /// The pattern of the names of covers.
  package var name = CoverName.usual
  /// The number of decoders used in parallel, at least 1.
  package var jobs: Int
  /// The storyboard to make of each clip that has a cover; `nil` makes none.
  package var storyboard: StoryboardRequest?
  /// The request for a contact sheet of each clip that has a cover, and the artist to draw it; `nil` makes none.
  package var sheet: (request: CoverRequest, artist: SheetArtist)?
  /// The request for an animation of each clip that has a cover; `nil` makes none.
  package var animation: CoverRequest?
  /// Whether to make covers; otherwise only storyboards, contact sheets and animations are made.
  package var makesCovers = true
  /// Whether to replace covers that are fresh and files that are not ClipCanvas covers.
  package var isForced = false
  /// Whether to report only what would be done.
  package var isDry = false
  /// Whether to remove pictures and failure markers whose clip is gone, from the folders of the clips or those that
  /// correspond to them.
  package var removesPictures = false
  /// Whether to retry clips that failed in an earlier run.
  package var retriesFailures = false
  /// Whether the outcomes of fresh covers include their facts; those of degraded covers always do.
  ///
  /// Parsing the facts of a fresh cover takes several times as long as all other work on it.
  package var reportsFacts = true

  /// Creates a batch.
  package init(clips: ClipSelection, request: CoverRequest, placement: CoverPlacement, jobs: Int) {
    self.clips = clips
    self.request = request
    self.placement = placement
    self.jobs = jobs
  }
}

extension Batch {
  /// The rule for clips with the same cover path.
  ///
  /// Different clips can meet below another folder, if they are in a list, because each of its paths is normalised
  /// separately, or where the name of a picture contains only a part of the clip's; named paths are checked in advance.
  var pathRule: CoverPathOwners.Rule {
    if name.mayBeShared || storyboard?.layout == .jellyfin { return .namedInCover(since: .now) }
    if clips.list != nil, case .below = placement { return .namedInCover(since: .now) }
    return clips.list != nil || clips.paths.count > 1 ? .sameClip : .distinct
  }
}

extension CoverService {
  /// Makes the covers of a batch.
  ///
  /// Every clip ends in exactly one ``BatchEvent/finished(_:)`` or ``BatchEvent/wasNoClip(_:)``, in order of
  /// completion. If the task is cancelled, the decoders are terminated immediately, clips in progress are not reported,
  /// and finished covers are kept.
  ///
  /// - Parameters:
  ///   - batch: The batch to run.
  ///   - report: Called from several tasks, possibly concurrently. Until a call returns, the decoder of the clip
  ///     processes at most one further clip.
  /// - Throws: ``ServiceError`` if no decoder can be started or the list of clips cannot be read; events reported
  ///   before remain valid.
  package func run(
    _ batch: Batch,
    report: @escaping @Sendable (BatchEvent) -> Void
  ) async throws(ServiceError) -> BatchSummary {
    let run = try BatchRun(batch, makeDecoder: makeDecoder, report: report)
    return try await run.all()
  }
}
