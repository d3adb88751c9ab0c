internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// The reports of the shards of one batch.
struct ShardReports {
  /// The newest complete report of each shard that has one, in the order of the shards.
  let newest: [ShardReport]
  private let count: Int

  /// Reads the ends of reports; warns about those that are not complete.
  ///
  /// - Throws: If a file is not the report of a shard, or the reports are not of one batch.
  init(_ paths: [FilePath]) throws(CommandError) {
    var newest: [Int: ShardReport] = [:]
    var first: ShardReport?
    for path in paths {
      guard let report = try ShardReport(at: path) else {
        StandardError.print("warning: \(path.displayText): the report is not complete, and is ignored")
        continue
      }
      first = first ?? report
      if let first { try Self.check(report, with: first) }
      let index = report.shard.index
      if let other = newest[index], other.shard.endNanoseconds > report.shard.endNanoseconds { continue }
      newest[index] = report
    }
    guard let first else { throw CommandError(.cannotContinue, "no report of a shard is complete") }
    self.newest = newest.values.sorted { $0.shard.index < $1.shard.index }
    count = first.shard.count
  }

  /// Checks that two reports are of the same batch.
  private static func check(_ one: ShardReport, with other: ShardReport) throws(CommandError) {
    let names = "\(other.path.displayText) and \(one.path.displayText)"
    guard one.shard.count == other.shard.count else {
      throw CommandError(
        .cannotContinue,
        "\(names) are reports of different batches: one of \(other.shard.count) shards, one of \(one.shard.count)"
      )
    }
    guard one.shard.batch == other.shard.batch else {
      throw CommandError(
        .cannotContinue,
        "\(names) are reports of different batches: their clips, their options or the places of their covers differ"
      )
    }
  }

  /// The shards without a complete report.
  var missing: [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    var next = 1
    for index in newest.map(\.shard.index) + [count + 1] {
      if next < index { ranges.append(next...index - 1) }
      next = index + 1
    }
    return ranges
  }

  /// A message that names the missing shards in the form of Slurm's `--array`; `nil` if none is missing.
  var missingText: String? {
    guard !missing.isEmpty else { return nil }
    let names = missing.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    let number = missing.reduce(0) { $0 + $1.count }
    let (have, them) = number == 1 ? ("has", "it") : ("have", "them")
    let list = names.joined(separator: ",")
    return "\(number) of \(count) shards \(have) no complete report: \(list); run \(them) again"
      + " (with Slurm: sbatch --array=\(list) SCRIPT)"
  }
}
