import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// The reports of shards, merged.
@Suite("clipcanvas report merge", .ownThread)
struct ReportMergeTests {
  @Test(
    "The merged reports of all shards are the report of an undisturbed run",
    .enabled(if: Scope.isFull),
    arguments: [[], ["--storyboard", "--animate"]]
  )
  func whole(_ options: [String]) async throws {
    let batch = try await ShardedBatch(options)
    for shard in 1...ShardedBatch.shards { try await batch.run(shard) }
    try await batch.checkEqual()
    // The second attempts find everything done.
    for shard in [1, 3] { try await batch.run(shard) }
    let second = try [1, 3].map {
      try String(decoding: ScratchFolder.read(batch.scratch("reports/\($0).ndjson")), as: UTF8.self)
    }
    .joined()
    #expect(second.contains(#""status":"fresh""#) && second.contains(#""known":true"#))
    try await batch.checkEqual()
    // Another attempt, with options that do not change the covers, is one of the same batch.
    try await batch.run(2, as: "again", ["--jobs", "2", "--retry", "--timeout", "20"])
    try await batch.checkEqual(["again", "1", "2", "3", "2"])
  }

  @Test("The summary is that of one run, as text and as JSON")
  func summary() async throws {
    let batch = try await ShardedBatch()
    for shard in 1...ShardedBatch.shards { try await batch.run(shard) }
    let text = try await batch.merge(["1", "2", "3"], [])
    #expect(text.text.hasPrefix("12 clips: 6 covers made, 0 fresh, 3 incomplete, 3 failed, 1 link not followed; "))
    #expect(text.text.split(separator: "\n").count == 1)
    let problems = text.errorOutput.split(separator: "\n")
    #expect(problems.count == 6 && problems.contains { $0.hasPrefix("  c/one/2-1.mp4: no video stream (1 audio") })
    let json = try await batch.merge(["1", "2", "3"], ["--json"])
    #expect(json.exitStatus == 1 && json.errorOutput.isEmpty)
    let run = try BatchRun(of: json)
    #expect(
      run.records.isEmpty && run.summary?.covers == 6 && run.summary?.failed == 3 && run.summary?.passedLinks == 1
    )
    let output = try await batch.merge(["1", "2", "3"], ["-o", "-"])
    #expect(try BatchRun(of: output).records.count == 12 && output.errorOutput.isEmpty)
    #expect(try await batch.merge(["1"], ["-o", "-", "--json"]).exitStatus == 64)
  }

  @Test("If every clip has a cover, the exit status is 0")
  func success() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    for shard in 1...2 {
      let arguments = ["batch", "--shard", "\(shard)/2", "--report", "\(shard).ndjson", "a.mp4"]
      #expect(try await Program.run("clipcanvas", arguments, in: scratch.path).exitStatus == 0)
    }
    let result = try await Program.run("clipcanvas", ["report", "merge", "1.ndjson", "2.ndjson"], in: scratch.path)
    #expect(result.exitStatus == 0 && result.text.hasPrefix("1 clip: 1 cover made, ") && result.errorOutput.isEmpty)
  }

  @Test("Missing shards are named, and what is there is merged as an interrupted run", .enabled(if: Scope.isFull))
  func missing() async throws {
    let batch = try await ShardedBatch()
    for shard in [2, 5, 6] { try await batch.run(shard, of: 9) }
    let result = try await batch.merge(["6", "2", "5"])
    #expect(result.exitStatus == 2 && result.text.hasPrefix("interrupted after "))
    #expect(result.errorOutput.contains("6 of 9 shards have no complete report: 1,3-4,7-9; run them again"))
    #expect(try ShardedBatch.content(of: batch.scratch("merged.ndjson")).summary.contains(#""interrupted":true"#))
    for shard in 1...8 { try await batch.run(shard, of: 9) }
    let last = try await batch.merge((1...8).map { "\($0)" })
    #expect(last.errorOutput.contains("1 of 9 shards has no complete report: 9; run it again"), "\(last.errorOutput)")
  }

  @Test("The newest report of a shard counts, in whichever order they are named", .enabled(if: Scope.isFull))
  func newest() async throws {
    let batch = try await ShardedBatch()
    for shard in 1...ShardedBatch.shards { try await batch.run(shard) }
    // A shard without its clips, as it would be before they were there.
    let last = try #require(try ScratchFolder.read(batch.scratch("reports/3.ndjson")).split(separator: 10).last)
    let empty = String(decoding: last, as: UTF8.self)
      .replacing(#/"(covers|degraded|failed|fresh|incomplete)":[0-9]+/#) { "\"\($0.output.1)\":0" }
    try batch.scratch.write(
      Array((empty.replacing(#/"endNanoseconds":[0-9]+/#, with: #""endNanoseconds":1"#) + "\n").utf8),
      as: "reports/older.ndjson"
    )
    try await batch.checkEqual(["older", "1", "2", "3"])
    try await batch.checkEqual(["1", "2", "3", "older"])
  }

  @Test("Memory does not grow with the number of clips", .enabled(if: Scope.isFull))
  func memory() async throws {
    let batch = try await ShardedBatch()
    try await batch.run(1, of: 1)
    let lines = String(decoding: try ScratchFolder.read(batch.scratch("reports/1.ndjson")), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let record = try #require(lines.first { $0.contains(#""status":"cover""#) }) + "\n"
    var peaks: [Int] = []
    for count in [4_000, 40_000] {
      let summary = try #require(lines.last)
        .replacing(#/"covers":[0-9]+/#, with: "\"covers\":\(count)")
        .replacing(#/"(failed|incomplete)":[0-9]+/#) { "\"\($0.output.1)\":0" }
      try batch.scratch.write(
        Array((String(repeating: record, count: count) + summary + "\n").utf8),
        as: "reports/1.ndjson"
      )
      let arguments = ["report", "merge", "-o", "merged.ndjson", "reports/1.ndjson"]
      let program = try RunningProgram("clipcanvas", arguments, scratch: batch.scratch)
      let result = try await program.end()
      #expect(result.exitStatus == 0 && result.text.hasPrefix("\(count) clips: \(count) covers made"))
      peaks.append(program.peakMemory)
    }
    // A run that ends at once has no peak that can be seen.
    #expect(peaks[0] > 1 << 20 && peaks[1] < peaks[0] + 8 << 20, "\(peaks)")
  }
}
