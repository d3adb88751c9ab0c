internal import Covers

/// What became of all clips of a batch.
public struct BatchSummary: Encodable, Sendable, Equatable {
  /// Covers made.
  public var covers = 0
  /// Covers made that are not what the clip's maker saw.
  public var degraded = 0
  /// Covers that were fresh.
  public var fresh = 0
  /// Clips that are still being written or were cut short.
  public var incomplete = 0
  /// Clips and folders that gave none.
  public var failed = 0
  /// Of those incomplete and failed: how many were not tried again, as an earlier run had failed and nothing has changed.
  public var known = 0
  /// Files that turned out to be no clips; only files without a clip's ending are.
  public var notClips = 0
  /// Symbolic links that were not followed.
  public var passedLinks = 0
  /// Decoder processes that were started.
  public var decoders = 0

  /// Makes an empty one.
  public init() {}

  /// Clips told of: every one but those that are no clips.
  public var clips: Int { covers + degraded + fresh + incomplete + failed }

  /// Counts one outcome.
  mutating func count(_ outcome: CoverOutcome) {
    switch outcome.status {
    case .cover: covers += 1
    case .degraded: degraded += 1
    case .fresh: fresh += 1
    case .incomplete: incomplete += 1
    case .failed: failed += 1
    }
    known += outcome.isKnown ? 1 : 0
  }
}
