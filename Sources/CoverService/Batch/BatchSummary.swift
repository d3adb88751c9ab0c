internal import Covers

/// The number of clips with each outcome in a batch.
public struct BatchSummary: Encodable, Sendable, Equatable {
  /// The number of covers made.
  public var covers = 0
  /// The number of covers, new and fresh ones, that differ from what the clip's maker saw; they count here only.
  public var degraded = 0
  /// The number of degraded covers that were fresh.
  public var freshDegraded = 0
  /// The number of covers that were fresh.
  public var fresh = 0
  /// The number of clips that are still being written or were cut short.
  public var incomplete = 0
  /// The number of clips and folders that failed.
  public var failed = 0
  /// The number of incomplete and failed clips that were not retried, because an earlier run failed and nothing has
  /// changed.
  public var known = 0
  /// The number of files that turned out not to be clips; only files without a clip's file extension are counted.
  public var notClips = 0
  /// The number of symbolic links that were not followed.
  public var passedLinks = 0
  /// The number of decoder processes started.
  public var decoders = 0

  /// The number of storyboards with each outcome; `nil` if none were wanted.
  public var storyboards: Storyboards?

  /// The number of storyboards with each outcome.
  public struct Storyboards: Encodable, Sendable, Equatable {
    /// The number of storyboards made.
    public var made = 0
    /// The number of storyboards, new and fresh ones, with damaged tiles; they count here only.
    public var degraded = 0
    /// The number of degraded storyboards that were fresh.
    public var freshDegraded = 0
    /// The number of storyboards that were fresh.
    public var fresh = 0
    /// The number of clips that are still being written or were cut short.
    public var incomplete = 0
    /// The number of clips of which no storyboard can be made.
    public var failed = 0

    /// The number of clips with an outcome.
    public var clips: Int { made + degraded + fresh + incomplete + failed }
  }

  /// Creates an empty summary.
  public init() {}

  /// The number of clips with an outcome; files that are not clips do not count.
  public var clips: Int { covers + degraded + fresh + incomplete + failed }

  /// Whether a clip has no cover or no storyboard although one was wanted.
  public var hasProblems: Bool {
    incomplete + failed + (storyboards.map { $0.incomplete + $0.failed } ?? 0) > 0
  }

  /// Counts the outcome of a storyboard.
  mutating func count(_ outcome: StoryboardOutcome) {
    var counts = storyboards ?? Storyboards()
    switch outcome.status {
    case .storyboard: counts.made += 1
    case .degraded: counts.degraded += 1
    case .fresh: counts.fresh += 1
    case .incomplete: counts.incomplete += 1
    case .failed: counts.failed += 1
    }
    counts.freshDegraded += outcome.status == .degraded && outcome.isFresh ? 1 : 0
    storyboards = counts
  }

  /// Counts the outcome of a cover.
  mutating func count(_ outcome: CoverOutcome) {
    switch outcome.status {
    case .cover: covers += 1
    case .degraded: degraded += 1
    case .fresh: fresh += 1
    case .incomplete: incomplete += 1
    case .failed: failed += 1
    }
    freshDegraded += outcome.status == .degraded && outcome.isFresh ? 1 : 0
    known += outcome.isKnown ? 1 : 0
  }
}
