import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// `show`, `wait` and `table`, which describe a board to people.
@Suite("show, wait and table", .ownThread)
struct ShowAndWaitTests {
  private func run(_ scratch: ScratchFolder, _ arguments: String..., columns: Int = 80) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["board"] + arguments, in: scratch.path, environment: ["COLUMNS": "\(columns)"])
  }

  private func board(_ scratch: ScratchFolder, grid: String = "2x1", events: [String] = []) async throws {
    #expect(try await run(scratch, "new", "--grid", grid).exitStatus == 0)
    for event in events {
      let lines = try scratch.write(Array(event.utf8), as: "event.ndjson")
      let done = try await Program.runTool(
        "sh",
        ["-c", "exec \(ProjectFolder.program("clipcanvas")) board apply < \(lines)"],
        in: scratch.path
      )
      try #require(done.exitStatus == 0, "\(event): \(done.text)\(done.errorOutput)")
    }
  }

  private static let taken = [
    #"{"event":"importClip","canvas":"c1","clip":{"path":"clips/holiday.mp4"}}"#,
    #"{"event":"tap","canvas":"c2"}"#,
    #"{"event":"recordStart","take":"t","at":100}"#,
    #"{"event":"recordPause","at":165}"#,
  ]

  @Test("`show` draws a box for each canvas, with heavy lines for the selected one", .enabled(if: Scope.isFull))
  func drawing() async throws {
    let scratch = try ScratchFolder()
    try await board(scratch, events: Self.taken)
    #expect(
      try await run(scratch, "show", columns: 50).text == """
        revision 4 · paused on c2 · 2 canvases
        ┌─ c1 ─────────────────┐ ┏━ c2 ━━━━━━━━━━━━━━━━━┓
        │                      │ ┃                      ┃
        │   ▢ cover pending    │ ┃       ‖ paused       ┃
        │     holiday.mp4      │ ┃         1:05         ┃
        │                      │ ┃                      ┃
        └──────────────────────┘ ┗━━━━━━━━━━━━━━━━━━━━━━┛

        """
    )
  }

  @Test(
    "Boards and terminals of extreme sizes are shown",
    .enabled(if: Scope.isFull),
    arguments: [(1e-20, "80"), (1e-300, "80"), (0.5, "0"), (0.5, "65535"), (0.5, "9223372036854775807"), (0.5, "-1")]
  )
  func extremes(_ height: Double, _ columns: String) async throws {
    let scratch = try ScratchFolder()
    #expect(try await run(scratch, "new", "--grid", "1x1").exitStatus == 0)
    for words in [["a", "--region", "0,0,1,0.5"], ["b", "--region", "0,0.5,1,\(height)"]] {
      let added = try await Program.run("clipcanvas", ["board", "canvas", "add"] + words, in: scratch.path)
      #expect(added.exitStatus == 0, "\(added.errorOutput)")
    }
    #expect(try await run(scratch, "canvas", "remove", "c1").exitStatus == 0)
    let shown = try await Program.run(
      "clipcanvas",
      ["board", "show"],
      in: scratch.path,
      environment: ["COLUMNS": columns]
    )
    #expect(shown.exitStatus == 0 && shown.text.contains(" b "), "\(shown.errorOutput)")
  }

  @Test(
    "`show` has colours only on a terminal that has them",
    .enabled(if: Scope.isFull),
    arguments: [
      ("TERM=xterm", true), ("TERM=xterm NO_COLOR=", true), ("TERM=xterm NO_COLOR=1", false), ("TERM=dumb", false),
      ("TERM=", false),
    ]
  )
  func colours(_ environment: String, _ areThere: Bool) async throws {
    let scratch = try ScratchFolder()
    try await board(scratch, events: [#"{"event":"tap","canvas":"c2"}"#])
    let command = "env -u NO_COLOR \(environment) '\(ProjectFolder.program("clipcanvas"))' board show"
    let shown = try await Program.runTool("script", ["-qec", command, "/dev/null"], in: scratch.path)
    #expect(shown.exitStatus == 0 && shown.text.contains("\u{1B}[31m") == areThere, "\(shown.text)")
  }

  @Test("`show` draws a layout that is not a grid, with the proportions of its regions")
  func layout() async throws {
    let scratch = try ScratchFolder()
    #expect(try await run(scratch, "new", "--layout", "one-left-two-right").exitStatus == 0)
    #expect(
      try await run(scratch, "show", columns: 40).text == """
        revision 0 · idle · 3 canvases
        ┌─ c1 ────────────┐ ┌─ c2 ────────────┐
        │                 │ │                 │
        │                 │ │        +        │
        │                 │ │                 │
        │                 │ │                 │
        │        +        │ └─────────────────┘
        │                 │ ┌─ c3 ────────────┐
        │                 │ │                 │
        │                 │ │        +        │
        │                 │ │                 │
        │                 │ │                 │
        └─────────────────┘ └─────────────────┘

        """
    )
  }

  @Test("A canvas keeps its place in `show` when it moves in the order, and none is drawn over another")
  func places() async throws {
    let scratch = try ScratchFolder()
    try await board(scratch, grid: "2x1", events: [#"{"event":"moveCanvas","canvas":"c2","to":0}"#])
    #expect(try await run(scratch, "show").text.contains("┌─ c1 ───────────────────────┐ ┌─ c2 ──"))
    // The whole board, over the others.
    #expect(try await run(scratch, "canvas", "add", "--region", "0,0,1,1").exitStatus == 0)
    let shown = try await run(scratch, "show").text
    #expect(["c1", "c2", "c3"].allSatisfy { shown.contains("┌─ \($0) ─") }, "\(shown)")
  }

  @Test("`show` prints a table on a narrow terminal", .enabled(if: Scope.isFull))
  func table() async throws {
    let scratch = try ScratchFolder()
    try await board(scratch, events: Self.taken)
    #expect(
      try await run(scratch, "show", columns: 30).text == """
        revision 4 · paused on c2 · 2 canvases
         c1  ▢ cover pending  holiday.mp4
        ▌c2  ‖ paused  1:05

        """
    )
  }

  @Test("Every line of a drawing has the same width, whatever the names of the clips", .enabled(if: Scope.isFull))
  func widths() async throws {
    let scratch = try ScratchFolder()
    let names = [
      "a.mp4", "日本語の長い長い長い名前です.mp4", "e\\u0301e\\u0301.mp4", "\\u001b[31mred.mp4",
      "very-long-name-of-a-clip-that-is-cut.mp4",
    ]
    try await board(
      scratch,
      grid: "3x2",
      events: names.enumerated().map { number, name in
        #"{"event":"importClip","canvas":"c\#(number + 1)","clip":{"path":"\#(name)"}}"#
      }
    )
    let shown = try await run(scratch, "show").text
    // Python counts the columns, independently of the program.
    let count = """
      import sys, unicodedata
      for line in sys.argv[1].splitlines()[1:]:
        print(sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line))
      """
    let widths = try await Program.runTool("python3", ["-c", count, shown]).text.split(separator: "\n")
    #expect(widths.count == 12)
    #expect(Set(widths).count == 1, "\(shown)")
    #expect(!shown.contains("\u{1B}"))
  }

  @Test("`show --json` contains the clips and what every canvas shows")
  func json() async throws {
    let scratch = try ScratchFolder()
    try await board(scratch, events: Self.taken)
    let shown = try scratch.write(try await run(scratch, "show", "--json").output, as: "shown.json")
    let picked = try await Program.runTool(
      "python3",
      [
        "-c",
        """
        import json, sys
        board = json.load(open(sys.argv[1]))
        print(board["revision"], board["session"], board["focus"], board["take"]["id"])
        for canvas in board["canvases"]:
          print(canvas["id"], canvas["shows"], canvas["status"], canvas["clip"] and canvas["clip"]["path"])
        """,
        shown.string,
      ]
    )
    #expect(picked.text == "4 paused c2 t\nc1 coverPending noPreview clips/holiday.mp4\nc2 take recording None\n")
  }

  @Test("`wait` ends when its conditions hold, immediately if they already do", .enabled(if: Scope.isFull))
  func waiting() async throws {
    let scratch = try ScratchFolder()
    try await board(scratch)
    #expect(try await run(scratch, "wait", "--for", "session=idle", "--for", "revision=0").exitStatus == 0)
    let waiting = try RunningProgram(
      "clipcanvas",
      ["board", "wait", "--for", "c2.status=inPreview", "--for", "revision>=2"],
      scratch: scratch
    )
    #expect(try await run(scratch, "tap", "c1").exitStatus == 0)
    try await pause(.milliseconds(50))
    #expect(!waiting.hasEnded)
    #expect(try await run(scratch, "tap", "c2").exitStatus == 0)
    #expect(try await waiting.end(within: .seconds(30)).exitStatus == 0)
  }

  @Test("`wait` knows unequal values and several conditions; a missing canvas meets none")
  func conditions() async throws {
    let scratch = try ScratchFolder()
    try await board(scratch)
    for (conditions, status) in [
      ("session!=recording,c1.status=noPreview", 0), ("session!=idle", 2), ("focus!=c1,revision!=7,c2.shows!=cover", 0),
      ("session=idle,focus!=none", 2), ("c9.status!=recording", 2), ("c1.isSelected!=true", 0), ("c1.status=!x", 64),
      ("session!=", 64), ("session=idle,", 64), ("!=idle", 64),
    ] {
      let result = try await run(scratch, "wait", "--for", conditions, "--timeout", "0")
      #expect(result.exitStatus == status, "\(conditions)")
    }
  }

  @Test("`wait` waits for a board that does not exist yet")
  func waitingForBoard() async throws {
    let scratch = try ScratchFolder()
    let waiting = try RunningProgram("clipcanvas", ["board", "wait", "--for", "session=idle"], scratch: scratch)
    try await pause(.milliseconds(50))
    #expect(!waiting.hasEnded)
    try await board(scratch)
    let result = try await waiting.end(within: .seconds(30))
    #expect(result.exitStatus == 0)
    #expect(result.errorOutput == "clipcanvas: the board board.json does not exist; waiting for it\n")
  }

  @Test("`wait` exits with status 2 after its timeout and reports the unmet condition")
  func inVain() async throws {
    let scratch = try ScratchFolder()
    try await board(scratch)
    let result = try await run(scratch, "wait", "--for", "c1.cover=ready", "--timeout", "0.1")
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput == "clipcanvas: timed out after 0.1 s: c1.cover=ready was not met\n")
  }

  @Test(
    "A condition that can never hold is invalid usage",
    arguments: [
      "c1", "c1.status", "c1.status=off", "session=off", ".status=recording", "revision=x", "status=recording",
    ]
  )
  func noCondition(_ condition: String) async throws {
    let scratch = try ScratchFolder()
    #expect(try await run(scratch, "wait", "--for", condition).exitStatus == 64)
  }

  @Test(
    "The message about an invalid condition names the word that is wrong, and those that are right",
    .enabled(if: Scope.isFull),
    arguments: [
      ("c1.status=rec", "'rec' is not a status: use noPreview, inPreview or recording"),
      ("session=off", "'off' is not a session: use idle, selected, previewing, recording, paused or finalizing"),
      ("c1.isSelected=yes", "'yes' is not a value of isSelected: use true or false"),
      ("c1.cover!=no", "'no' is not a value of cover: use none, pending, ready or failed"),
      ("c1.size=3", "'size' is not a key of a canvas: use isSelected, status, shows or cover"),
      ("size=3", "'size' is not a key of a board: use session, focus or revision"),
      ("status=recording", "'status' is a key of a canvas: write the canvas before it, such as c2.status=recording"),
      ("revision>=x", "'x' is not a revision: use a number, such as 7"),
      ("focus=", "the value of focus is empty: use a canvas, such as c1, or none"),
      (
        "idle",
        "'idle' is not a condition: use a key, '=' or '!=', and a value, such as session=idle or c2.status=recording"
      ),
    ]
  )
  func wrongCondition(_ condition: String, _ message: String) async throws {
    let scratch = try ScratchFolder()
    let result = try await run(scratch, "wait", "--for", condition)
    #expect(result.errorOutput.hasPrefix("clipcanvas: \(message)\n"), "\(result.errorOutput)")
  }

  @Test("`table` prints the state machine in three formats")
  func machineTable() async throws {
    let scratch = try ScratchFolder()
    let text = try await run(scratch, "table").text
    #expect(text.contains("recording   noop locked            tap (another)\n"))
    #expect(try await run(scratch, "table", "--dot").text.hasPrefix("digraph board {\n"))
    let rows = try await run(scratch, "table", "--markdown").text.split(separator: "\n")
    #expect(rows.first == "| event | idle | selected | previewing | recording | paused | finalizing |")
    #expect(rows.allSatisfy { $0.filter { $0 == "|" }.count == 8 })
  }
}
