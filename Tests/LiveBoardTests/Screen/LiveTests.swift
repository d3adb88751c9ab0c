import TestHelpers
import TestSupport
import Testing

/// Tests `clipcanvas live` in tmux, with simulated keys.
@Suite(.enabled(if: TmuxScreen.isThere, "tmux is missing: the live board is not tested"), .serialized, .ownThread)
struct LiveTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test(
    "Keys tap, record, pause, resume, stop, discard and undo, and the screen is updated",
    .enabled(if: Scope.isFull)
  )
  func keys() async throws {
    let live = try await folder.newBoard("--grid", "2x2")
    let start = try await live.screen()
    #expect(start.cells == 4 && start.selectedCells == 0)
    #expect(start.cursor == "c1")
    try await live.keys("Right", "Down")
    #expect(try await live.wait("▸c4").cursor == "c4")
    try await live.keys("Enter")
    let preview = try await live.wait("previewing on c4")
    #expect(preview.selectedCells == 1 && preview.text.contains("◉ preview"))
    #expect(preview.text.contains("┏━▸c4"))
    try await live.keys("r")
    try await live.wait("recording on c4")
    // The displayed time advances without input.
    try await live.wait("● REC 0:00 is over") { $0.text.contains("● REC 0:") && !$0.text.contains("● REC 0:00") }
    // The header has the time as well, for a canvas that is out of sight.
    let header = try await live.screen().text.split(separator: "\n").first ?? ""
    #expect(header.contains(/recording on c4 .* 0:[0-9][0-9]/), "\(header)")
    try await live.keys("p")
    try await live.wait("‖ paused 0:")
    try await live.keys("p")
    try await live.wait("● REC 0:")
    try await live.keys("r")
    try await live.wait("… finalizing 0:")
    #expect(try await live.screen().text.contains("record finish --clip"))
    // Discarding takes the same key twice.
    try await live.keys("d")
    try await live.wait("d again discards the recording; any other key keeps it")
    try await live.keys("Right", "Left", "d")
    try await live.wait("d again discards the recording")
    #expect(try await live.screen().text.contains("… finalizing 0:"))
    try await live.keys("d")
    try await live.wait("previewing on c4")
    try await live.keys("u")
    #expect(try await live.wait("idle").selectedCells == 0)
    try await live.keys("U")
    try await live.wait("previewing on c4")
    try await live.keys("n")
    let added = try await live.wait("5 canvases")
    #expect(added.cursor == "c5" && added.cells == 5)
    try await live.keys("q")
    try await live.wait("enter taps") { !$0.text.contains("enter taps") && $0.text.contains("ready>") }
  }

  @Test("A change by another process is shown immediately, and only the changed cells are drawn")
  func otherProcess() async throws {
    let live = try await folder.newBoard("--grid", "3x2")
    try await folder.clipcanvas("tap", "c2")
    #expect(try await live.wait("previewing on c2").counters?.lastDrawn == 1)
    try await folder.clipcanvas("tap", "c5")
    let moved = try await live.wait("previewing on c5")
    #expect(moved.counters?.lastDrawn == 2)
    #expect(moved.selectedCells == 1)
    try await live.keys("u")
    #expect(try await live.wait("previewing on c2").counters?.lastDrawn == 2)
    let before = try await live.screen().counters?.drawn ?? 0
    // A cursor movement draws two cells but does not count as a change of the board.
    try await live.keys("Right")
    #expect(try await live.wait("▸c2").counters?.drawn == before + 2)
    try await folder.clipcanvas("record", "start")
    try await live.wait("● REC")
    try await folder.clipcanvas("record", "discard")
    // A new board in the same file replaces the previous one completely.
    try await folder.clipcanvas("new", "--force", "--grid", "2x1")
    let fresh = try await live.wait("2 canvases")
    #expect(fresh.cells == 2)
    #expect(fresh.counters?.areExact == true)
  }

  @Test(
    "While scrolling through 1000 canvases, only the cells on the screen are registered",
    .enabled(if: Scope.isFull)
  )
  func scrolling() async throws {
    let live = try await folder.newBoard("--canvases", "1000")
    let keys = [
      "NPage", "Down", "Down", "Right", "NPage", "PPage", "End", "Up", "PPage", "Left", "Home", "NPage", "End", "PPage",
    ]
    var seen: Set<String> = []
    for (step, key) in keys.enumerated() {
      let before = try await live.screen().text
      try await live.keys(key)
      let screen = try await live.wait("another screen after \(key)") { $0.text != before }
      let counters = try #require(screen.counters)
      #expect(screen.cells == counters.cells, "step \(step)")
      #expect(counters.areExact, "step \(step)")
      #expect(screen.cells < 40)
      seen.insert(try #require(screen.cursor))
    }
    #expect(seen.contains("c1000") && seen.contains("c1"))
    // Scroll with the mouse wheel.
    try await live.keys("Home")
    try await live.wait("▸c1 ")
    try await live.send("\u{1B}[<65;10;10M\u{1B}[<65;10;10M")
    let scrolled = try await live.wait("9–") { !$0.text.contains("─ c1 ") && !$0.text.contains("▸c1 ") }
    #expect(scrolled.counters?.areExact == true)
    // A change outside the screen draws nothing.
    try await folder.clipcanvas("tap", "c900")
    #expect(try await live.wait("previewing on c900").counters?.lastDrawn == 0)
  }

  @Test("The grid adapts to the terminal's size until no cell fits", .enabled(if: Scope.isFull))
  func resizing() async throws {
    let live = try await folder.newBoard("--grid", "4x3")
    for (columns, rows) in [(60, 20), (140, 50), (33, 12), (100, 30), (20, 9)] {
      try await live.resize(columns: columns, rows: rows)
      let screen = try await live.wait("a grid of \(columns) × \(rows)") { screen in
        // On a narrow screen, the counters are truncated.
        screen.lines.count - 1 == rows && screen.cells > 0
          && screen.counters.map { $0.cells == screen.cells } ?? (columns < 80)
          && screen.text.count { "┐┓".contains($0) } == screen.cells
          && screen.text.count { "└┗".contains($0) } == screen.cells
      }
      #expect(screen.counters?.areExact != false)
    }
    try await live.resize(columns: 12, rows: 5)
    #expect(try await live.wait("too small").cells == 0)
    try await live.resize(columns: 100, rows: 30)
    #expect(try await live.wait("enter taps").cells == 12)
  }

  @Test("A click moves the cursor and taps")
  func clicking() async throws {
    let live = try await folder.newBoard("--grid", "2x2")
    try await live.send("\u{1B}[<0;75;5M\u{1B}[<0;75;5m")
    #expect(try await live.wait("previewing on c2").cursor == "c2")
    // Clicks on the header and message lines are ignored.
    try await live.send("\u{1B}[<0;1;1M\u{1B}[<0;50;30M")
    try await live.send("\u{1B}[<0;10;20M")
    #expect(try await live.wait("previewing on c3").text.contains("revision 2"))
  }

  @Test(
    "The reason for a refused event is shown until the next key, and help can be shown and hidden",
    .enabled(if: Scope.isFull)
  )
  func messages() async throws {
    let live = try await folder.newBoard("--grid", "2x2")
    try await live.keys("r")
    try await live.wait("refused: no canvas is in preview; enter taps the one with the cursor")
    try await live.keys("p")
    try await live.wait("refused: no recording is in progress")
    try await live.keys("u")
    try await live.wait("nothing changed: there is nothing to undo")
    try await live.keys("Enter", "r")
    try await live.wait("recording on c1")
    try await live.keys("Right", "Enter")
    try await live.wait("nothing changed: a recording is in progress; r stops it, d twice discards it")
    try await live.keys("?")
    try await live.wait("this help")
    try await live.keys("?")
    try await live.wait("the whole board") { !$0.text.contains("this help") && $0.cells == 4 }
  }

  @Test(
    "Keys select, move and remove canvases and clips, ask for covers, and the hints follow the state",
    .enabled(if: Scope.isFull)
  )
  func editing() async throws {
    let live = try await folder.newBoard("--grid", "3x1")
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try await folder.clipcanvas("clip", "import", "c1", "a.mp4")
    try await live.keys("s")
    try await live.wait("selected on c1")
    try await live.keys("c")
    try await live.wait("1 cover made")
    try await live.keys(">")
    try await live.keys("x")
    try await live.wait("the clip was removed from the board; its file is kept; u undoes")
    let document = String(decoding: try ScratchFolder.read(folder("board.json")), as: UTF8.self)
    let order = document.matches(of: /"id": "(c\d)"/).map { String($0.output.1) }
    #expect(order == ["c2", "c1", "c3"])
    try await live.keys("X")
    try await live.wait("the canvas was removed; u undoes") { $0.cells == 2 }
    try await live.keys("u", "u")
    try await live.wait("a.mp4")
    try await live.keys("Enter")
    try await live.wait(" r records · enter taps")
    try await live.keys("R")
    try await live.wait(" r stops · p pauses")
    try await live.keys("p")
    try await live.wait(" p resumes · r stops")
  }

  @Test("On a canvas with a clip, the hint names the key that records over it")
  func hintOverClip() async throws {
    let live = try await folder.newBoard("--grid", "2x1")
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try await folder.clipcanvas("clip", "import", "--no-cover", "c1", "a.mp4")
    try await live.wait("a.mp4")
    try await live.keys("Enter")
    try await live.wait(" R records over the clip · enter taps")
  }

  @Test("At 80 columns no hint is cut off, in any state", .enabled(if: Scope.isFull))
  func narrowHints() async throws {
    let live = try await folder.newBoard("--grid", "2x1", columns: 80)
    func hint(_ start: String, _ end: String) async throws {
      let screen = try await live.wait("the whole hint") { $0.text.contains(start) && $0.text.contains(end) }
      let line = screen.text.split(separator: "\n").first { $0.contains(start) } ?? ""
      #expect(line.contains(end) && !line.contains("…"), "\(screen.text)")
    }
    try await hint(" enter taps · i imports", "? help · q quits")
    try await live.keys("Enter")
    try await hint(" r records", "q quits")
    try await live.keys("r")
    try await hint(" r stops · p pauses", "q quits; the recording stays open")
    try await live.keys("p")
    try await hint(" p resumes", "q quits")
    try await live.keys("r")
    // The message gives way to the hint with the next key.
    try await live.wait("the recording has ended; ")
    try await live.keys("Right")
    try await hint(" 'clipcanvas board record finish", "q quits")
  }

  @Test("If the board becomes unreadable, an error and the last state are shown until it can be read again")
  func unreadable() async throws {
    let live = try await folder.newBoard("--grid", "2x2")
    let bytes = try ScratchFolder.read(folder("board.json"))
    try folder.write("{".utf8, as: "board.json")
    try await live.wait("cannot be read")
    // Keys are handled in order, so once the cursor has moved, the tap was refused.
    try await live.keys("Enter", "Right")
    try await live.wait("▸c2")
    #expect(try await live.wait("cannot be read").cells == 4)
    try await live.keys("Left")
    try await live.wait("▸c1")
    try folder.write(bytes, as: "board.json")
    try await live.wait("enter taps")
    try await live.keys("Enter")
    try await live.wait("previewing on c1")
  }

  @Test(
    "A key waits two seconds for another process that locks the board, then an error is shown",
    .enabled(if: Scope.isFull)
  )
  func locked() async throws {
    let live = try await folder.newBoard("--grid", "2x2")
    // flock(1) holds the lock used by the board's writers, from the creation of one file until that of another.
    let holding = "touch held; while [ ! -e enough ]; do sleep 0.05; done"
    let holder = Task { [folder] in
      try await Program.runTool("flock", [".board.json.lock", "sh", "-c", holding], in: folder.path)
    }
    try await folder.wait(forFile: "held")
    try await live.keys("Enter")
    try await live.wait("the board is being changed by another process; try again")
    try folder.write("".utf8, as: "enough")
    _ = try await holder.value
    try await live.keys("Enter")
    try await live.wait("previewing on c1")
  }

  @Test("The header is drawn only when it changes")
  func header() async throws {
    let live = try await folder.newBoard("--grid", "2x2")
    let start = try await live.screen()
    #expect(start.lines[0].hasPrefix(" board.json · revision 0 · idle · 4 canvases"))
    try await live.keys("Right", "p")
    let refused = try await live.wait("refused: no recording is in progress")
    #expect(refused.cursor == "c2" && refused.counters?.headers == start.counters?.headers)
    try await live.keys("Enter")
    let tapped = try await live.wait("previewing on c2")
    #expect(tapped.counters?.headers == start.counters.map { $0.headers + 1 })
  }
}
