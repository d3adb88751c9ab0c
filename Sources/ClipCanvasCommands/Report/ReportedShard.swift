internal import ClipService
internal import Glibc

/// The shard that a report is about.
struct ReportedShard: Codable {
  /// The version of the format, raised when the meaning of a report changes.
  private(set) var format = Self.currentFormat
  /// The number of the shard, from 1 to `count`; 0 in a format that is not known.
  private(set) var index = 0
  /// The number of shards.
  private(set) var count = 0
  /// The digest of the batch, which is the same for all its shards.
  private(set) var batch = ""
  /// The end of the run, in nanoseconds since 1970.
  private(set) var endNanoseconds = 0

  private static let currentFormat = 1

  var isKnownFormat: Bool { format == Self.currentFormat }

  private enum CodingKeys: String, CodingKey {
    case format, index, count, batch, endNanoseconds
  }

  init(_ shard: Shard, ofBatch digest: String) {
    (index, count, batch) = (shard.index, shard.count, digest)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    format = try container.decode(Int.self, forKey: .format)
    guard isKnownFormat else { return }
    index = try container.decode(Int.self, forKey: .index)
    count = try container.decode(Int.self, forKey: .count)
    batch = try container.decode(String.self, forKey: .batch)
    endNanoseconds = try container.decode(Int.self, forKey: .endNanoseconds)
    guard Shard(index, of: count) != nil else {
      throw DecodingError.dataCorruptedError(forKey: .index, in: container, debugDescription: "no such shard")
    }
  }

  /// Returns the shard of a run that ends now.
  func ending() -> ReportedShard {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var shard = self
    shard.endNanoseconds = time.tv_sec * 1_000_000_000 + time.tv_nsec
    return shard
  }
}
