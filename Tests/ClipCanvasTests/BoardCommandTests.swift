import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Board commands")
struct BoardCommandTests {
  @Test("Commands report what changed")
  func changed() async throws {
    let board = try await TestBoard(canvases: 2)
    #expect(
      try await board.done("tap", "c1") == """
        revision 1
          c1 isSelected: no → yes
          c1 status: noPreview → inPreview
          session: idle → previewing

        """
    )
    #expect(
      try await board.done("tap", "c2", "--json")
        == #"{"changes":[{"canvas":"c1","key":"isSelected","new":false,"old":true},"#
        + #"{"canvas":"c2","key":"isSelected","new":true,"old":false},"#
        + #"{"canvas":"c1","key":"status","new":"noPreview","old":"inPreview"},"#
        + #"{"canvas":"c2","key":"status","new":"inPreview","old":"noPreview"}],"outcome":"changed","revision":2}"#
        + "\n"
    )
  }

  @Test("The exit status is 0 for done and nothing to do, 3 for refused, each with a reason")
  func outcomes() async throws {
    let board = try await TestBoard()
    let steps: [(command: String, status: Int, words: String)] = [
      ("deselect", 0, "nothing to do: already (already so)\n"),
      ("undo", 0, "nothing to do: nothing (nothing to undo or redo)\n"),
      ("record start", 3, "refused: notPreviewing (no canvas is in preview; tap one first)\n"),
      ("tap c9", 3, "no canvas 'c9'; this board has c1, c2, c3, c4\n"), ("canvas add c1", 3, "refused: canvasExists ("),
      ("canvas move c1 9", 3, "refused: badPosition ("), ("clip remove c1", 0, "nothing to do: already"),
      ("preview c1", 0, "revision 1\n"), ("preview c1", 0, "nothing to do: already"),
      ("stop-preview", 0, "revision 2\n"),
      ("select c2", 0, "revision 3\n"), ("preview c2", 0, "revision 4\n"), ("record start", 0, "revision 5\n"),
      ("tap c1", 0, "nothing to do: locked (a recording is open; stop or discard it first)\n"),
      ("undo", 3, "refused: locked ("), ("canvas remove c1", 3, "refused: locked ("),
      ("record pause", 0, "revision 6\n"),
      ("record resume", 0, "revision 7\n"), ("record stop", 0, "revision 8\n"),
      ("record pause", 3, "refused: finalizing ("),
      ("record fail --reason because", 0, "revision 9\n"), ("record stop", 0, "revision 10\n"),
      ("record discard", 0, "revision 11\n"), ("canvas add", 0, "revision 12\n"),
      ("canvas remove c5", 0, "revision 13\n"),
      ("undo", 0, "revision 14\n"), ("redo", 0, "revision 15\n"), ("redo", 0, "nothing to do: nothing"),
    ]
    for (command, status, words) in steps {
      let (old, result) = (
        try board.bytes,
        try await Program.run("clipcanvas", board.arguments(command.split(separator: " ").map(String.init)))
      )
      #expect(result.exitStatus == status, "\(command): \(result.errorOutput)")
      let told = status == 0 ? result.text : result.errorOutput
      #expect(told.hasPrefix(status == 0 ? words : "clipcanvas: " + words), "\(command): \(told)")
      #expect((status == 0 ? result.errorOutput : result.text).isEmpty)
      #expect((try board.bytes == old) == !words.hasPrefix("revision"), "\(command)")
    }
  }

  @Test(
    "Invalid usage exits with status 64",
    arguments: [
      ["tap"], ["tap", ""], ["tap", "c1", "c2"], ["new", "--canvases", "0"], ["new", "--canvases", "10001"],
      ["new", "--grid", "3"], ["new", "--grid", "0x1"], ["new", "--grid", "101x100"],
      ["new", "--grid", "2x2", "--canvases", "4"],
      ["tap", "c1", "--lock-timeout=-1"], ["tap", "c1", "--lock-timeout=1e300"], ["tap", "c1", "--if-revision=-1"],
      ["canvas", "add", "--region", "0,0,2,1"], ["canvas", "add", "--region", "nan,0,1,1"],
      ["canvas", "move", "c1", "x"],
      ["can", "explode"], ["can", "tap"], ["can", "{"], ["simulate", "--canvases=-1"], ["new", "--lock-timeout=1e300"],
    ]
  )
  func usage(_ arguments: [String]) async throws {
    let board = try await TestBoard()
    let old = try board.bytes
    let named = arguments.first == "simulate" ? arguments : board.arguments(arguments)
    let result = try await Program.run("clipcanvas", named)
    #expect(result.exitStatus == 64, "\(result.errorOutput)")
    #expect(result.text.isEmpty && !result.errorOutput.isEmpty)
    #expect(try board.bytes == old)
  }

  @Test("The board is --board, else CLIPCANVAS_BOARD, else board.json in the working folder")
  func places() async throws {
    let scratch = try ScratchFolder()
    func made(_ arguments: [String], _ environment: [String: String]) async throws {
      let result = try await Program.run(
        "clipcanvas",
        ["board", "new"] + arguments,
        in: scratch.path,
        environment: environment
      )
      #expect(result.exitStatus == 0, "\(result.errorOutput)")
    }
    try await made([], ["CLIPCANVAS_BOARD": ""])
    try await made([], ["CLIPCANVAS_BOARD": "named.json"])
    try await made(["--board", "told.json"], ["CLIPCANVAS_BOARD": "named.json"])
    #expect(try scratch.names().filter { !$0.hasPrefix(".") } == ["board.json", "named.json", "told.json"])
    let again = try await Program.run(
      "clipcanvas",
      ["board", "new"],
      in: scratch.path,
      environment: ["CLIPCANVAS_BOARD": ""]
    )
    #expect(again.exitStatus == 2 && again.errorOutput.contains("already exists; replace it with --force"))
    let forced = try await Program.run(
      "clipcanvas",
      ["board", "new", "--force", "--canvases", "9"],
      in: scratch.path,
      environment: ["CLIPCANVAS_BOARD": ""]
    )
    #expect(forced.exitStatus == 0)
    let nowhere = try await Program.run("clipcanvas", ["board", "new", "--board", "none/board.json"], in: scratch.path)
    #expect(
      nowhere.exitStatus == 2
        && nowhere.errorOutput.contains("cannot open the lock none/.board.json.lock: no such file"),
      "\(nowhere.errorOutput)"
    )
  }

  @Test("Commands work on a thousand canvases")
  func thousand() async throws {
    let board = try await TestBoard(canvases: 1000)
    try await board.done("tap", "c1000")
    try await board.done("canvas", "move", "c1000", "0")
    try await board.done("undo")
    let record = try board.record
    #expect(record.canvases.count == 1000 && record.canvases.last?.isSelected == true && record.revision == 3)
    #expect(try await board.done("next", "--canvas", "c7").contains("tap c7"))
    #expect(try await board.done("check").hasSuffix("revision 3, 1000 canvases, previewing\n"))
  }

  @Test("`can` and `next` report what would happen and change nothing")
  func whatIf() async throws {
    let board = try await TestBoard()
    let old = try board.bytes
    #expect(try await board.done("can", "tap", "c1").hasPrefix("revision 1\n"))
    #expect(
      try await board.done("can", #"{"event":"moveCanvas","canvas":"c1","to":0}"#).hasPrefix("nothing to do: already")
    )
    #expect(try await board.run("can", "recordStart").exitStatus == 3)
    #expect(
      try await board.run("can", "recordStart", "--json").text == #"{"outcome":"refused","reason":"notPreviewing"}"#
        + "\n"
    )
    let next = try await board.done("next", "--canvas", "c1")
    #expect(next.contains("tap c1                  → previewing, 3 changes\n"), "\(next)")
    #expect(next.contains("record start            ✗ notPreviewing: "))
    #expect(
      try await board.done("next", "--json").contains(
        #"{"answer":{"outcome":"noop","reason":"already"},"event":"deselect"}"#
      )
    )
    #expect(try board.bytes == old)
  }

  @Test("`log` lists the newest revision first, and as JSON the oldest first")
  func log() async throws {
    let board = try await TestBoard()
    #expect(try await board.done("log").isEmpty)
    for canvas in ["c1", "c2"] { try await board.done("tap", canvas) }
    try await board.done("undo")
    let lines = try await board.done("log").split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(lines.map { $0.split(separator: " ").first } == ["3", "2", "1"])
    #expect(lines[0].hasSuffix("undo of 2") && lines[1].hasSuffix("tap"))
    let json = try await board.done("log", "--json").split(separator: "\n")
    #expect(json.count == 3 && json[0].contains(#""events":["tap"],"revision":1}"#) && json[2].contains(#""undoes":2"#))
  }
}
