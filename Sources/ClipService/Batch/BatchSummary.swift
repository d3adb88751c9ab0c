internal import Covers

/// The number of clips with each outcome in a batch.
package struct BatchSummary: Codable, Sendable, Equatable {
  /// The number of covers made.
  package var covers = 0
  /// The number of covers, new and fresh ones, that differ from what the clip's maker saw; they count here only.
  package var degraded = 0
  /// The number of degraded covers that were fresh.
  package var freshDegraded = 0
  /// The number of covers that were fresh.
  package var fresh = 0
  /// The number of clips that are still being written or were cut short.
  package var incomplete = 0
  /// The number of clips and folders that failed.
  package var failed = 0
  /// The number of folders among the failed ones.
  package var failedFolders = 0
  /// The number of incomplete and failed clips that were not retried, because an earlier run failed and nothing has
  /// changed.
  package var known = 0
  /// The number of incomplete clips among the known ones.
  package var knownIncomplete = 0
  /// The number of files that turned out not to be clips; only files without a clip's file extension are counted.
  package var notClips = 0
  /// The number of symbolic links that were not followed.
  package var passedLinks = 0
  /// The number of files and folders that were skipped by default: those of NAS systems and desktops, and folders that
  /// contain a file `.nomedia`.
  package var defaultExclusions = 0
  /// The number of files that were not examined because their extension is neither that of a clip nor that of a picture.
  package var otherFiles = 0
  /// The number of decoder processes started.
  package var decoders = 0

  /// The number of storyboards with each outcome; `nil` if none were wanted.
  package var storyboards: Counts?
  /// The number of contact sheets with each outcome; `nil` if none were wanted.
  package var sheets: Counts?
  /// The number of animations with each outcome; `nil` if none were wanted.
  package var animations: Counts?

  /// The number of thumbnails of further sizes with each outcome; `nil` if none were wanted.
  package var thumbnails: Counts?

  /// The number of pictures that would be made; `nil` unless it was a dry run.
  package var planned: Int?
  /// The number of pictures and failure markers removed because their clip is gone, or that a dry run would remove;
  /// `nil` unless that was wanted.
  package var removed: Int?

  /// The number of storyboards, of contact sheets, of animations or of thumbnails, with each outcome.
  package struct Counts: Codable, Sendable, Equatable {
    /// The number made.
    package var made = 0
    /// The number with damaged tiles, new and fresh; they count here only.
    package var degraded = 0
    /// The number that were fresh but degraded.
    package var freshDegraded = 0
    /// The number that were fresh.
    package var fresh = 0
    /// The number of clips that are still being written or were cut short.
    package var incomplete = 0
    /// The number of clips whose picture could not be made.
    package var failed = 0

    /// The number of clips with an outcome.
    package var clips: Int { made + degraded + fresh + incomplete + failed }
    /// The number of clips without one.
    fileprivate var missing: Int { incomplete + failed }

    /// Returns the sum of these numbers and earlier ones.
    fileprivate func added(to earlier: Self?) -> Self {
      var sum = earlier ?? Self()
      sum.made += made
      sum.degraded += degraded
      sum.freshDegraded += freshDegraded
      sum.fresh += fresh
      sum.incomplete += incomplete
      sum.failed += failed
      return sum
    }

    fileprivate mutating func leaveOutFresh() {
      degraded -= freshDegraded
      (fresh, freshDegraded) = (0, 0)
    }

    fileprivate mutating func count(_ outcome: PictureOutcome) {
      switch outcome.status {
      case .cover, .sheet, .animation, .storyboard: made += 1
      case .degraded: degraded += 1
      case .fresh: fresh += 1
      case .incomplete: incomplete += 1
      case .failed: failed += 1
      }
      freshDegraded += outcome.status == .degraded && outcome.isFresh ? 1 : 0
    }
  }

  /// Creates an empty summary.
  package init() {}

  /// The number of clips and folders with an outcome; files that are not clips do not count.
  package var clips: Int { covers + degraded + fresh + incomplete + failed }

  /// Whether a clip lacks something that was wanted of it.
  package var hasProblems: Bool { problems > 0 }

  /// Whether a clip failed that is not a known failure.
  package var hasNewProblems: Bool { problems > known }

  private var problems: Int {
    incomplete + failed + [storyboards, sheets, animations, thumbnails].reduce(0) { $0 + ($1?.missing ?? 0) }
  }

  /// Adds the numbers of a later run.
  mutating func add(_ later: BatchSummary) {
    covers += later.covers
    degraded += later.degraded
    freshDegraded += later.freshDegraded
    fresh += later.fresh
    incomplete += later.incomplete
    failed += later.failed
    failedFolders += later.failedFolders
    known += later.known
    knownIncomplete += later.knownIncomplete
    notClips += later.notClips
    addPassedOver(later)
    decoders += later.decoders
    removed = later.removed.map { $0 + (removed ?? 0) } ?? removed
    storyboards = later.storyboards.map { $0.added(to: storyboards) } ?? storyboards
    sheets = later.sheets.map { $0.added(to: sheets) } ?? sheets
    animations = later.animations.map { $0.added(to: animations) } ?? animations
    thumbnails = later.thumbnails.map { $0.added(to: thumbnails) } ?? thumbnails
  }

  /// Adds the numbers of a later run over the same folders, without what earlier ones have counted: fresh pictures,
  /// known failures, files that are not clips, and folders that failed.
  mutating func addChanges(of later: BatchSummary) {
    var new = later
    new.leaveOutFresh()
    new.incomplete -= new.knownIncomplete
    new.failed -= new.known - new.knownIncomplete + new.failedFolders
    (new.known, new.knownIncomplete, new.failedFolders, new.notClips) = (0, 0, 0, 0)
    add(new)
  }

  private mutating func leaveOutFresh() {
    degraded -= freshDegraded
    (fresh, freshDegraded) = (0, 0)
    storyboards?.leaveOutFresh()
    sheets?.leaveOutFresh()
    animations?.leaveOutFresh()
    thumbnails?.leaveOutFresh()
  }

  /// Adds what another run over the same folders did not examine.
  mutating func addPassedOver(_ other: BatchSummary) {
    passedLinks = max(passedLinks, other.passedLinks)
    defaultExclusions = max(defaultExclusions, other.defaultExclusions)
    otherFiles = max(otherFiles, other.otherFiles)
  }

  /// Counts the outcome of a picture, which may be a thumbnail of a further size.
  mutating func count(_ outcome: PictureOutcome, isThumbnail: Bool = false) {
    switch outcome.kind {
    case .cover where isThumbnail: thumbnails?.count(outcome)
    case .cover: countCover(outcome)
    case .contactSheet: sheets?.count(outcome)
    case .animation: animations?.count(outcome)
    case .storyboard: storyboards?.count(outcome)
    }
  }

  private mutating func countCover(_ outcome: PictureOutcome) {
    switch outcome.status {
    case .cover, .sheet, .animation, .storyboard: covers += 1
    case .degraded: degraded += 1
    case .fresh: fresh += 1
    case .incomplete: incomplete += 1
    case .failed: failed += 1
    }
    freshDegraded += outcome.status == .degraded && outcome.isFresh ? 1 : 0
    known += outcome.isKnown ? 1 : 0
    knownIncomplete += outcome.isKnown && outcome.status == .incomplete ? 1 : 0
  }
}
