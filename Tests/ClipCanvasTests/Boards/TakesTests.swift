import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Takes of a board on the command line")
struct TakesTests {
  private static let fixture = ProjectFolder.fixture("h264.mp4")

  /// A board whose first canvas has had the clips a.mp4, b.mp4 and c.mp4 in its own folder of clips.
  private func board() async throws -> TestBoard {
    let board = try await TestBoard()
    try FilePath.makeFolder(board.scratch("board.clips"))
    for name in ["a", "b", "c"] {
      let path = try board.scratch.copy(Self.fixture, as: "board.clips/\(name).mp4")
      try await board.done("clip", "import", "c1", path.string, "--replace")
    }
    return board
  }

  private func names(_ board: TestBoard, _ folder: String) throws -> [String] {
    try ScratchFolder.entries(of: board.scratch(folder)).map(\.string).sorted()
  }

  @Test("Each take is listed with its number, file, length, size and time, and what it is")
  func list() async throws {
    let board = try await board()
    let lines = try await board.done("takes", "c1").split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("c1  1  a.mp4  ") && lines[0].hasSuffix("  kept, in the history"), "\(lines[0])")
    #expect(lines[2].hasPrefix("c1  5  c.mp4  ") && lines[2].hasSuffix("  in use, in the history"), "\(lines[2])")
    #expect(lines[0].contains(" s  ") && lines[0].contains(" kB  ") && lines[0].contains(":"))
    #expect(try await board.done("takes", "c2") == "no takes\n")
    #expect(try await board.done("takes").split(separator: "\n").count == 3)
    let json = try await board.done("takes", "--json").split(separator: "\n")
    #expect(json.count == 3 && json[0].contains(#""isInHistory":true"#) && json[0].contains(#""isInUse":false"#))
    #expect(json[0].contains(#""file":"unchanged""#) && json[0].contains(#""path":"board.clips/a.mp4""#))
    let stranger = try await board.run("takes", "c9")
    #expect(stranger.exitStatus == 3 && stranger.errorOutput.contains("no canvas 'c9'"))
  }

  @Test("A take is used by its number or its file, with the cover that it had, and undo takes that back")
  func use() async throws {
    let board = try await board()
    let text = try await board.done("use", "c1", "1")
    #expect(text.contains("c1 clip: board.clips/c.mp4 → board.clips/a.mp4"), "\(text)")
    #expect(text.contains("c1 take 1 (board.clips/a.mp4) taken out") && !text.contains("pending"), "\(text)")
    #expect(try board.record.canvases[0].cover.path == "board.covers/c1-1.png")
    #expect(
      try await board.done("use", "c1", "a.mp4") == "nothing changed: the take is already the clip of the canvas\n"
    )
    try await board.done("use", "c1", "b.mp4")
    #expect(try board.record.canvases[0].clip?.path == "board.clips/b.mp4")
    try await board.done("undo", "2")
    #expect(try board.record.canvases[0].clip?.path == "board.clips/c.mp4")
    let unknown = try await board.run("use", "c1", "7")
    #expect(unknown.exitStatus == 3 && unknown.errorOutput.contains("no take '7' of c1; 'clipcanvas board takes c1"))
  }

  @Test("A take that only the history has is used as a new clip")
  func fromHistory() async throws {
    let board = try await board()
    try await board.done("forget", "c1", "1")
    #expect(try await board.done("takes").contains("only in the history"))
    try await board.done("use", "c1", "a.mp4")
    #expect(try board.record.canvases[0].clip?.path == "board.clips/a.mp4")
    #expect(try await board.done("takes").split(separator: "\n").count == 3)
  }

  @Test("A take whose file is gone or was replaced is not used")
  func lost() async throws {
    let board = try await board()
    let before = try board.bytes
    try ScratchFolder.write(Array("not a video".utf8), to: board.scratch("board.clips/a.mp4"))
    try ScratchFolder.remove(board.scratch("board.clips/b.mp4"))
    let lines = try await board.done("takes").split(separator: "\n")
    #expect(lines[0].hasSuffix("kept, in the history, the file has changed"), "\(lines)")
    #expect(lines[1].hasSuffix("kept, in the history, the file is missing"), "\(lines)")
    let changed = try await board.run("use", "c1", "1")
    #expect(
      changed.exitStatus == 2
        && changed.errorOutput.contains("was replaced or changed since the take; 'clipcanvas board clip")
    )
    let missing = try await board.run("use", "c1", "3")
    #expect(missing.exitStatus == 2 && missing.errorOutput.contains("board.clips/b.mp4 is missing; restore it"))
    #expect(try board.bytes == before)
  }

  @Test("A part of a clip is set, shown with its own cover, and cleared")
  func trim() async throws {
    let board = try await TestBoard()
    try await board.done("clip", "import", "c1", Self.fixture.string)
    let text = try await board.done("clip", "trim", "c1", "--from", "0.2", "--to", "0.6")
    #expect(text.contains("c1 plays from 0.2 s to 0.6 s") && text.contains("ready, board.covers/c1-3.png"), "\(text)")
    #expect(try await board.done("takes").contains("in use, from 0.2 s to 0.6 s"))
    let again = try await board.done("clip", "trim", "c1", "--from", "0.2", "--to", "0.6")
    #expect(again == "nothing changed: that part of the clip is already played\n")
    let cleared = try await board.done("clip", "trim", "c1", "--clear")
    #expect(cleared.contains("c1 plays the whole clip"))
    try await board.done("undo")
    #expect(try board.record.canvases[0].cover.path == "board.covers/c1-3.png")
    try await board.done("undo")
    #expect(try board.record.canvases[0].cover.path == "board.covers/c1-1.png")
  }

  @Test(
    "A part that is empty, crossed, beyond the clip or not a time is refused",
    arguments: [
      (["--from", "2", "--to", "1"], 64, "the part is empty: '--to' must be later than '--from'"),
      (["--to", "0"], 64, "the part is empty"), ([], 64, "use '--from' and '--to', or '--clear'"),
      (["--from", "1", "--clear"], 64, "use '--from' and '--to', or '--clear'"),
      (["--from", "nan"], 64, "'--from' takes a time from the start of the clip"),
      (["--from", "-1"], 64, "'--from' takes a time"), (["--to", "1e400"], 64, "'--to' takes a time"),
      (["--from", "99"], 3, "refused: the clip of c1 has only "), (["--to", "99"], 3, "the clip of c1 has only "),
    ] as [([String], Int32, String)]
  )
  func badTrim(options: [String], status: Int32, message: String) async throws {
    let board = try await TestBoard()
    try await board.done("clip", "import", "c1", Self.fixture.string, "--no-cover")
    let before = try board.bytes
    let result = try await Program.run("clipcanvas", board.arguments(["clip", "trim", "c1"] + options))
    #expect(result.exitStatus == status && result.errorOutput.contains(message), "\(result.errorOutput)")
    #expect(try board.bytes == before)
  }

  // MARK: - Cleaning

  @Test("Cleaning removes what neither the board nor its history needs, and says what it would remove")
  func clean() async throws {
    let board = try await board()
    try board.scratch.copy(Self.fixture, as: "board.clips/orphan.mp4")
    try board.scratch.copy(Self.fixture, as: "board.clips/.hidden.mp4")
    try board.scratch.write(Array("png".utf8), as: "board.covers/c1-99.png")
    let dry = try await board.done("clean", "--dry-run")
    #expect(dry.contains("board.clips/orphan.mp4\n") && dry.contains("board.covers/c1-99.png\n"), "\(dry)")
    #expect(dry.contains("would remove 2 files, "))
    let unasked = try await board.run("clean")
    #expect(unasked.exitStatus == 2 && unasked.errorOutput.contains("this is not a terminal; remove them with --force"))
    #expect(try names(board, "board.clips") == [".hidden.mp4", "a.mp4", "b.mp4", "c.mp4", "orphan.mp4"])
    #expect(try await board.done("clean", "--force").hasPrefix("removed 2 files, "))
    #expect(try names(board, "board.clips") == [".hidden.mp4", "a.mp4", "b.mp4", "c.mp4"])
    #expect(try names(board, "board.covers") == ["c1-1.png", "c1-3.png", "c1-5.png"])
    #expect(try await board.done("clean", "--force") == "nothing to remove\n")
    let json = try await board.done("clean", "--force", "--json")
    #expect(json.isEmpty)
  }

  @Test("A forgotten take stays while it can be undone to, and goes with the steps that need it")
  func forgotten() async throws {
    let board = try await board()
    try await board.done("forget", "c1", "1")
    let kept = try await board.done("clean", "--force")
    #expect(
      kept.contains("nothing to remove\n2 files are still needed to undo or redo; --forget-steps removes them"),
      "\(kept)"
    )
    try await board.done("undo")
    try await board.done("use", "c1", "1")
    #expect(try await board.done("check").contains("revision"))
    try await board.done("undo")
    try await board.done("redo")
    try await board.done("undo")
    try await board.done("forget", "c1", "1")
    let before = try board.record
    let dry = try await board.done("clean", "--forget-steps", "--dry-run")
    #expect(dry.contains("a.mp4\n") && dry.contains("cannot be undone any more"), "\(dry)")
    #expect(try names(board, "board.clips") == ["a.mp4", "b.mp4", "c.mp4"])
    let done = try await board.done("clean", "--forget-steps", "--force")
    #expect(done.contains("removed 2 files") && done.contains("cannot be undone any more"), "\(done)")
    #expect(try names(board, "board.clips") == ["b.mp4", "c.mp4"])
    #expect(try board.record.canvases == before.canvases)
    // What is left can all be undone to, and every file that a step needs is there.
    while try await board.run("undo").text.contains("revision") {
      #expect(try await board.run("check").exitStatus == 0)
    }
  }

  @Test("Nothing is removed while a recording is in progress, or while the clips are in use")
  func busy() async throws {
    let board = try await board()
    try board.scratch.copy(Self.fixture, as: "board.clips/orphan.mp4")
    try await board.done("tap", "c2")
    try await board.done("record", "start")
    let locked = try await board.run("clean", "--force")
    #expect(
      locked.exitStatus == 3 && locked.errorOutput.contains("a recording is in progress"),
      "\(locked.errorOutput)"
    )
    try await board.done("record", "discard")
    let folder = try FileDescriptor.open(board.scratch("board.clips"), .readOnly, options: .directory)
    defer { try? folder.close() }
    try #require(flock(folder.rawValue, LOCK_SH) == 0)
    let exporting = try await board.run("clean", "--force")
    #expect(exporting.exitStatus == 3 && exporting.errorOutput.contains("another process is exporting the board"))
    #expect(try names(board, "board.clips").contains("orphan.mp4"))
    // A program that another test has started may have the descriptor, too.
    try #require(flock(folder.rawValue, LOCK_UN) == 0)
    #expect(try await board.run("clean", "--force").exitStatus == 0)
    #expect(try !names(board, "board.clips").contains("orphan.mp4"))
  }

  @Test("Clips outside the folders of the board, links and folders stay")
  func others() async throws {
    let board = try await board()
    let outside = try board.scratch.copy(Self.fixture, as: "mine.mp4")
    try await board.done("clip", "import", "c2", outside.string)
    try await board.done("clip", "remove", "c2")
    let link = board.scratch("board.clips/link.mp4")
    try #require(symlink(outside.string, link.string) == 0)
    try FilePath.makeFolder(board.scratch("board.clips/folder.mp4"))
    // Another name of a file that is needed is needed as well.
    try #require(
      Glibc.link(board.scratch("board.clips/a.mp4").string, board.scratch("board.clips/twin.mp4").string) == 0
    )
    #expect(try await board.done("clean", "--force").contains("nothing to remove"))
    #expect(try names(board, "board.clips").count == 6)
    #expect(try ScratchFolder.read(outside).count > 0)
  }

  @Test("Ten thousand takes and files are listed and cleaned quickly", .enabled(if: Scope.isFull))
  func many() async throws {
    let board = try await TestBoard()
    try FilePath.makeFolder(board.scratch("board.clips"))
    for number in 1...20_000 { try board.scratch.write([0], as: "board.clips/\(number).mp4") }
    let record = try board.bytes
    let takes = (1...10_000).map { number in
      #"{"canvas":"c1","clip":{"path":"board.clips/\#(number).mp4","generation":\#(number)},"cover":{"state":"pending"}}"#
    }
    let text = String(decoding: record, as: UTF8.self)
      .replacing("\"revision\": 0", with: "\"revision\": 10000, \"takes\": [\(takes.joined(separator: ","))]")
      .replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 2")
    try ScratchFolder.write(text.utf8, to: board.path)
    let clock = ContinuousClock()
    var start = clock.now
    #expect(try await board.done("takes").split(separator: "\n").count == 10_000)
    let listing = clock.now - start
    start = clock.now
    #expect(try await board.done("clean", "--force").hasPrefix("removed 10000 files"))
    let cleaning = clock.now - start
    print("10,000 takes: listed in \(listing), cleaned in \(cleaning)")
    // Without optimisation, and beside other tests. A release build is done with either in half a second.
    #expect(listing < .seconds(120) && cleaning < .seconds(120))
    #expect(try names(board, "board.clips").count == 10_000)
  }
}
