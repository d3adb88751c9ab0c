import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("Errors of exporting a board", .ownThread)
struct ExportErrorsTests {
  private func board() async throws -> ExportBoard {
    let board = try await ExportBoard("--grid", "2x1")
    let video = "testsrc2=size=160x90:rate=30:duration=1"
    try await board.bring("a.mp4", to: "c1", video: video, options: ["-movflags", "faststart"])
    return board
  }

  /// A board whose only canvas has a clip of two seconds.
  private func board(with clip: String, _ coding: [String]) async throws -> ExportBoard {
    let board = try await ExportBoard("--grid", "1x1")
    try await board.bring(clip, to: "c1", video: "testsrc2=size=160x90:rate=25:duration=2", options: coding)
    return board
  }

  private func export(_ board: ExportBoard, _ options: [String] = []) async throws -> ProgramResult {
    try await board.run(["export", "-o", "out.mp4", "--size", "320x90"] + options)
  }

  @Test("A board without clips is refused")
  func noClips() async throws {
    let board = try await ExportBoard("--grid", "2x1")
    let result = try await export(board)
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.contains("no canvas has a clip"))
    #expect(try !board.scratch.names().contains("out.mp4"))
  }

  @Test(
    "A clip that is gone is reported, and its canvas shows the cover while the others play",
    .enabled(if: Scope.isFull)
  )
  func missingClip() async throws {
    let board = try await board()
    try await board.bring("b.mp4", to: "c2", video: "testsrc2=size=160x90:rate=30:duration=0.5")
    try await board.ffmpeg(["-i", "b.mp4", "-c", "copy", "c.mp4"])
    try ScratchFolder.remove(board.scratch("b.mp4"))
    let result = try await export(board, ["--json"])
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("b.mp4 of c2 cannot be shown"))
    #expect(result.text.contains(#""kind":"broken""#) && result.text.contains(#""frames":30"#))
  }

  @Test("A clip that is cut off plays up to there, then shows its cover, and is reported with the time")
  func cutClip() async throws {
    let board = try await board()
    let bytes = try ScratchFolder.read(board.scratch("a.mp4"))
    try ScratchFolder.write(bytes.prefix(bytes.count * 2 / 3), to: board.scratch("a.mp4"))
    let result = try await export(board)
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("a.mp4 of c1 cannot be shown from 0."))
    let frames = try await board.frames(of: "out.mp4", width: 320, height: 90)
    #expect(frames.count == 30)
    // The cover is the first frame.
    let parts = frames.map { $0.part(x: 4, y: 4, width: 140, height: 80) }
    #expect(parts[29].quality(comparedWith: parts[0]) > 30)
    #expect(parts[12].quality(comparedWith: parts[0]) < 30)
  }

  @Test("A clip with a hole in its middle keeps its duration, and is reported", .enabled(if: Scope.isFull))
  func hole() async throws {
    let board = try await board(with: "a.webm", ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "1M"])
    var bytes = try ScratchFolder.read(board.scratch("a.webm"))
    let hole = bytes.count * 2 / 5..<bytes.count * 2 / 5 + 5000
    bytes.replaceSubrange(hole, with: Array(repeating: 0, count: 5000))
    try ScratchFolder.write(bytes, to: board.scratch("a.webm"))
    let result = try await export(board)
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("a.webm of c1 cannot be shown from "), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("the video ends early"))
    #expect(try await board.frames(of: "out.mp4", width: 320, height: 90).count == 60)
  }

  @Test("After a hole, a clip plays on from the next key frame", .enabled(if: Scope.isFull))
  func playsOn() async throws {
    let coding = ["-c:v", "libvpx", "-g", "10", "-keyint_min", "10", "-deadline", "realtime", "-b:v", "1M"]
    let board = try await board(with: "a.webm", coding)
    let clip = board.scratch("a.webm")
    let packets = try await StoredPacket.all(of: clip)
    try #require(packets.count == 50)
    var bytes = try ScratchFolder.read(clip)
    for index in packets[12].position - 20..<packets[14].position { bytes[index] = 0 }
    try ScratchFolder.write(bytes, to: clip)
    let result = try await export(board)
    #expect(result.exitStatus == 1 && result.errorOutput.contains("a.webm of c1 is damaged from 0.4 s on"))
    let parts = try await board.frames(of: "out.mp4", width: 320, height: 90).map {
      $0.part(x: 100, y: 10, width: 120, height: 70)
    }
    try #require(parts.count == 60)
    // Zeros begin at 0.48 s, and a packet may be damaged before them. The next key frame is at 0.8 s.
    #expect(parts[20].quality(comparedWith: parts[17]) > 30)
    for index in stride(from: 25, to: 55, by: 3) { #expect(parts[index].quality(comparedWith: parts[index + 3]) < 30) }
  }

  @Test(
    "Frames that depend on a lost packet are left out and reported, although none of them fails to decode",
    .enabled(if: Scope.isFull),
    arguments: ["libx264", "libx265"]
  )
  func lostPacket(_ codec: String) async throws {
    let board = try await board(with: "a.mkv", ["-c:v", codec, "-bf", "0", "-g", "25", "-pix_fmt", "yuv420p"])
    try await board.ffmpeg(["-i", "a.mkv", "-c", "copy", "-bsf:v", "noise=drop=eq(n\\,12)", "b.mkv"])
    try ScratchFolder.write(ScratchFolder.read(board.scratch("b.mkv")), to: board.scratch("a.mkv"))
    let result = try await export(board)
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("a.mkv of c1 is damaged from 0.5 s on: frames are damaged"))
    #expect(try await board.frames(of: "out.mp4", width: 320, height: 90).count == 60)
  }

  @Test(
    "A clip that is cut off is reported, and shown up to there",
    .enabled(if: Scope.isFull),
    arguments: ["mkv", "ts", "flv", "avi"]
  )
  func cutOff(_ ending: String) async throws {
    let codec = ending == "avi" ? "mpeg4" : "libx264"
    let name = "a.\(ending)"
    let board = try await board(with: name, ["-c:v", codec, "-g", "10", "-pix_fmt", "yuv420p"])
    #expect(try await export(board).exitStatus == 0)
    let bytes = try ScratchFolder.read(board.scratch(name))
    try ScratchFolder.write(bytes[..<(bytes.count * 3 / 5)], to: board.scratch(name))
    let result = try await export(board, ["--force"])
    #expect(result.exitStatus == 1 && result.errorOutput.contains("\(name) of c1 "), "\(result.errorOutput)")
  }

  @Test(
    "Sound that cannot be decoded is reported, unless the canvas is muted",
    .enabled(if: Scope.isFull),
    arguments: ["wmav2", "adpcm_ima_wav"]
  )
  func unsupportedSound(_ codec: String) async throws {
    let board = try await ExportBoard("--grid", "1x1")
    try await board.bring(
      "a.avi",
      to: "c1",
      video: "testsrc2=size=160x90:rate=30:duration=1",
      sound: "sine=r=48000:d=1",
      options: ["-c:v", "mpeg4", "-c:a", codec]
    )
    let result = try await export(board, ["--json"])
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("a.avi of c1 cannot be heard: the audio codec \(codec) is not supported"))
    #expect(result.text.contains(#""kind":"silent""#))
    let muted = try await export(board, ["--mute", "c1", "--force"])
    #expect(muted.exitStatus == 0 && muted.errorOutput.isEmpty, "\(muted.errorOutput)")
  }

  @Test(
    "A full disk is reported with the way out, and the old file stays",
    .enabled(if: Scope.isFull),
    .enabled(if: MemoryFileSystem.isAllowed, Comment(rawValue: MemoryFileSystem.absence))
  )
  func fullDisk() async throws {
    let board = try await ExportBoard("--grid", "1x1")
    try await board.bring("a.mp4", to: "c1", video: "testsrc2=size=640x360:rate=30:duration=2")
    let disk = try MemoryFileSystem(board.scratch("disk"), size: 128 << 10)
    try ScratchFolder.write(Array("old".utf8), to: disk.path.appending("out.mp4"))
    let names = try board.scratch.names()
    for options in [[], ["--faststart"]] {
      let arguments = ["export", "-o", "disk/out.mp4", "--size", "640x360", "--quality", "100", "--force"]
      let result = try await board.run(arguments + options)
      #expect(result.exitStatus == 2 && result.text.isEmpty)
      let advice = "make room there, or specify another place with -o"
      let message = "cannot export the board: cannot write disk/out.mp4: no space left on device; \(advice)"
      #expect(result.errorOutput == "clipcanvas: \(message)\n")
      #expect(try FolderTree(below: disk.path).files == ["out.mp4": Array("old".utf8)])
    }
    #expect(try board.scratch.names() == names)
    // With enough room, the same video is written.
    try await board.export(["--size", "640x360"])
    #expect(try ScratchFolder.read(board.scratch("out.mp4")).count > 128 << 10)
  }

  @Test("If no clip can be shown, no video is made")
  func onlyBrokenClips() async throws {
    let board = try await board()
    try ScratchFolder.write(Array("not a clip".utf8), to: board.scratch("a.mp4"))
    let result = try await export(board)
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("none of its clips can be shown"))
    #expect(try !board.scratch.names().contains("out.mp4"))
  }

  @Test("An existing file is replaced only with --force, and a clip of the board never", .enabled(if: Scope.isFull))
  func existingFile() async throws {
    let board = try await board()
    try ScratchFolder.write(Array("precious".utf8), to: board.scratch("out.mp4"))
    #expect(try await export(board).exitStatus == 2)
    #expect(try ScratchFolder.read(board.scratch("out.mp4")) == Array("precious".utf8))
    #expect(try await export(board, ["--force"]).exitStatus == 0)
    let before = try ScratchFolder.read(board.scratch("a.mp4"))
    let result = try await board.run(["export", "-o", "a.mp4", "--force"])
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.contains("the clip of c1"))
    #expect(try ScratchFolder.read(board.scratch("a.mp4")) == before)
  }

  @Test("More canvases than a video can have are refused with the limit")
  func tooManyCanvases() async throws {
    let board = try await ExportBoard("--grid", "13x5")
    try await board.bring("a.mp4", to: "c1", video: "color=red:size=160x90:rate=30:duration=0.1")
    let result = try await board.run(["export", "-o", "out.mp4"])
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.contains("65 canvases, and a video can have 64"))
  }

  @Test(
    "Options that make no sense are refused with the valid forms",
    .enabled(if: Scope.isFull),
    arguments: [
      (["--size", "321x90"], "even"), (["--fps", "0"], "1 to 120"), (["--fps", "30000/0"], "1 to 120"),
      (["--length", "soon"], "longest, shortest"), (["--pan", "c1=2"], "-1 to 1"), (["--pan", "c9=0"], "'c9'"),
      (["--mute", "c9"], "'c9'"), (["-o", "out.mkv"], ".mp4"), (["--quality", "0"], "1 to 100"),
    ]
  )
  func badOptions(options: [String], form: String) async throws {
    let board = try await board()
    let result = try await board.run(["export", "-o", "out.mp4"] + options)
    #expect(result.exitStatus == 64)
    #expect(result.errorOutput.contains(form), "\(result.errorOutput)")
  }

  /// Faults of a composer, the video that it writes, and what is reported.
  static let faults: [(fault: String, video: String?, message: String)] = [
    ("negativeTime", nil, "the composer sent an invalid reply"),
    ("hugeFrames", nil, "the composer sent an invalid reply"),
    ("moreMeasures", nil, "the composer sent the wrong reply"),
    ("silent", nil, "the composer did not reply within 1 second and was stopped"),
    ("killed", nil, "the composer was killed by signal 9"), ("nonsense", nil, "the composer sent an invalid reply"),
    ("fewFrames", nil, "the composer wrote an invalid video: it has 29 frames, not 30"),
    ("otherCanvas", nil, "the composer wrote an invalid video: it has other canvases"),
    ("otherVideo", "hevc.mp4", "the composer wrote an invalid video: it is not MP4 with H.264"),
    ("otherVideo", "1080p.mp4", "the composer wrote an invalid video: its frames have another size"),
  ]

  @Test(
    "Whatever a composer does wrong is reported, and the old file stays",
    .enabled(if: Scope.isFull),
    arguments: faults
  )
  func faultyComposer(_ fault: (fault: String, video: String?, message: String)) async throws {
    let board = try await board()
    var settings = ["composer": fault.fault]
    settings["video"] = fault.video.map { ProjectFolder.fixture($0).string }
    let composer = try TestDecoder.faulty(settings, in: board.scratch, as: "composer")
    try ScratchFolder.write(Array("old".utf8), to: board.scratch("out.mp4"))
    let before = try FolderTree(below: board.scratch.path)
    let result = try await Program.run(
      "clipcanvas",
      ["board", "export", "-o", "out.mp4", "--size", "320x90", "--force", "--timeout", "1"],
      in: board.scratch.path,
      environment: ["CLIPCANVAS_BOARD": "", "CLIPCANVAS_COMPOSER": composer.string]
    )
    #expect(result.exitStatus == 2 && result.errorOutput.contains(fault.message), "\(result.errorOutput)")
    #expect(try FolderTree(below: board.scratch.path) == before)
  }

  @Test(
    "A decoder that breaks down while it checks the video is reported as that, not as a flaw of the video",
    .enabled(if: Scope.isFull)
  )
  func faultyCheck() async throws {
    let board = try await board()
    // The composer's video, whatever it shows, is the only file of its size.
    let video = ProjectFolder.fixture("hevc.mp4")
    let bytes = try ScratchFolder.read(video).count
    let composer = try TestDecoder.faulty(
      ["composer": "otherVideo", "video": video.string],
      in: board.scratch,
      as: "composer"
    )
    let decoder = try TestDecoder.broken(by: "killed", in: board.scratch, bytes: bytes)
    let result = try await Program.run(
      "clipcanvas",
      ["board", "export", "-o", "out.mp4", "--size", "320x90"],
      in: board.scratch.path,
      environment: [
        "CLIPCANVAS_BOARD": "", "CLIPCANVAS_COMPOSER": composer.string, "CLIPCANVAS_DECODER": decoder.string,
      ]
    )
    #expect(result.exitStatus == 2, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("the decoder was killed by signal 9"), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("invalid video"))
  }

  @Test("A video that is cancelled leaves no files", .enabled(if: Scope.isFull), arguments: [SIGINT, SIGKILL])
  func cancelled(signal: Int32) async throws {
    let board = try await board()
    let before = try board.scratch.names()
    let output = try ScratchFolder()
    let program = try RunningProgram(
      "clipcanvas",
      ["board", "export", "-o", "out.mp4", "--length", "600", "--after", "loop"],
      scratch: output,
      in: board.scratch.path
    )
    try await eventually("its programs run") { !program.children().isEmpty }
    var numbers = SeededNumbers(seed: UInt64(signal))
    try await pause(.milliseconds(Int.random(in: 0...200, using: &numbers)))
    program.send(signal)
    let result = try await program.end(within: .seconds(20))
    #expect(result.exitStatus == 128 + Int(signal))
    #expect(try board.scratch.names() == before)
  }
}
