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
          c1 selected
          c1 preview started
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

  @Test("The exit status is 0 for done and nothing changed, 3 for refused, each with a reason")
  func outcomes() async throws {
    let board = try await TestBoard()
    let steps: [(command: String, status: Int, words: String)] = [
      ("deselect", 0, "nothing changed: no canvas is selected\n"),
      ("undo", 0, "nothing changed: there is nothing to undo\n"),
      ("record start", 3, "refused: no canvas is in preview; tap one first\n"),
      ("tap c9", 3, "no canvas 'c9'; this board has c1, c2, c3, c4\n"),
      ("canvas add c1", 3, "refused: a canvas with that name already exists"),
      ("canvas move c1 9", 3, "refused: position 9 does not exist; use 0 to 3\n"),
      ("clip remove c1", 0, "nothing changed: the canvas has no clip\n"),
      ("preview c1", 0, "revision 1\n"), ("preview c1", 0, "nothing changed: the canvas is already in preview\n"),
      ("stop-preview", 0, "revision 2\n"),
      ("select c2", 0, "revision 3\n"), ("preview c2", 0, "revision 4\n"), ("record start", 0, "revision 5\n"),
      ("tap c1", 0, "nothing changed: a recording is in progress; finish or discard it first\n"),
      ("undo", 3, "refused: a recording is in progress;"),
      ("canvas remove c1", 3, "refused: a recording is in progress;"),
      ("record pause", 0, "revision 6\n"),
      ("record resume", 0, "revision 7\n"), ("record stop", 0, "revision 8\n"),
      ("record pause", 3, "refused: the recording has ended and awaits its clip;"),
      ("record fail --reason because", 0, "revision 9\n"), ("record stop", 0, "revision 10\n"),
      ("record discard", 0, "revision 11\n"), ("canvas add", 0, "revision 12\n"),
      ("canvas remove c5", 0, "revision 13\n"),
      ("undo", 0, "revision 14\n"), ("redo", 0, "revision 15\n"),
      ("redo", 0, "nothing changed: there is nothing to redo\n"),
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
    .enabled(if: Scope.isFull),
    arguments: [
      ["tap"], ["tap", ""], ["tap", "c1", "c2"], ["new", "--canvases", "0"], ["new", "--canvases", "10001"],
      ["new", "--grid", "3"], ["new", "--grid", "0x1"], ["new", "--grid", "101x100"],
      ["new", "--grid", "2x2", "--canvases", "4"],
      ["tap", "c1", "--lock-timeout=-1"], ["tap", "c1", "--lock-timeout=1e300"], ["tap", "c1", "--if-revision=-1"],
      ["canvas", "add", "--region", "0,0,2,1"], ["canvas", "add", "--region", "nan,0,1,1"],
      ["canvas", "move", "c1", "x"],
      ["can", "explode"], ["can", "tap"], ["can", "{"], ["simulate", "--canvases=-1"], ["new", "--lock-timeout=1e300"],
      ["record", "finish", "--clip", "http://a/b.mp4"], ["record", "stop", "--clip", "http://a/b.mp4"],
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
        && nowhere.errorOutput
          == "clipcanvas: cannot create the board none/board.json: there is no folder none; create it first\n",
      "\(nowhere.errorOutput)"
    )
    // Nobody can make files there.
    let refused = try await Program.run("clipcanvas", ["board", "new", "--board", "/sys/board.json"], in: scratch.path)
    #expect(refused.exitStatus == 2)
    #expect(
      refused.errorOutput.hasPrefix("clipcanvas: cannot create the board /sys/board.json: cannot open the lock /sys/"),
      "\(refused.errorOutput)"
    )
    #expect(refused.errorOutput.hasSuffix("; specify another place with --board\n"), "\(refused.errorOutput)")
  }

  @Test("Commands work on a thousand canvases", .enabled(if: Scope.isFull))
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

  @Test("`can` and `next` report what would happen and change nothing", .enabled(if: Scope.isFull))
  func whatIf() async throws {
    let board = try await TestBoard()
    let old = try board.bytes
    #expect(
      try await board.done("can", "tap", "c1").hasPrefix(
        "would become revision 1\n  c1 selected\n  c1 preview started\n"
      )
    )
    #expect(
      try await board.done("can", #"{"event":"moveCanvas","canvas":"c1","to":0}"#)
        .hasPrefix("would change nothing: the canvas is already in that position\n")
    )
    #expect(try await board.done("can", "canvas", "move", "c1", "2").hasSuffix("  c1 position: 0 → 2\n"))
    let answers = [
      try await board.run("can", "canvas", "add", "none"), try await board.run("canvas", "add", "none"),
    ]
    #expect(answers.allSatisfy { $0.exitStatus == 64 && $0.errorOutput.contains("'none' is not a canvas name") })
    #expect(try await board.run("can", "{").errorOutput.contains("'{' is not an event: "))
    let refused = try await board.run("can", "record", "start")
    #expect(refused.exitStatus == 3 && refused.errorOutput.contains("would be refused: no canvas is in preview;"))
    #expect(
      try await board.run("can", "recordStart", "--json").text == #"{"outcome":"refused","reason":"notPreviewing"}"#
        + "\n"
    )
    let next = try await board.done("next", "--canvas", "c1")
    #expect(next.contains(/tap c1 +→ previewing, 3 changes\n/), "\(next)")
    let lines: [Substring] = next.split(separator: "\n")
    let columns = lines.map { line in line.prefix { $0 != "→" }.count }
    #expect(Set(columns).count == 1 && columns.count > 4, "\(next)")
    #expect(!next.contains("✗") && !next.contains("·") && !next.contains("record start"))
    let all = try await board.done("next", "--all", "--canvas", "c1")
    #expect(
      all.contains(#/record start +✗ no canvas is in preview; /#)
        && all.contains(#/cover c1 --retry +✗ the canvas has no clip\n/#)
    )
    // Canvases with the same result share a line, so that all of a new board fits a small screen.
    let whole = try await board.done("next").split(separator: "\n")
    #expect(
      whole.count == 7 && whole[0].wholeMatch(of: /tap c1 +→ previewing, 3 changes; also c2, c3, c4/) != nil,
      "\(whole)"
    )
    let unknown = try await board.run("next", "--canvas", "zz")
    #expect(unknown.exitStatus == 3 && unknown.errorOutput.contains("no canvas 'zz'"), "\(unknown.errorOutput)")
    #expect(!(try await board.done("next", "--json")).contains("noop"))
    #expect(
      try await board.done("next", "--json", "--all").contains(
        #"{"answer":{"outcome":"noop","reason":"already"},"command":"deselect","event":"deselect"}"#
      )
    )
    #expect(try board.bytes == old)
  }

  @Test(
    "`next` reports the same for each canvas as for that canvas alone",
    .enabled(if: Scope.isFull),
    arguments: [[], ["tap c2"], ["tap c3", "record start --replace"]]
  )
  func everyCanvas(_ commands: [String]) async throws {
    let board = try await TestBoard(canvases: 6)
    let clip = ProjectFolder.fixture("h264.mp4").string
    for canvas in ["c2", "c3", "c4", "c5"] {
      try await board.done("clip", "import", canvas, clip, "--no-cover")
      let generation = try #require(try board.record.canvases.first { $0.id == canvas }?.clip?.generation)
      let answer = ["c3": #""coverReady","cover":{"path":"a.png"}"#, "c4": #""coverFailed","reason":"none""#][canvas]
      guard let answer else { continue }
      let event = #"{"canvas":"\#(canvas)","generation":\#(generation),"event":\#(answer)}"#
      #expect(try await board.send(event + "\n", to: "apply").exitStatus == 0)
    }
    for command in commands {
      let words = board.arguments(command.split(separator: " ").map(String.init))
      #expect(try await Program.run("clipcanvas", words).exitStatus == 0)
    }
    var shared: [String: Set<String>] = [:]
    for line in lines(of: try await board.done("next", "--all")) {
      let parts = line.split(separator: "; also ")
      let words = parts[0].split(separator: /\s+/).map(String.init)
      guard let named = words.first(where: { $0.contains(/^c\d$/) }) else { continue }
      let others = parts.count > 1 ? parts[1].split(separator: ", ").map(String.init) : []
      for canvas in [named] + others {
        let said = words.map { $0 == named ? "@" : $0 }.joined(separator: " ")
        #expect(shared[canvas, default: []].insert(said).inserted)
      }
    }
    #expect(shared.count == 6)
    for (canvas, said) in shared {
      let alone = lines(of: try await board.done("next", "--all", "--canvas", canvas))
        .map { $0.split(separator: /\s+/).map { $0 == canvas ? "@" : $0 } }
        .filter { $0.contains("@") }.map { $0.joined(separator: " ") }
      #expect(said == Set(alone), "\(canvas)")
    }
  }

  @Test(
    "Each command that `next` prints has the printed effect",
    .enabled(if: Scope.isFull),
    arguments: ["tap c1", "record start --take t1"]
  )
  func typed(_ before: String) async throws {
    let board = try await TestBoard(canvases: 2)
    let old = try board.scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "old.mp4").string
    try await board.done("clip", "import", "c2", old, "--no-cover")
    try await board.done("clip", "import", "c2", ProjectFolder.fixture("h264.mp4").string, "--no-cover", "--replace")
    try await board.done("tap", "c1")
    if before != "tap c1" { try await board.done("record", "start", "--take", "t1") }
    let lines = try await board.done("next").split(separator: "\n")
    #expect(lines.count >= 4 && lines.contains { $0.contains(/^cover c2 +→/) })
    let bytes = try board.bytes
    for line in lines {
      let command = String(line.prefix { $0 != "→" })
        .replacing("<file>", with: ProjectFolder.fixture("h264.mp4").string).replacing("<time>", with: "0.1")
      let words = command.split(separator: " ").map(String.init) + ["--if-revision", "\(try board.record.revision)"]
      let shown = try await Program.run("clipcanvas", board.arguments(["can"] + words))
      #expect(try board.bytes == bytes)
      let result = try await Program.run("clipcanvas", board.arguments(words))
      // Covers are made by some commands; whether they can be is another question.
      #expect(result.exitStatus == 0 && result.text.hasPrefix("revision "), "\(command): \(result.errorOutput)")
      // Covers are made after that, and segments last a moment.
      let wanted = self.lines(of: shown.text)
      let found = self.lines(of: result.text).prefix(wanted.count)
      let isSame = command.hasPrefix("cover c2 ") ? wanted == ["would make the cover of c2"] : Array(found) == wanted
      #expect(shown.exitStatus == 0 && isSame, "\(shown.text)\(shown.errorOutput)")
      try ScratchFolder.write(bytes, to: board.path)
    }
  }

  /// Returns the lines of an outcome without the words of a dry run, and without durations.
  private func lines(of text: String) -> [String] {
    text.replacing("would become ", with: "").replacing(#/after [0-9.]+ s/#, with: "after")
      .split(separator: "\n").map(String.init)
  }

  @Test("`can` takes the arguments and options of each command, and changes nothing", .enabled(if: Scope.isFull))
  func dryRun() async throws {
    let board = try await TestBoard()
    let clip = ProjectFolder.fixture("h264.mp4").string
    for canvas in ["c1", "c2"] { try await board.done("tap", canvas) }
    try await board.done("clip", "import", "c3", clip, "--no-cover")
    let bytes = try board.bytes
    for command in [
      ["undo", "2"], ["undo", "--to", "1"], ["redo", "3"], ["canvas", "add"],
      ["canvas", "add", "x", "--region", "0,0,1,1"],
      ["canvas", "move", "c1", "3"], ["canvas", "move", "c1"], ["record", "start"],
      ["record", "start", "--take", "t9"], ["record", "fail"], ["record", "stop", "--clip", clip],
      ["record", "finish", "--segments", clip, clip], ["record", "recover"],
      ["clip", "import", "c1", clip, "--no-cover"],
      ["clip", "import", "c3", clip], ["clip", "import", "c1", "missing.mp4"], ["tap", "zz"], ["tap"],
      ["tap", "c1", "--if-revision", "1"], ["cover", "--if-revision", "1"], ["cover", "c3", "--retry"],
      ["cover", "c1"], ["record", "finish", "--segments", "missing.mkv"],
      ["record", "fail", "--take", "-t", "--reason", "-x"], ["clip", "import", "--", "c1", "-missing.mp4"],
    ] {
      let shown = try await Program.run("clipcanvas", board.arguments(["can"] + command))
      #expect(try board.bytes == bytes, "\(command)")
      let real = try await Program.run("clipcanvas", board.arguments(command))
      #expect(shown.exitStatus == real.exitStatus, "\(command): \(shown)")
      let expected = lines(of: real.text.replacing("nothing changed:", with: "would change nothing:"))
      let wanted = command.prefix(2) == ["cover", "c3"] ? ["would make the cover of c3"] : expected
      #expect(lines(of: shown.text) == Array(wanted), "\(command): \(real)")
      #expect(shown.errorOutput.replacing("would be refused", with: "refused") == real.errorOutput, "\(command)")
      try ScratchFolder.write(bytes, to: board.path)
    }
    let answer = #"{"changes":[],"outcome":"changed","revision":4}"#
    #expect(try await board.run("can", "cover", "--json").text == answer + "\n")
  }

  @Test("Several steps are undone and redone, all or none, or up to a revision", .enabled(if: Scope.isFull))
  func steps() async throws {
    let board = try await TestBoard()
    for canvas in ["c1", "c2", "c3"] { try await board.done("tap", canvas) }
    #expect(try await board.done("undo", "2").hasPrefix("revision 5\n  c3 deselected\n"))
    #expect(try board.record.canvases[0].status == "inPreview")
    let many = try await board.run("undo", "2")
    #expect(
      many.exitStatus == 3 && many.errorOutput == "clipcanvas: refused: only 1 step can be undone\n",
      "\(many.errorOutput)"
    )
    #expect(try await board.run("redo", "3").errorOutput == "clipcanvas: refused: only 2 steps can be redone\n")
    #expect(
      try await board.run("can", "undo", "2").errorOutput.hasSuffix("would be refused: only 1 step can be undone\n")
    )
    try await board.done("redo", "2")
    #expect(try board.record.canvases[2].status == "inPreview")
    try await board.done("undo", "--to", "1")
    #expect(try board.record.canvases[0].status == "inPreview")
    #expect(try await board.done("undo", "--to", "1").hasPrefix("nothing changed: the board is as it was then\n"))
    #expect(try await board.run("undo", "--to", "99").errorOutput.contains("refused: undo cannot reach that revision"))
    for wrong in [["undo", "0"], ["undo", "1", "--to", "1"], ["redo", "x"]] {
      #expect(try await Program.run("clipcanvas", board.arguments(wrong)).exitStatus == 64)
    }
  }

  @Test("`log` shows the arguments of events, and can be shortened")
  func logOptions() async throws {
    let board = try await TestBoard()
    try await board.done("tap", "c2")
    try await board.done("canvas", "move", "c3", "0")
    try await board.done("record", "start", "--take", "t1")
    try await board.done("record", "pause")
    let log = try await board.run("log", environment: ["TZ": "UTC-2"]).text.split(separator: "\n").map(String.init)
    #expect(log[0].hasPrefix("4  20") && log[0].hasSuffix(" +0200  record pause"), "\(log[0])")
    #expect(log[1].hasPrefix("    take t1: segment 1 ended after ") && log[1].hasSuffix(" s"), "\(log[1])")
    #expect(log.contains("    c3 position: 2 → 0"))
    let short = try await board.done("log", "--oneline", "-n", "3").split(separator: "\n")
    #expect(
      short.map { $0.split(separator: " ", maxSplits: 4)[4].drop { $0 == " " } } == [
        "record pause", "record start --take t1", "canvas move c3 0",
      ]
    )
    #expect(try await board.done("log", "--json", "-n", "1").contains(#""sent":[{"event":"recordPause"}]"#))
    #expect(try await board.run("log", "--json", "--oneline").exitStatus == 64)
  }

  @Test("Commands that read print JSON as well", .enabled(if: Scope.isFull))
  func json() async throws {
    let board = try await TestBoard()
    #expect(
      try await board.done("check", "--json").hasSuffix(
        #""canvases":4,"problems":[],"revision":0,"schemaVersion":1,"session":"idle"}"# + "\n"
      )
    )
    #expect(
      try await board.done("wait", "--for", "session=idle", "--json") == #"{"outcome":"met","revision":0}"# + "\n"
    )
    let late = try await board.run("wait", "--for", "c1.status!=noPreview", "--timeout", "0", "--json")
    #expect(late.exitStatus == 2 && late.text == #"{"outcome":"timeout","revision":0}"# + "\n")
    let table = try await Program.run("clipcanvas", ["board", "table", "--json"]).text.split(separator: "\n")
    #expect(
      table[0]
        == #"{"after":"previewing","event":"tap","outcome":"changed","session":"selected","variant":"(the focus)"}"#
    )
    #expect(try await board.done("repair", "--json") == #"{"outcome":"noop","reason":"already"}"# + "\n")
    #expect(
      try await board.done("new", "--force", "--json", "--grid", "2x1", "--cover-size", "64").hasSuffix(
        #""canvases":2,"coverSize":64}"# + "\n"
      )
    )
    #expect(try await board.done("show", "--json").contains(#""coverSize":64,"#))
  }

  @Test("A canvas is added in a free place or a new grid, and invalid names are rejected", .enabled(if: Scope.isFull))
  func adding() async throws {
    let board = try await TestBoard()
    try await board.done("canvas", "remove", "c2")
    #expect(try await board.done("canvas", "add").contains("region: none → 0.5 × 0.5 at 0.5, 0.0\n"))
    let wide = try await board.done("canvas", "add", "wide")
    #expect(wide.contains("  wide region: none → 0.333 × 0.5 at 0.333, 0.5\n"), "\(wide)")
    // What happened to the others is one line.
    #expect(wide.contains("\n  4 canvases form a new grid\n") && wide.matches(of: /region:/).count == 1)
    #expect(try await board.done("show", "--json").contains(#""x":0.3333333333333333"#))
    for name in ["none", "a b", "é", String(repeating: "x", count: 65)] {
      let result = try await board.run("canvas", "add", name)
      #expect(result.exitStatus == 64 && result.errorOutput.contains("letters, digits, '-' and '_'"))
    }
  }

  @Test("`log` lists the newest revision first, as text and as JSON")
  func log() async throws {
    let board = try await TestBoard()
    #expect(try await board.done("log").isEmpty)
    for canvas in ["c1", "c2"] { try await board.done("tap", canvas) }
    try await board.done("undo")
    let lines = try await board.done("log").split(separator: "\n").filter { !$0.hasPrefix(" ") }
    #expect(lines.map { $0.split(separator: " ").first } == ["3", "2", "1"])
    #expect(lines[0].hasSuffix("undo of 2") && lines[1].hasSuffix("tap c2"))
    let json = try await board.done("log", "--json").split(separator: "\n")
    #expect(json.count == 3 && json[2].contains(#""events":["tap"],"revision":1,"#) && json[0].contains(#""undoes":2"#))
  }
}
