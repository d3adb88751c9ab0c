import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("A failed cover is reported with its reason and changes no file")
struct CoverErrorsTests {
  /// A name on the command line and the expected result.
  struct Case: CustomTestStringConvertible {
    let clip: String
    let words: String
    var status = 1

    var testDescription: String { clip }
  }

  static let cases = [
    Case(clip: "missing.mp4", words: "no such file or directory; check the name"),
    Case(clip: "folder", words: "'folder' is a folder: use 'clipcanvas batch folder'"),
    Case(clip: "text.mp4", words: "its content is not a recognised video format; check that it is a video"),
    Case(clip: "empty.mp4", words: "the file is empty (0 bytes)"),
    Case(clip: "truncated-no-index.mp4", words: "the index (moov) is missing: the clip is still being recorded"),
    Case(clip: "sound-only.m4a", words: "no video stream (1 audio stream)"),
    Case(clip: "playlist-hls.mp4", words: "a playlist (hls) that refers to other files, not a clip"),
    Case(clip: "pipe", words: "not a regular file"),
    Case(clip: "h264.mp4/inside", words: "not a directory; check the name"),
  ]

  @Test("Each failure has its own message and exit status", .enabled(if: Scope.isFull), arguments: cases)
  func ownWords(_ expected: Case) async throws {
    let scratch = try ScratchFolder()
    for fixture in [
      "text.mp4", "empty.mp4", "truncated-no-index.mp4", "sound-only.m4a", "playlist-hls.mp4", "h264.mp4",
    ] {
      try scratch.copy(ProjectFolder.fixture(fixture))
    }
    try FilePath.makeFolder(scratch("folder"))
    #expect(mkfifo(scratch("pipe").string, 0o600) == 0)
    let before = try scratch.names()
    let older = try scratch.copy(ProjectFolder.fixture("README.md"), as: "older.png")

    let result = try await Program.run(
      "clipcanvas",
      ["cover", "--force", "-o", "older.png", expected.clip],
      in: scratch.path
    )
    #expect(result.exitStatus == expected.status)
    #expect(result.text.isEmpty)
    #expect(result.errorOutput.contains(expected.clip), "\(result.errorOutput)")
    #expect(result.errorOutput.contains(expected.words), "\(result.errorOutput)")
    #expect(result.errorOutput.filter { $0 == "\n" }.count == 1)
    #expect(try ScratchFolder.read(older) == ScratchFolder.read(ProjectFolder.fixture("README.md")))
    #expect(try scratch.names() == (before + ["older.png"]).sorted())
  }

  @Test("A clip whose beginning is missing is named as such in the sandbox, too")
  func lostBeginning() async throws {
    let scratch = try ScratchFolder()
    let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75, 0x84, 0xE7, 0x82, 1, 2]
    try scratch.write([UInt8](repeating: 7, count: 5000) + cluster, as: "a.webm")
    let result = try await Program.run("clipcanvas", ["cover", "--sandbox", "require", "a.webm"], in: scratch.path)
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.hasPrefix("a.webm: the beginning of the file is missing; copy it again"))
  }

  @Test(
    "Stage and cause are those in the manifest",
    .enabled(if: Scope.isFull),
    arguments: FixtureManifest.withoutCover
  )
  func stageAndCause(_ fixture: Fixture) async throws {
    let scratch = try ScratchFolder()
    let expected = try #require(fixture.failure)
    let (record, _) = try await CoverRun.record(of: fixture.path, to: scratch("cover.png"))
    #expect(record.stage == expected.stage && record.reason == expected.cause, "\(record)")
    let isIncomplete = ["noIndex", "truncated", "empty"].contains(expected.cause)
    #expect(record.status == (isIncomplete ? "incomplete" : "failed"))
    #expect(try scratch.names() == [])
  }

  @Test("A cover never gets a cover of its own", .enabled(if: Scope.isFull))
  func coverOfCover() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"))
    _ = try await Program.run("clipcanvas", ["cover", "h264.mp4"], in: scratch.path)
    let result = try await Program.run("clipcanvas", ["cover", "h264.mp4.png"], in: scratch.path)
    #expect(result.exitStatus == 1 && result.errorOutput.contains("already a cover made by clipcanvas"))
    // The shell also expands a star to covers, which must not keep old covers from being replaced.
    let again = try await Program.run("clipcanvas", ["cover", "--force", "h264.mp4", "h264.mp4.png"], in: scratch.path)
    #expect(again.text.hasPrefix("h264.mp4 → h264.mp4.png"), "\(again.text)")
    #expect(try scratch.names() == ["h264.mp4", "h264.mp4.png"])
  }

  @Test("A clip is never replaced by its cover", arguments: ["clip", "./clip", "link"])
  func clipAsOutput(_ output: String) async throws {
    let scratch = try ScratchFolder()
    let clip = try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "clip")
    #expect(symlink("clip", scratch("link").string) == 0)
    let result = try await Program.run(
      "clipcanvas",
      ["cover", "--force", "-o", output, "clip"],
      in: scratch.path
    )
    #expect(result.exitStatus == 1 && result.errorOutput.contains("is the clip itself"))
    #expect(try ScratchFolder.read(clip) == ScratchFolder.read(ProjectFolder.fixture("h264.mp4")))
  }

  @Test(
    "A clip is never replaced by the cover of another clip of the command",
    .enabled(if: Scope.isFull),
    arguments: ["cover", "batch"]
  )
  func otherClipAsOutput(_ command: String) async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let picture = try scratch.copy(ProjectFolder.fixture("vp9.webm"), as: "a.mp4.png")
    let before = try ScratchFolder.read(picture)
    let result = try await Program.run("clipcanvas", [command, "--force", "a.mp4", "a.mp4.png"], in: scratch.path)
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("a.mp4.png is another clip of this command"), "\(result.errorOutput)")
    #expect(try ScratchFolder.read(picture) == before)
    #expect(try scratch.names().contains("a.mp4.png.png"))
  }

  @Test("A device is never replaced", arguments: ["/dev/null", "/dev/full"])
  func deviceAsOutput(_ device: String) async throws {
    let result = try await Program.run(
      "clipcanvas",
      ["cover", "--force", "-o", device, ProjectFolder.fixture("h264.mp4").string]
    )
    #expect(
      result.exitStatus == 1 && result.errorOutput.contains("\(device) is a device, not a regular file; use -o -")
    )
    var status = stat()
    #expect(stat(device, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test("A missing output folder is reported with advice")
  func missingFolder() async throws {
    let scratch = try ScratchFolder()
    let result = try await Program.run(
      "clipcanvas",
      ["cover", "-o", "no/such/a.png", ProjectFolder.fixture("h264.mp4").string],
      in: scratch.path
    )
    #expect(result.exitStatus == 1)
    #expect(
      result.errorOutput.contains("cannot create a file in no/such: no such file or directory; create the folder")
    )
  }

  @Test("A full standard output ends the run", .enabled(if: Scope.isFull))
  func fullStandardOutput() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"))
    let program = ProjectFolder.program("clipcanvas").string
    for arguments in ["cover h264.mp4", "cover -o - h264.mp4"] {
      let result = try await Program.runTool("sh", ["-c", "'\(program)' \(arguments) > /dev/full"], in: scratch.path)
      #expect(result.exitStatus != 0)
      #expect(result.errorOutput.contains("cannot write to standard output: no space left on device"))
    }
  }
}
