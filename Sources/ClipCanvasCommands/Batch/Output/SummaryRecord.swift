internal import ClipService

/// The last object of a batch's JSON output.
struct SummaryRecord: Codable {
  struct Summary: Codable {
    var counts = BatchSummary()
    var seconds = 0.0
    var isInterrupted = false
    /// The shard of the run; `nil` for a run over all clips.
    var shard: ReportedShard?

    /// Whether a run can have these numbers, so that those of all shards can be added.
    var isPlausible: Bool { (0...Self.maximumSeconds).contains(seconds) && counts.isPlausible }

    /// More than 300 years.
    private static let maximumSeconds = 1e10

    private enum CodingKeys: String, CodingKey {
      case seconds, shard
      case isInterrupted = "interrupted"
    }

    init(_ counts: BatchSummary, seconds: Double, isInterrupted: Bool, shard: ReportedShard? = nil) {
      (self.counts, self.seconds) = (counts, (seconds * 1000).rounded() / 1000)
      (self.isInterrupted, self.shard) = (isInterrupted, shard)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      shard = try container.decodeIfPresent(ReportedShard.self, forKey: .shard)
      // The rest of a newer format may be different.
      guard shard?.isKnownFormat != false else { return }
      counts = try BatchSummary(from: decoder)
      seconds = try container.decode(Double.self, forKey: .seconds)
      isInterrupted = try container.decode(Bool.self, forKey: .isInterrupted)
    }

    func encode(to encoder: any Encoder) throws {
      try counts.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(seconds, forKey: .seconds)
      try container.encode(isInterrupted, forKey: .isInterrupted)
      try container.encodeIfPresent(shard, forKey: .shard)
    }
  }

  let summary: Summary
}
