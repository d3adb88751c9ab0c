extension BatchSummary {
  /// Whether a run can have these numbers, so that those of all shards can be added.
  package var isPlausible: Bool {
    let counts = [storyboards, sheets, animations].compactMap(\.self).flatMap(\.all)
    let own = [
      covers, degraded, freshDegraded, fresh, incomplete, failed, known, notClips, passedLinks, defaultExclusions,
      otherFiles, decoders,
    ]
    let all = own + [planned, removed].compactMap(\.self) + counts
    return all.allSatisfy { (0...Self.maximumCount).contains($0) }
  }

  private static let maximumCount = 1_000_000_000_000

  /// The number of outcomes, and therefore of records in a report.
  package var outcomes: Int {
    clips + [storyboards, sheets, animations, thumbnails].reduce(0) { $0 + ($1?.clips ?? 0) }
  }

  /// Adds the summary of another shard of the same batch, and counts what it found done as done by it.
  ///
  /// A second attempt at a shard thus counts as one undisturbed run: what is fresh or known was done by the first
  /// attempt.
  package mutating func add(shard: BatchSummary) {
    covers += shard.covers + shard.fresh
    degraded += shard.degraded
    incomplete += shard.incomplete
    failed += shard.failed
    failedFolders += shard.failedFolders
    notClips += shard.notClips
    // Every shard walks all folders.
    addPassedOver(shard)
    decoders += shard.decoders
    storyboards = Counts.sum(storyboards, shard.storyboards)
    sheets = Counts.sum(sheets, shard.sheets)
    animations = Counts.sum(animations, shard.animations)
    thumbnails = Counts.sum(thumbnails, shard.thumbnails)
  }
}

extension BatchSummary.Counts {
  fileprivate var all: [Int] { [made, degraded, freshDegraded, fresh, incomplete, failed] }

  fileprivate static func sum(_ sum: Self?, _ shard: Self?) -> Self? {
    guard let shard else { return sum }
    var sum = sum ?? Self()
    sum.made += shard.made + shard.fresh
    sum.degraded += shard.degraded
    sum.incomplete += shard.incomplete
    sum.failed += shard.failed
    return sum
  }
}
