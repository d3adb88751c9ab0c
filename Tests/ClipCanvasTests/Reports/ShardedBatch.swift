import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Clips that a test makes covers of in shards, and what an undisturbed run made of them.
struct ShardedBatch {
  let scratch: ScratchFolder
  /// What to make, besides the clips.
  let options: [String]
  /// The covers of the undisturbed run.
  let covers: FolderTree
  /// The report of the undisturbed run, apart from what differs between runs.
  let records: [String]
  let summary: String

  static let shards = 3

  /// Makes a folder with clips, some without a cover, and runs the batch over them.
  init(_ options: [String] = []) async throws {
    scratch = try ScratchFolder()
    self.options = options
    for folder in ["c", "c/one", "reports"] { try FilePath.makeFolder(scratch(folder)) }
    for (number, fixture) in ["h264.mp4", "rotated-90.mp4", "sound-only.m4a", "truncated-no-index.mp4"].enumerated() {
      for copy in 0..<3 {
        try scratch.copy(ProjectFolder.fixture(fixture), as: "c/\(copy == 1 ? "one/" : "")\(number)-\(copy).mp4")
      }
    }
    try #require(try await Program.runTool("ln", ["-s", "nothing", scratch("c/link.mp4").string]).exitStatus == 0)
    let run = try await Program.run(
      "clipcanvas",
      ["batch", "-j1", "--report", "undisturbed.ndjson", "-o", "covers"] + options + ["c"],
      in: scratch.path
    )
    try #require(run.exitStatus == 1)
    covers = try FolderTree(below: scratch("covers"))
    (records, summary) = try Self.content(of: scratch("undisturbed.ndjson"))
    let moved = try await Program.runTool("mv", ["covers", "undisturbed"], in: scratch.path)
    try #require(moved.exitStatus == 0)
  }

  /// Runs a shard, which writes a report.
  @discardableResult
  func run(
    _ shard: Int,
    as name: String? = nil,
    of count: Int = shards,
    _ more: [String] = []
  ) async throws -> ProgramResult {
    try await Program.run("clipcanvas", arguments(shard, as: name, of: count) + more, in: scratch.path)
  }

  func arguments(_ shard: Int, as name: String? = nil, of count: Int = shards) -> [String] {
    ["batch", "-j1", "--quiet", "--shard", "\(shard)/\(count)", "--report", "reports/\(name ?? "\(shard)").ndjson"]
      + ["-o", "covers"] + options + ["c"]
  }

  /// Merges reports; the names are those in the folder of the reports.
  func merge(_ names: [String], _ options: [String] = ["-o", "merged.ndjson"]) async throws -> ProgramResult {
    let paths = names.map { "reports/\($0).ndjson" }
    return try await Program.run("clipcanvas", ["report", "merge"] + options + paths, in: scratch.path)
  }

  /// Checks that the merged report and the covers are those of the undisturbed run.
  func checkEqual(_ names: [String] = (1...shards).map { "\($0)" }) async throws {
    let result = try await merge(names)
    #expect(result.exitStatus == 1 && !result.errorOutput.contains("warning"), "\(result.errorOutput)")
    let merged = try Self.content(of: scratch("merged.ndjson"))
    #expect(merged.records == records)
    #expect(merged.summary == summary)
    #expect(try FolderTree(below: scratch("covers")).differences(from: covers) == [])
  }

  /// Returns the records of a report, sorted, and its summary, without times and the number of decoders.
  static func content(of path: FilePath) throws -> (records: [String], summary: String) {
    let lines = String(decoding: try ScratchFolder.read(path), as: UTF8.self).split(separator: "\n").map { line in
      String(line).replacing(#/"milliseconds":\{[^}]*\},/#, with: "").replacing(#/"seconds":[0-9.]+/#, with: "")
        .replacing(#/"decoders":[0-9]+/#, with: "")
    }
    return (lines.dropLast().sorted(), try #require(lines.last))
  }
}
