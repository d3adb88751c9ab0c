import FoundationEssentials
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Copies of cut and damaged clips, and copies that are interrupted.
@Suite("clipcanvas remux with damaged clips and interruptions", .ownThread)
struct RemuxFaultTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Containers that can be read without their end, with the fixture that is cut.
  static let cuttable = ["h264.mkv", "vp9.webm", "h264.ts", "h264.flv", "fragmented.mp4", "mpeg4.avi"]

  @Test(
    "Of a clip that is cut off anywhere, everything before the cut is copied",
    .enabled(if: Scope.isFull),
    arguments: cuttable
  )
  func cut(_ fixture: String) async throws {
    let whole = try ScratchFolder.read(ProjectFolder.fixture(fixture))
    let wanted = try await RemuxedVideo(path: ProjectFolder.fixture(fixture)).frames().map(\.hash)
    var numbers = SeededNumbers(seed: 11)
    var copies = 0
    for _ in 0..<LongForm.count(short: 8, long: 200, variable: "TORTURE_CUTS") {
      let length = Int.random(in: whole.count / 3..<whole.count, using: &numbers)
      let name = "cut.\(fixture.split(separator: ".").last ?? "")"
      try scratch.write(whole[..<length], as: name)
      let result = try await scratch.remux(["--json", name, "-o", "copy.mkv", "--force"])
      guard result.exitStatus == 0 else {
        let record = try JSONDecoder().decode(RemuxTests.Record.self, from: Data(result.output))
        let known = ["truncated", "noIndex", "noFrame", "damaged", "unrecognised"]
        #expect(known.contains(record.reason ?? ""), "\(length): \(result.text)")
        continue
      }
      copies += 1
      let frames = try await RemuxedVideo(path: scratch("copy.mkv")).frames().map(\.hash)
      // Decoders conceal what a cut frame lacks; the cut falls into the last frames.
      let common = zip(frames, wanted).prefix { $0 == $1 }.count
      #expect(common >= frames.count - 4, "\(length): \(common) of \(frames.count) frames")
    }
    #expect(copies > 0)
  }

  @Test("A clip that is cut off before its video begins is refused, and not copied as sound")
  func soundAlone() async throws {
    let made = try await Program.runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "sine=d=6", "-itsoffset", "5", "-f", "lavfi", "-i",
        "testsrc2=s=160x120:d=1",
      ]
        + ["-map", "1:v", "-map", "0:a", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        + [scratch("late.mkv").string]
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    let bytes = try ScratchFolder.read(scratch("late.mkv"))
    try scratch.write(bytes.prefix(bytes.count / 3), as: "cut.mkv")
    let result = try await scratch.remux(["cut.mkv", "-o", "copy.mp4"])
    #expect(result.exitStatus == 1 && result.errorOutput.hasPrefix("cut.mkv: the file ends before the first frame"))
    #expect(try scratch.names() == ["cut.mkv", "late.mkv"])
  }

  @Test("Damaged clips are copied or refused, and never stop the program", .enabled(if: Scope.isFull))
  func damage() async throws {
    var numbers = SeededNumbers(seed: 12)
    for fixture in ["h264.mp4", "vp9.webm", "b-frames-3.mp4", "h264.ts"] {
      let whole = try ScratchFolder.read(ProjectFolder.fixture(fixture))
      let name = "damaged.\(fixture.split(separator: ".").last ?? "")"
      for _ in 0..<LongForm.count(short: 6, long: 500, variable: "TORTURE_CUTS") {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...20, using: &numbers) {
          bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
        }
        try scratch.write(bytes, as: name)
        let result = try await scratch.remux(["--json", name, "-o", "copy.mkv", "--force"])
        #expect(result.exitStatus <= 1, "\(result.errorOutput)")
        let record = try JSONDecoder().decode(RemuxTests.Record.self, from: Data(result.output))
        #expect(record.reason != "decoderDied" && record.reason != "invalidReply", "\(result.text)")
      }
    }
  }

  @Test("Killed at any moment, the program and the composer leave no files", .enabled(if: Scope.isFull))
  func kills() async throws {
    try await TestClip.make(
      "a.mkv",
      inputs: ["testsrc2=s=640x360:d=4", "sine=d=4"],
      ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "1", "-c:a", "flac"],
      in: scratch
    )
    var numbers = SeededNumbers(seed: 13)
    var kills = 0
    for round in 0..<LongForm.count(short: 12, long: 200, variable: "TORTURE_KILLS") {
      try scratch.write(Array("old".utf8), as: "b.mp4")
      let program = try RunningProgram(
        "clipcanvas",
        ["remux"] + Array(repeating: "a.mkv", count: 60) + ["-o", "b.mp4", "--force", "--faststart"],
        scratch: scratch
      )
      // The composer of a program that runs was started by then, and maybe the decoder that checks the video.
      let composers = { program.children(running: "clipcanvas-composer") }
      while composers().isEmpty, !program.hasEnded { try await pause(.milliseconds(1)) }
      try await pause(.milliseconds(Int.random(in: 0...200, using: &numbers)))
      let killsComposer = round % 2 == 0
      let wasKilled = killsComposer ? composers().contains { kill($0, SIGKILL) == 0 } : true
      if !killsComposer { program.send(SIGKILL) }
      let result = try await program.end()
      if result.exitStatus == 0 { continue }
      kills += wasKilled ? 1 : 0
      #expect(try ScratchFolder.read(scratch("b.mp4")) == Array("old".utf8))
      let left = try scratch.names().filter { $0.hasPrefix(".") || !["a.mkv", "b.mp4"].contains($0) }
      #expect(left.filter { $0.contains("clipcanvas-") }.isEmpty, "\(left)")
      if killsComposer, wasKilled, result.exitStatus == 1 {
        #expect(result.errorOutput.contains("the composer was killed by signal 9"), "\(result.errorOutput)")
      }
    }
    #expect(kills > 0)
    #expect(try await scratch.remux(["a.mkv", "-o", "b.mp4", "--force"]).exitStatus == 0)
  }

  @Test("A full disk is reported, and the old file stays", .enabled(if: getuid() == 0, "mounting requires root"))
  func fullDisk() async throws {
    try await TestClip.make(
      "a.mkv",
      inputs: ["testsrc2=s=320x240:d=5"],
      ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "1"],
      in: scratch
    )
    let disk = scratch("disk")
    try FilePath.makeFolder(disk)
    try #require(mount("clipcanvas-test", disk.string, "tmpfs", 0, "size=256k") == 0)
    defer { umount(disk.string) }
    try scratch.write(Array("old".utf8), as: "disk/b.mkv")
    let result = try await scratch.remux(["a.mkv", "-o", "disk/b.mkv", "--force"])
    #expect(result.exitStatus == 1)
    let message = "cannot write disk/b.mkv: no space left on device; make room there, or specify another place with -o"
    #expect(result.errorOutput == "a.mkv: \(message)\n")
    #expect(try FolderTree(below: disk).files == ["b.mkv": Array("old".utf8)])
  }

  @Test("A composer that is missing or is not a composer is named")
  func wrongComposer() async throws {
    let clip = ProjectFolder.fixture("h264.mp4").string
    let cases = [
      ("/nonexistent", 2, "CLIPCANVAS_COMPOSER names /nonexistent, which is missing or cannot be run"),
      ("/bin/false", 2, "cannot start the composer /bin/false: it ended with status 1; install it beside"),
      (ProjectFolder.program("clipcanvas-decoder").string, 1, "the composer exited with status"),
    ]
    for (program, status, message) in cases {
      let result = try await scratch.remux([clip, "-o", "b.mp4"], environment: ["CLIPCANVAS_COMPOSER": program])
      #expect(result.exitStatus == status && result.errorOutput.contains(message), "\(result.errorOutput)")
      #expect(try scratch.names().isEmpty)
    }
  }

  /// Faults of a composer, the video that it writes, and what is reported.
  static let faults: [(fault: String, video: String?, message: String)] = [
    ("killed", nil, "the composer was killed by signal 9"), ("exits", nil, "the composer exited with status 3"),
    ("silent", nil, "the composer did not reply within 1 second and was stopped"),
    ("nonsense", nil, "the composer sent an invalid reply"), ("longMessage", nil, "the composer sent an invalid reply"),
    ("nothing", nil, "the composer wrote an invalid video: the file is empty"),
    ("wrongSize", nil, "the composer wrote an invalid video: it has another size"),
    ("garbage", nil, "the composer wrote an invalid video: its content is not a recognised video format"),
    ("manyParts", nil, "the composer sent the wrong reply"), ("wrongClip", nil, "the composer sent the wrong reply"),
    ("otherVideo", "h264.mkv", "the composer wrote an invalid video: it is not MP4"),
    ("otherVideo", "hevc.mp4", "the composer wrote an invalid video: its codec is hevc, not h264"),
    ("otherVideo", "1080p.mp4", "the composer wrote an invalid video: it has another size"),
    ("otherVideo", "b-frames-3.mp4", "the composer wrote an invalid video: it has 0 audio streams, not 1"),
  ]

  @Test(
    "Whatever a composer does wrong is reported, and the old file stays",
    .enabled(if: Scope.isFull),
    arguments: faults
  )
  func faultyComposer(_ fault: (fault: String, video: String?, message: String)) async throws {
    var settings = ["composer": fault.fault]
    settings["video"] = fault.video.map { ProjectFolder.fixture($0).string }
    let composer = try TestDecoder.faulty(settings, in: scratch, as: "composer")
    try scratch.write(Array("old".utf8), as: "b.mp4")
    let before = try FolderTree(below: scratch.path)
    let clip = ProjectFolder.fixture("h264.mp4").string
    let result = try await scratch.remux(
      [clip, "-o", "b.mp4", "--force", "--timeout", "1"],
      environment: ["CLIPCANVAS_COMPOSER": composer.string]
    )
    #expect(result.exitStatus == 1 && result.errorOutput.contains(fault.message), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("\u{1B}") && result.text.isEmpty)
    #expect(try FolderTree(below: scratch.path) == before)
  }

  @Test(
    "A decoder that breaks down while it checks the video is reported as that, not as a flaw of the video",
    .enabled(if: Scope.isFull),
    arguments: [
      ("killed", "the decoder was killed by signal 9"), ("exits", "the decoder exited with status 3"),
      ("silent", "the decoder did not reply within 1 second and was stopped"),
      ("garbage", "the decoder sent an invalid reply"),
    ]
  )
  func faultyCheck(_ fault: String, _ message: String) async throws {
    let decoder = try TestDecoder.broken(by: fault, in: scratch)
    let result = try await scratch.remux(
      [ProjectFolder.fixture("h264.mp4").string, "-o", "b.mkv", "--timeout", "1"],
      environment: ["CLIPCANVAS_DECODER": decoder.string]
    )
    #expect(result.exitStatus == 1 && result.errorOutput.contains(": \(message)"), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("invalid video"))
    #expect(try !scratch.names().contains("b.mkv"))
  }

  @Test("The composer's sandbox denies everything but threads and long videos", .enabled(if: Scope.isFull))
  func selfTest() async throws {
    let result = try await Program.run("clipcanvas-composer", ["--self-test"])
    #expect(result.exitStatus == 0, "\(result.text)")
    let lines = result.text.split(separator: "\n")
    let granted = ["start a thread", "map 1 GiB", "write past 1 GiB of a file"]
    #expect(lines.filter { $0.hasPrefix("ALLOWED") } == granted.map { "ALLOWED \($0)" })
    #expect(lines.count { $0.hasPrefix("denied") } >= 37 && !result.text.contains("UNCLEAR"))
  }
}
