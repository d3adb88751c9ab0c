internal import ClipService
internal import Covers

/// Counts new covers that are almost black, because many clips fade in.
struct BlackCovers {
  private var covers = 0
  private var blackCovers = 0

  /// The mean luma, of 255, below which a cover is almost black.
  private static let threshold = 10.0

  /// Counts a cover that was made, unless its frame was chosen for its content.
  mutating func count(_ outcome: PictureOutcome) {
    guard outcome.kind == .cover, outcome.request.time != .best, !outcome.isFresh,
      outcome.status == .cover || outcome.status == .degraded, let facts = outcome.facts
    else { return }
    covers += 1
    blackCovers += facts.meanLuma < Self.threshold ? 1 : 0
  }

  /// Advice if at least three covers, and one in twenty, are almost black; otherwise `nil`.
  var advice: String? {
    guard blackCovers >= 3, blackCovers * 20 >= covers else { return nil }
    return "\(blackCovers) of \(covers) covers are almost black; --at best chooses frames with more to see"
  }
}
