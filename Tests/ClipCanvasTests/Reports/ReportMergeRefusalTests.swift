import SystemPackage
import TestSupport
import Testing

/// Files that are not reports of the shards of one batch.
@Suite("clipcanvas report merge with other files")
struct ReportMergeRefusalTests {
  private static func text(_ batch: ShardedBatch, _ name: String) throws -> String {
    String(decoding: try ScratchFolder.read(batch.scratch("reports/\(name).ndjson")), as: UTF8.self)
  }

  /// Runs two of two shards.
  private func twoShards() async throws -> ShardedBatch {
    let batch = try await ShardedBatch()
    for shard in 1...2 { try await batch.run(shard, of: 2) }
    return batch
  }

  @Test("A report that is not complete is ignored, and its shard is missing", .enabled(if: Scope.isFull))
  func incomplete() async throws {
    let batch = try await twoShards()
    let text = try Self.text(batch, "2")
    let lines = text.split(separator: "\n")
    let forms = [
      "empty": "", "in the first line": String(text.prefix(40)), "in a line": String(text.prefix(lines[0].count + 100)),
      "after a line": lines[0] + "\n", "without the last newline": String(text.dropLast()),
      "interrupted": text.replacing(#""interrupted":false"#, with: #""interrupted":true"#),
      "after the clips": lines.dropLast().joined(separator: "\n") + "\n",
    ]
    for (name, form) in forms {
      try batch.scratch.write(Array(form.utf8), as: "reports/cut.ndjson")
      let result = try await batch.merge(["1", "cut"], [])
      #expect(result.exitStatus == 2, "\(name)")
      #expect(
        result.errorOutput.hasPrefix("warning: reports/cut.ndjson: the report is not complete, and is ignored\n"),
        "\(name): \(result.errorOutput)"
      )
      #expect(result.errorOutput.contains("1 of 2 shards has no complete report: 2;"), "\(name)")
      // Another report of the shard takes its place.
      #expect(try await batch.merge(["1", "cut", "2"], []).exitStatus == 1)
    }
    #expect(try await batch.merge(["cut"], []).errorOutput.hasSuffix("no report of a shard is complete\n"))
  }

  @Test(
    "Files that are not reports of a shard, and reports of different batches, are refused",
    .enabled(if: Scope.isFull)
  )
  func refused() async throws {
    let batch = try await twoShards()
    let text = try Self.text(batch, "2")
    try await batch.run(2, as: "of three", of: 3)
    try await batch.run(2, as: "small", of: 2, ["--size", "64"])
    try await batch.run(2, as: "elsewhere", of: 2, ["c/one"])
    try await batch.run(2, as: "excluding", of: 2, ["--exclude", "*.none"])
    try FilePath.makeFolder(batch.scratch("reports/folder.ndjson"))
    let files = [
      "text": "Notes\n", "object": "{}\n", "no shard": text.replacing(#/,"shard":\{[^}]*\}/#, with: ""),
      "shard 0": text.replacing(#""index":2"#, with: #""index":0"#),
      "newer": text.replacing(#/\{"summary".*"format":1/#, with: #"{"summary":{"news":[],"shard":{"format":2"#),
      "a line less": String(text.drop { $0 != "\n" }.dropFirst()),
      "a broken line": "{\"status\":\"cov\n" + text,
    ]
    for (name, content) in files { try batch.scratch.write(Array(content.utf8), as: "reports/\(name).ndjson") }
    let messages = [
      "text": "is not a report; name a file that 'clipcanvas batch --report' wrote",
      "object": "is not a report; name a file that 'clipcanvas batch --report' wrote",
      "no shard": "was made without --shard", "newer": "was written by a newer version of clipcanvas",
      "of three": "are reports of different batches: one of 2 shards, one of 3",
      "small": "are reports of different batches: their clips, their options",
      "elsewhere": "their clips, their options", "excluding": "their clips, their options",
      "folder": "is a folder; name the reports in it", "nothing": "cannot be read: no such file or directory",
      "a line less": "is damaged: the number of its records",
      "a broken line": "is damaged: line 1 is not a record",
    ]
    for (name, message) in messages {
      let result = try await batch.merge(["1", name])
      #expect(result.exitStatus == 2 && result.text.isEmpty, "\(name)")
      #expect(result.errorOutput.contains(message), "\(name): \(result.errorOutput)")
      #expect(!ProjectFolder.isThere(batch.scratch("merged.ndjson")), "\(name)")
    }
    #expect(try await batch.merge(["1", "shard 0"]).exitStatus == 2)
  }

  @Test("A report is not replaced by the merged one, nor is any other file")
  func output() async throws {
    let batch = try await twoShards()
    try batch.scratch.write(Array("Notes\n".utf8), as: "notes")
    for (path, message) in [("reports/1.ndjson", "is a report to merge"), ("notes", "exists and is not a report")] {
      let older = try ScratchFolder.read(batch.scratch(path))
      let result = try await batch.merge(["1", "2"], ["-o", path])
      #expect(result.exitStatus == 2 && result.errorOutput.contains(message), "\(result.errorOutput)")
      #expect(try ScratchFolder.read(batch.scratch(path)) == older)
    }
    #expect(try await batch.merge(["1", "2"], ["--force", "-o", "notes"]).exitStatus == 1)
    // The merged report is one like any other, and may be replaced.
    #expect(try await batch.merge(["1", "2"], ["-o", "notes"]).exitStatus == 1)
    let again = try await Program.run("clipcanvas", ["report", "merge", "notes"], in: batch.scratch.path)
    #expect(again.exitStatus == 2 && again.errorOutput.contains("is not the report of a shard"))
  }

  @Test("A summary with numbers that no run can have is damage, and nothing is printed or written")
  func absurd() async throws {
    let batch = try await twoShards()
    let text = try Self.text(batch, "2")
    let seconds = try #require(text.firstMatch(of: /"seconds":[0-9.]+/)?.output)
    let covers = try #require(text.firstMatch(of: /"covers":[0-9]+/)?.output)
    let decoders = try #require(text.firstMatch(of: /"decoders":[0-9]+/)?.output)
    let changes = [
      (seconds, #""seconds":1e308"#), (seconds, #""seconds":-1"#), (seconds, #""seconds":1e11"#),
      (covers, #""covers":9223372036854775807"#), (decoders, #""decoders":9223372036854775807"#),
      (decoders, #""decoders":-1"#),
    ]
    for (old, new) in changes {
      try batch.scratch.write(text.replacing(old, with: new).utf8, as: "reports/absurd.ndjson")
      for options in [["--json"], ["-o", "merged.ndjson"], []] {
        let result = try await batch.merge(["1", "absurd"], options)
        #expect(result.exitStatus == 2 && result.text.isEmpty, "\(new): \(result.text)")
        #expect(
          result.errorOutput.contains("reports/absurd.ndjson is damaged: no run has the numbers"),
          "\(result.errorOutput)"
        )
        #expect(!ProjectFolder.isThere(batch.scratch("merged.ndjson")))
      }
    }
  }
}
