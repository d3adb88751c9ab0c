import Glibc
import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite("Clips on a board and their covers")
struct BoardClipTests {
  private let clip = ProjectFolder.fixture("h264.mp4").string

  @Test("An imported clip gets its cover immediately")
  func cover() async throws {
    let board = try await TestBoard()
    let told = try await board.done("clip", "import", "c2", clip)
    #expect(
      told.contains("revision 1\n") && told.contains("c2 cover: pending → ready, board.covers/c2-1.png"),
      "\(told)"
    )
    let canvas = try board.record.canvases[1]
    #expect(canvas.clip == .init(path: clip, generation: 1))
    #expect(canvas.cover.path == "board.covers/c2-1.png" && canvas.cover.width == 160)
    let pixels = try await Oracle.pixels(ofPNG: board.scratch("board.covers/c2-1.png"), hasAlpha: false)
    #expect(pixels.width == 160)
    #expect(try await board.done("check").contains("revision 2"))
    // --if-revision refers to the revision before the import.
    try await board.done("clip", "import", "c3", clip, "--if-revision", "2")
    #expect(try board.record.canvases[2].cover.state == "ready")
    let taken = try await board.run("clip", "import", "c2", clip)
    #expect(taken.exitStatus == 3 && taken.errorOutput.hasPrefix("clipcanvas: refused: the canvas already has a clip"))
    try await board.done("clip", "import", "c2", clip, "--replace")
    #expect(try board.record.canvases[1].cover.path == "board.covers/c2-5.png")
  }

  @Test("A clip without a picture gets a failed cover, which is a state and not an error")
  func failed() async throws {
    let board = try await TestBoard()
    let sound = ProjectFolder.fixture("sound-only.m4a").string
    let result = try await board.run("clip", "import", "--no-check", "c1", sound)
    #expect(result.exitStatus == 0 && result.errorOutput.contains("no video stream"), "\(result.errorOutput)")
    #expect(try board.record.canvases[0].cover.state == "failed")
    #expect(try board.record.canvases[0].cover.reason?.contains("no video stream") == true)
  }

  @Test(
    "A file that is not a video is refused, and accepted with --no-check, as is a file that does not exist yet",
    .enabled(if: Scope.isFull)
  )
  func unchecked() async throws {
    let board = try await TestBoard()
    let text = try board.scratch.write(Array("my notes".utf8), as: "notes.txt").string
    let before = try board.bytes
    for (file, reason) in [
      (text, "its content is not a recognised video format"),
      (ProjectFolder.fixture("sound-only.m4a").string, "no video stream (1 audio stream)"),
      (ProjectFolder.fixture("empty.mp4").string, "the file is empty (0 bytes)"),
    ] {
      for command in [
        ["clip", "import", "c1"], ["can", "clip", "import", "c1"], ["record", "stop", "--clip"],
        ["record", "finish", "--clip"], ["can", "record", "stop", "--clip"],
      ] {
        let result = try await Program.run("clipcanvas", board.arguments(command + [file]))
        let end = "; the board was not changed; add it anyway with --no-check\n"
        #expect(
          result.exitStatus == 2 && result.errorOutput == "clipcanvas: cannot add the clip \(file): \(reason)\(end)"
        )
      }
    }
    #expect(try board.bytes == before && board.leftovers == ["notes.txt"])
    #expect(try await board.run("clip", "import", "c1", text, "--no-check").exitStatus == 0)
    #expect(try board.record.canvases[0].cover.state == "failed")
    let later = board.scratch("later.mp4")
    try await board.done("clip", "import", "c2", later.string, "--no-check")
    #expect(try board.record.canvases[1].clip?.path == "later.mp4")
    #expect(try board.record.canvases[1].cover.state == "pending")
    try ScratchFolder.write(try ScratchFolder.read(ProjectFolder.fixture("h264.mp4")), to: later)
    #expect(try await board.done("cover").contains("c2 cover: pending → ready"))
    try await board.done("tap", "c3")
    try await board.done("record", "start")
    try await board.done("record", "stop", "--clip", "take.mp4", "--no-check")
    #expect(try board.record.canvases[2].clip?.path.hasSuffix("take.mp4") == true)
    let video = ProjectFolder.fixture("h264.mp4")
    try await board.done("clip", "import", "c4", video.string, "--no-cover")
    let probe = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", video.string]
    let duration = try #require(Double(try await Program.runTool("ffprobe", probe).text.dropLast()))
    let stored = try #require(
      String(decoding: board.bytes, as: UTF8.self).firstMatch(of: #/"durationSeconds": ?([0-9.]+)/#)
    )
    #expect(abs((Double(stored.1) ?? 0) - duration) < 0.05)
    let folder = try await board.run("clip", "import", "c3", board.scratch.path.string, "--no-check")
    #expect(folder.exitStatus == 2 && folder.errorOutput.contains("not a regular file"))
  }

  @Test("`cover pending` makes all pending covers, and without a decoder they stay pending")
  func pending() async throws {
    let board = try await TestBoard()
    for canvas in ["c1", "c3"] { try await board.done("clip", "import", canvas, clip, "--no-cover") }
    #expect(try board.record.canvases.map(\.cover.state) == ["pending", "none", "pending", "none"])
    #expect(!ProjectFolder.isThere(board.scratch("board.covers")))
    let result = try await board.run("cover", environment: ["CLIPCANVAS_DECODER": "/nowhere/decoder"])
    #expect(result.exitStatus == 2 && !result.errorOutput.isEmpty, "\(result.errorOutput)")
    #expect(try board.record.canvases.map(\.cover.state) == ["pending", "none", "pending", "none"])
    try await board.done("cover")
    #expect(try board.record.canvases.map(\.cover.state) == ["ready", "none", "ready", "none"])
    #expect(try await board.done("cover") == "nothing changed: no cover is pending\n")
  }

  @Test(
    "A cover that is gone is reported with the command that makes it again, and that command does",
    .enabled(if: Scope.isFull)
  )
  func again() async throws {
    let board = try await TestBoard()
    for canvas in ["c1", "c2"] { try await board.done("clip", "import", canvas, clip) }
    #expect(try await board.done("cover", "--retry").hasPrefix("nothing changed: no cover is pending"))
    try #require(unlink(board.scratch("board.covers/c2-3.png").string) == 0)
    let check = try await board.run("check")
    #expect(check.exitStatus == 1)
    #expect(check.errorOutput.hasPrefix("c2: the cover "), "\(check.errorOutput)")
    let command = "'clipcanvas board cover c2 --retry --board \(board.path.string)'"
    #expect(check.errorOutput.hasSuffix(" is missing; \(command) makes it again\n"))
    let json = try await board.run("check", "--json")
    #expect(json.exitStatus == 1 && json.text.contains(#""problems":[{"canvas":"c2","path":""#))
    #expect(json.text.contains(#""problem":"coverMissing"}]"#))
    // Without --retry, the cover is not pending; for another canvas, it is not missing.
    #expect(try await board.done("cover", "c2").hasPrefix("nothing changed"))
    #expect(try await board.done("cover", "--retry").contains("c2 cover: pending → ready, board.covers/c2-3.png"))
    #expect(try board.record.revision == 6)
    try await board.done("check")
    // A named canvas gets a new cover in any case.
    #expect(try await board.done("cover", "c1", "--retry").contains("c1 cover: pending → ready"))
    #expect(try await board.run("cover", "c3", "--retry").errorOutput.contains("refused: the canvas has no clip"))
    #expect(try await board.run("cover", "c9").errorOutput.contains("no canvas 'c9'; this board has c1, c2, c3, c4"))
    #expect(try await board.done("undo").contains("c2 clip:"))
  }

  @Test("`cover` exits with status 1 if a cover could not be made; covers are answers, not steps")
  func incomplete() async throws {
    let board = try await TestBoard()
    let bad = try board.scratch.write("no clip".utf8, as: "bad.mp4")
    try await board.done("clip", "import", "c1", bad.string, "--no-cover", "--no-check")
    try await board.done("clip", "import", "c2", clip, "--no-cover")
    let first = try await board.run("cover")
    #expect(first.exitStatus == 1 && first.text.contains("c1 cover: pending → failed"), "\(first.text)")
    #expect(try board.record.canvases[1].cover.state == "ready")
    let advice = "; --retry makes failed and missing covers again\n"
    #expect(try await board.done("cover") == "nothing changed: no cover is pending" + advice)
    let check = try await board.run("check")
    let command = "'clipcanvas board cover c1 --retry --board \(board.path.string)'"
    #expect(check.exitStatus == 0 && check.errorOutput.hasPrefix("c1: the cover could not be made: "))
    #expect(check.errorOutput.hasSuffix("; \(command) tries again\n"), "\(check.errorOutput)")
    #expect(try await board.done("check", "--json").contains(#""problem":"coverFailed","reason":""#))
    let second = try await board.run("cover", "--retry", "--json")
    #expect(second.exitStatus == 1 && second.text.split(separator: "\n").count == 2, "\(second.text)")
    #expect(try await board.run("cover", "c2", "--json").text == #"{"outcome":"noop","reason":"already"}"# + "\n")
    _ = try ScratchFolder.write(try ScratchFolder.read(ProjectFolder.fixture("h264.mp4")), to: bad)
    try await board.done("cover", "--retry")
    #expect(try board.record.canvases[0].cover.state == "ready")
  }

  @Test("A cover that cannot be made again is kept, unless its file is missing", .enabled(if: Scope.isFull))
  func kept() async throws {
    let board = try await TestBoard()
    let copy = try board.scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try await board.done("clip", "import", "c1", copy.string)
    let (before, path) = (try board.record.canvases[0].cover, board.scratch("board.covers/c1-1.png"))
    let picture = try ScratchFolder.read(path)
    let clip = try ScratchFolder.read(copy)
    try ScratchFolder.remove(copy)
    let gone = try await board.run("cover", "c1", "--retry")
    #expect(gone.exitStatus == 1 && gone.errorOutput.contains("no such file"), "\(gone.errorOutput)")
    #expect(gone.errorOutput.hasSuffix("c1 keeps its old cover\n"), "\(gone.errorOutput)")
    #expect(try board.record.canvases[0].cover == before && ScratchFolder.read(path) == picture)
    let json = try await board.run("cover", "c1", "--retry", "--json")
    #expect(json.exitStatus == 1 && json.errorOutput == "c1 keeps its old cover: no such file or directory\n")
    #expect(try board.record.canvases[0].cover == before)
    // Likewise if the command that asked for the cover was killed before it was made, and if the clip is damaged.
    _ = try await board.send(#"{"event":"coverRetry","canvas":"c1"}"#, to: "apply")
    try ScratchFolder.write("no clip".utf8, to: copy)
    #expect(try await board.run("cover").exitStatus == 1)
    #expect(try board.record.canvases[0].cover == before && ScratchFolder.read(path) == picture)
    // Without a decoder, nothing is tried.
    let none = try await board.run("cover", "c1", "--retry", environment: ["CLIPCANVAS_DECODER": "/nowhere/decoder"])
    #expect(try none.exitStatus == 2 && board.record.canvases[0].cover == before)
    try ScratchFolder.remove(path)
    #expect(try await board.run("cover", "--retry").exitStatus == 1)
    #expect(try board.record.canvases[0].cover.state == "failed")
    // The cover of a clip that was replaced is not that of the new one.
    try ScratchFolder.write(clip, to: copy)
    try await board.done("cover", "--retry")
    try await board.done("clip", "import", "c1", copy.string, "--replace", "--no-cover")
    try ScratchFolder.remove(copy)
    #expect(try await board.run("cover").exitStatus == 1)
    #expect(try board.record.canvases[0].cover.state == "failed")
  }

  @Test("A board's covers have at most its size, whichever command makes them", .enabled(if: Scope.isFull))
  func size() async throws {
    let board = try await TestBoard()
    try await board.done("new", "--force", "--cover-size", "64")
    try await board.done("clip", "import", "c1", clip)
    try await board.done("clip", "import", "c2", clip, "--no-cover")
    try await board.done("cover")
    try await board.done("tap", "c3")
    try await board.done("record", "start")
    try await board.done("record", "stop", "--clip", clip)
    // The clip is 160×120.
    #expect(try board.record.canvases.prefix(3).map(\.cover.width) == [64, 64, 64])
    for wrong in ["0", "16385", "x"] {
      #expect(try await board.run("new", "--force", "--cover-size", wrong).exitStatus == 64)
    }
  }

  @Test("Importing a missing file or a folder exits with status 2 and leaves the board unchanged")
  func noFile() async throws {
    let board = try await TestBoard()
    let old = try board.bytes
    for (path, words) in [
      ("none.mp4", "no such file or directory"), (board.scratch.path.string, "not a regular file"),
    ] {
      let result = try await board.run("clip", "import", "c1", path)
      #expect(
        result.exitStatus == 2 && result.errorOutput.contains(words + "; the board was not changed"),
        "\(result.errorOutput)"
      )
    }
    #expect(try board.bytes == old)
  }

  @Test(
    "A clip's path is stored relative to the board's folder, whatever the working folder and the links used",
    .enabled(if: Scope.isFull)
  )
  func paths() async throws {
    let scratch = try ScratchFolder()
    for folder in ["project", "project/clips", "elsewhere", "elsewhere/deep"] {
      try FilePath.makeFolder(scratch(folder))
    }
    let bytes = try ScratchFolder.read(ProjectFolder.fixture("h264.mp4"))
    for name in ["project/clips/a.mp4", "elsewhere/b.mp4", "project/b.mp4"] { try scratch.write(bytes, as: name) }
    let linked = symlink(scratch("elsewhere/deep").string, scratch("project/link").string)
    try #require(linked == 0)
    let board = TestBoard(at: scratch("project/board.json"), in: scratch)
    try await board.done("new", "--canvases", "3")
    // Relative to project/clips; `../link/..` is elsewhere, not project.
    for (canvas, path) in [("c1", "a.mp4"), ("c2", "../link/../b.mp4"), ("c3", "../b.mp4")] {
      let result = try await Program.run(
        "clipcanvas",
        ["board", "clip", "import", canvas, path, "--no-cover", "--board", "../board.json"],
        in: scratch("project/clips")
      )
      #expect(result.exitStatus == 0, "\(result.errorOutput)")
    }
    #expect(
      try board.record.canvases.map { $0.clip?.path } == ["clips/a.mp4", scratch("elsewhere/b.mp4").string, "b.mp4"]
    )
    try await board.done("cover")
    #expect(try board.record.canvases.map(\.cover.state) == ["ready", "ready", "ready"])
    try await board.done("check")
  }

  @Test("A clip whose name is not valid UTF-8 gets its cover and is found again")
  func oddName() async throws {
    let board = try await TestBoard()
    let name: [CChar] = [0x61, -1, -2, 0x20, 0x2E, 0x6D, 0x70, 0x34, 0]
    let path = board.scratch.path.pushing(FilePath(platformString: name))
    try ScratchFolder.write(try ScratchFolder.read(ProjectFolder.fixture("h264.mp4")), to: path)
    let bytes = path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }.map {
      UInt8(bitPattern: $0)
    }
    let arguments = board.arguments(["clip", "import", "c1"]).map { Array($0.utf8) + [0] } + [bytes + [0]]
    let result = try await Program.run(
      .path(ProjectFolder.program("clipcanvas")),
      Arguments(arguments)
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(try board.record.canvases[0].cover.state == "ready")
    try await board.done("check")
    #expect(!(try await board.done("log")).unicodeScalars.contains { $0.value > 0x10_0000 })
  }

  @Test("Undo, redo, replay and reading never start a decoder", .enabled(if: Scope.isFull))
  func spy() async throws {
    let board = try await TestBoard()
    let mark = board.scratch("started")
    let script = try board.scratch.write("#!/bin/sh\necho x >> '\(mark.string)'\nexit 1\n".utf8, as: "spy.sh")
    let spy = try await board.scratch.install(script, as: "spy")
    try await board.done("clip", "import", "c1", clip)
    try await board.done("clip", "import", "c2", clip, "--no-cover")
    for command in [
      ["undo"], ["undo"], ["redo"], ["redo"], ["tap", "c1"], ["log"], ["check"], ["next"], ["undo"],
      ["clip", "remove", "c1"], ["undo"],
    ] {
      let result = try await Program.run(
        "clipcanvas",
        board.arguments(command),
        environment: ["CLIPCANVAS_DECODER": spy.string]
      )
      #expect([0, 3].contains(result.exitStatus), "\(command) \(result.errorOutput)")
    }
    for command in ["apply", "simulate"] {
      let result = try await Program.run(
        "clipcanvas",
        board.arguments([command]),
        input: #"{"event":"importClip","canvas":"c3","clip":{"path":"a.mp4"}}"#,
        environment: ["CLIPCANVAS_DECODER": spy.string]
      )
      #expect(result.exitStatus == 0)
    }
    #expect(!ProjectFolder.isThere(mark))
    // The spy does record a command that starts a decoder.
    _ = try await board.run("cover", environment: ["CLIPCANVAS_DECODER": spy.string])
    #expect(ProjectFolder.isThere(mark))
  }
}
