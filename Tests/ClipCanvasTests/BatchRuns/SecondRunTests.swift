import Foundation
import SystemPackage
import TestSupport
import Testing

/// What a run reports about covers that an earlier run made.
@Suite("Covers carry the facts that a second run reports")
struct SecondRunTests {
  /// Runs a command and returns the record of each clip, by the display path of the clip, and the summary.
  private func records(_ arguments: [String], in folder: FilePath) async throws -> [String: String] {
    let result = try await Program.run("clipcanvas", arguments, in: folder)
    var records: [String: String] = [:]
    for line in result.text.split(separator: "\n") {
      guard let path = line.firstMatch(of: #/"path":"([^"]*)"/#)?.1 else { continue }
      records[String(path)] = String(line)
    }
    return records
  }

  /// Returns a record without the members that a second run does not repeat.
  private func lasting(_ record: String) -> String {
    record.replacing(#/"milliseconds":{[^}]*},/#, with: "").replacing(#/"status":"(cover|fresh)"/#, with: "")
  }

  @Test(
    "The record of a fresh cover equals the first one, except for status and times",
    .enabled(if: Scope.isFull),
    arguments: ["png", "jpeg", "webp"]
  )
  func sameRecords(_ format: String) async throws {
    let scratch = try ScratchFolder()
    for fixture in FixtureManifest.withCover where fixture.file != "huge-index.mp4" {
      try scratch.copy(fixture.path, as: fixture.file)
    }
    let command = ["batch", "--json", "--size", "64", "--format", format, "-o", "covers", "."]
    let first = try await records(command, in: scratch.path)
    let second = try await records(command, in: scratch.path)
    #expect(first.count > 120 && first.count == second.count)
    #expect(second.values.filter { $0.contains("\"milliseconds\"") } == [])
    for (clip, record) in first {
      #expect(lasting(try #require(second[clip])) == lasting(record))
    }
    #expect(first.values.count { $0.contains("°") } >= 2, "a text that is not ASCII is among them")
  }

  @Test("A degraded cover is degraded in every run, with its reason, its warnings and exit status 0")
  func degraded() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("dolby-vision-5.mp4"), as: "a.mp4")
    func run(_ arguments: [String]) async throws -> ProgramResult {
      try await Program.run("clipcanvas", arguments, in: scratch.path)
    }
    let first = try await run(["cover", "a.mp4"])
    let second = try await run(["cover", "a.mp4"])
    let line = try #require(first.text.split(separator: "\n").first)
    #expect(line.hasSuffix("0.000 s  degraded") && first.exitStatus == 0)
    #expect(second.text == line + "  fresh\n" && second.exitStatus == 0)
    #expect(first.errorOutput.contains("Dolby Vision (profile 5)") && second.errorOutput == first.errorOutput)
    let record = try #require(CoverRecord.all(in: try await run(["cover", "--json", "a.mp4"])).first)
    #expect(record.status == "degraded" && record.reason == "dolbyVisionWithoutBaseLayer")
    let batch = try await run(["batch", "a.mp4"])
    #expect(
      batch.text.hasPrefix("1 clip: 0 covers made, 1 fresh (1 degraded), 0 incomplete, 0 failed; ")
    )
    #expect(batch.errorOutput == first.errorOutput)
    let summary = try await BatchRun(["a.mp4"], in: scratch.path).summary
    #expect(summary?.degraded == 1 && summary?.fresh == 0 && summary?.covers == 0 && summary?.decoders == 0)
  }

  /// Makes a cover, changes its facts, and returns the record of the next run.
  private func record(
    changing facts: (String) -> String?,
    in scratch: ScratchFolder
  ) async throws -> (record: CoverRecord, result: ProgramResult) {
    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "a.mp4")
    func run() async throws -> ProgramResult {
      try await Program.run("clipcanvas", ["cover", "--json", "a.mp4"], in: scratch.path)
    }
    _ = try await run()
    let (keyword, cover) = ("ClipCanvas::Facts", try ScratchFolder.read(scratch("a.mp4.png")))
    let text = try #require(PNGText.text(of: keyword, in: cover))
    try scratch.write(PNGText.replacing(keyword, with: facts(text), in: cover), as: "a.mp4.png")
    let result = try await run()
    return (try #require(CoverRecord.all(in: result).first), result)
  }

  @Test("A cover made by a version that stored no facts is fresh, with its size and duration")
  func earlierVersion() async throws {
    let (record, result) = try await record(changing: { _ in nil }, in: try ScratchFolder())
    #expect(record.status == "fresh" && record.width == 120 && record.height == 160 && record.rotation == nil)
    #expect(result.text.contains("\"durationSeconds\":1"))
    #expect(result.exitStatus == 0)
  }

  @Test(
    "Facts that no decoder may report are ignored, because anybody can write a file",
    .enabled(if: Scope.isFull),
    arguments: [
      ("\"width\":120", "\"width\":121"), ("\"height\":160", "\"height\":120"),
      ("\"rotation\":90", "\"rotation\":91"), ("\"storedWidth\":160", "\"storedWidth\":-160"),
      ("\"durationSeconds\":1", "\"durationSeconds\":1e+300"),
      ("\"h264\"", "\"" + String(repeating: "x", count: 129) + "\""),
      ("\"warnings\":[]", "\"warnings\":[" + String(repeating: "\"\",", count: 64) + "\"\"]"),
      ("\"warnings\":[]", "\"warnings\":[\"" + String(repeating: "x", count: 1025) + "\"]"),
      ("\"durationSeconds\"", #""degradation":"\u001b[2J","durationSeconds""#),
    ]
  )
  func hostile(_ part: String, _ other: String) async throws {
    let (record, _) = try await record(changing: { $0.replacing(part, with: other) }, in: try ScratchFolder())
    #expect(record.status == "fresh" && record.rotation == nil && record.storedWidth == nil)
    #expect(record.width == 120 && record.height == 160)
  }

  @Test("Terminal escapes in the facts of a cover are never printed", .enabled(if: Scope.isFull))
  func escapes() async throws {
    let scratch = try ScratchFolder()
    let (record, result) = try await record(
      changing: {
        $0.replacing("\"warnings\":[]", with: #""warnings":["a\u001b[31mb\u009b2J\u202e"]"#)
          .replacing("\"durationSeconds\"", with: #""degradation":"corruptFrame","durationSeconds""#)
      },
      in: scratch
    )
    #expect(record.status == "degraded" && record.warnings?.count == 1 && record.reason == "corruptFrame")
    for arguments in [["cover", "a.mp4"], ["batch", "a.mp4"], ["batch", "--gallery", "page.html", "a.mp4"]] {
      let text = try await Program.run("clipcanvas", arguments, in: scratch.path)
      HostileDecoderTests.expectHarmless(text.output + Array(text.errorOutput.utf8), "\(arguments)")
    }
    HostileDecoderTests.expectHarmless(result.output, "JSON")
    HostileDecoderTests.expectHarmless(try ScratchFolder.read(scratch("page.html")), "page")
  }
}
