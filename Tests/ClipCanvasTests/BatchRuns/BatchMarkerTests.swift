import SystemPackage
import TestSupport
import Testing

/// The notes that keep batch runs from retrying a clip that cannot have a cover.
@Suite("A clip without a cover leaves a note")
struct BatchMarkerTests {
  private static let marker = "clips/.a.mp4.failed.json"

  /// Creates a folder with one clip that gives no cover.
  private func clip(_ fixture: String = "sound-only.m4a") throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("clips"))
    try scratch.copy(ProjectFolder.fixture(fixture), as: "clips/a.mp4")
    return scratch
  }

  private func run(_ scratch: ScratchFolder, _ options: [String] = []) async throws -> BatchRun {
    try await BatchRun(options + ["clips"], in: scratch.path)
  }

  /// Creates a folder with a clip that gives a cover, next to the note of an earlier version that did not.
  private func clipWithNote() async throws -> ScratchFolder {
    let scratch = try clip()
    _ = try await run(scratch)
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "clips/a.mp4")
    try #require(try ScratchFolder.names(in: scratch("clips")).contains(".a.mp4.failed.json"))
    return scratch
  }

  @Test(
    "A clip with a note is reported but not retried",
    .enabled(if: Scope.isFull),
    arguments: ["sound-only.m4a", "truncated-no-index.mp4"]
  )
  func respected(_ fixture: String) async throws {
    let scratch = try clip(fixture)
    let first = try await run(scratch)
    #expect(first.status == 1 && first.summary?.known == 0 && first.records.count == 1)
    #expect(try ScratchFolder.names(in: scratch("clips")) == [".a.mp4.failed.json", "a.mp4"])
    let second = try await run(scratch)
    #expect(second.status == 0 && second.summary?.known == 1 && second.summary?.decoders == 0)
    #expect(second.records.first?.known == true)
    #expect(second.essence == first.essence)
    #expect(second.records.first?.message == first.records.first?.message)
  }

  @Test("--retry and --force retry a clip with a note", .enabled(if: Scope.isFull), arguments: ["--retry", "--force"])
  func triedAgain(_ option: String) async throws {
    let scratch = try clip()
    let first = try await run(scratch)
    let again = try await run(scratch, [option])
    #expect(again.summary?.known == 0 && again.summary?.decoders == 1 && again.essence == first.essence)
  }

  @Test("A changed clip is retried, and its first cover removes the note")
  func changed() async throws {
    let scratch = try clip("truncated-no-index.mp4")
    let incomplete = try await run(scratch)
    #expect(incomplete.summary?.incomplete == 1 && incomplete.status == 1)
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "clips/a.mp4")
    let whole = try await run(scratch)
    #expect(whole.status == 0 && whole.summary?.covers == 1)
    #expect(try ScratchFolder.names(in: scratch("clips")) == ["a.mp4", "a.mp4.png"])
  }

  @Test("A different request retries the clip and replaces the note", .enabled(if: Scope.isFull))
  func otherRequest() async throws {
    let scratch = try clip()
    _ = try await run(scratch)
    let before = try ScratchFolder.read(scratch(Self.marker))
    let other = try await run(scratch, ["--size", "64"])
    #expect(other.summary?.known == 0 && other.summary?.decoders == 1)
    #expect(try ScratchFolder.read(scratch(Self.marker)) != before)
    #expect(try await run(scratch, ["--size", "64"]).summary?.known == 1)
  }

  @Test(
    "A note that is damaged, of another version or of another clip is ignored, and a damaged one is kept",
    .enabled(if: Scope.isFull),
    arguments: 0..<5
  )
  func ignored(_ kind: Int) async throws {
    let scratch = try clip()
    let first = try await run(scratch)
    let whole = String(decoding: try ScratchFolder.read(scratch(Self.marker)), as: UTF8.self)
    try #require(whole.contains("\"version\":\""))
    let broken =
      switch kind {
      case 0: ""
      case 1: String(whole.dropLast(whole.count / 2))
      case 2: whole.replacing("\"version\":\"", with: "\"version\":\"99.")
      case 3: whole.replacing("\"bytes\":", with: "\"bytes\":1")
      default: "[\(whole),\(whole)]"
      }
    try scratch.write(Array(broken.utf8), as: Self.marker)
    let second = try await run(scratch)
    #expect(second.summary?.known == 0 && second.essence == first.essence)
    let isNote = [2, 3].contains(kind)
    #expect(String(decoding: try ScratchFolder.read(scratch(Self.marker)), as: UTF8.self) == (isNote ? whole : broken))
  }

  @Test(
    "With -o the note is written to the covers' folder and the clip's folder stays clean",
    .enabled(if: Scope.isFull)
  )
  func mirrored() async throws {
    let scratch = try clip()
    let first = try await run(scratch, ["-o", "covers"])
    #expect(try ScratchFolder.names(in: scratch("clips")) == ["a.mp4"])
    #expect(try ScratchFolder.names(in: scratch("covers/clips")) == [".a.mp4.failed.json"])
    #expect(first.status == 1)
    #expect(try await run(scratch, ["-o", "covers"]).summary?.known == 1)
  }

  @Test("A failure caused by the cover's place leaves no note")
  func otherFaults() async throws {
    let scratch = try clip("h264.mp4")
    try scratch.write(Array("a photograph".utf8), as: "clips/a.mp4.png")
    #expect(try await run(scratch).status == 1)
    #expect(try ScratchFolder.names(in: scratch("clips")) == ["a.mp4", "a.mp4.png"])
  }

  @Test(
    "The note is removed before the cover is created, so a killed run never leaves both",
    .enabled(if: Scope.isFull)
  )
  func beforeCover() async throws {
    let scratch = try await clipWithNote()
    let log = scratch("strace.log")
    let result = try await Program.runTool(
      "strace",
      ["-f", "-qq", "-e", "trace=unlink,unlinkat,linkat,renameat", "-o", log.string]
        + [ProjectFolder.program("clipcanvas").string, "batch", "clips"],
      in: scratch.path
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let lines = String(decoding: try ScratchFolder.read(log), as: UTF8.self).split(separator: "\n")
    let note = try #require(lines.firstIndex { $0.contains("unlink") && $0.contains(".a.mp4.failed.json") })
    // The result is on a later line if another thread made a call in the meantime.
    let cover = try #require(lines.firstIndex { $0.contains("a.mp4.png\"") && !$0.contains("= -1") })
    #expect(note < cover)
    #expect(try ScratchFolder.names(in: scratch("clips")) == ["a.mp4", "a.mp4.png"])
  }

  @Test("A cover made by 'cover' removes the note too")
  func coverCommand() async throws {
    let scratch = try await clipWithNote()
    let elsewhere = try await Program.run("clipcanvas", ["cover", "-o", "other.png", "clips/a.mp4"], in: scratch.path)
    #expect(elsewhere.exitStatus == 0)
    #expect(try ScratchFolder.names(in: scratch("clips")).contains(".a.mp4.failed.json"))
    let beside = try await Program.run("clipcanvas", ["cover", "clips/a.mp4"], in: scratch.path)
    #expect(beside.exitStatus == 0)
    #expect(try ScratchFolder.names(in: scratch("clips")) == ["a.mp4", "a.mp4.png"])
  }

  @Test("An older cover stays if the clip changes and no longer gives a cover")
  func olderCover() async throws {
    let scratch = try clip("h264.mp4")
    _ = try await run(scratch)
    let cover = try ScratchFolder.read(scratch("clips/a.mp4.png"))
    try scratch.copy(ProjectFolder.fixture("truncated-no-index.mp4"), as: "clips/a.mp4")
    #expect(try await run(scratch).summary?.incomplete == 1)
    #expect(try ScratchFolder.read(scratch("clips/a.mp4.png")) == cover)
    #expect(try await run(scratch).summary?.known == 1)
  }
}
