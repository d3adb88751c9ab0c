import Glibc
import SystemPackage
import TestSupport
import Testing

/// What `clipcanvas live` shows and does, driven by keys in tmux.
@Suite(.enabled(if: TmuxScreen.isThere, "tmux is missing: the live board is not tested"), .serialized)
struct LiveTests {
  /// What a cell observes: six keys of its canvas.
  private static let registrationsPerCell = 6

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func clipcanvas(_ arguments: String...) async throws {
    let result = try await Program.run("clipcanvas", arguments, in: folder.path, environment: ["CLIPCANVAS_BOARD": ""])
    #expect(result.exitStatus == 0, "\(arguments): \(result.errorOutput)")
  }

  private func newBoard(_ options: String..., columns: Int = 100, rows: Int = 30) async throws -> TmuxScreen {
    let result = try await Program.run("clipcanvas", ["new"] + options, in: folder.path)
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    return try await TmuxScreen(folder, columns: columns, rows: rows)
  }

  @Test("Keys tap, record, pause, go on, stop, discard and undo, and the screen follows")
  func keys() async throws {
    let live = try await newBoard("--grid", "2x2")
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
    // The time goes on by itself.
    try await live.wait("● REC 0:00 is over") { $0.text.contains("● REC 0:") && !$0.text.contains("● REC 0:00") }
    try await live.keys("p")
    try await live.wait("‖ paused 0:")
    try await live.keys("p")
    try await live.wait("● REC 0:")
    try await live.keys("r")
    try await live.wait("… finishing 0:")
    #expect(try await live.screen().text.contains("record finish --clip"))
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

  @Test("What another process does is seen at once, and only the cells that changed are drawn")
  func otherProcess() async throws {
    let live = try await newBoard("--grid", "3x2")
    try await clipcanvas("tap", "c2")
    #expect(try await live.wait("previewing on c2").counters?.lastDrawn == 1)
    try await clipcanvas("tap", "c5")
    let moved = try await live.wait("previewing on c5")
    #expect(moved.counters?.lastDrawn == 2)
    #expect(moved.selectedCells == 1)
    try await live.keys("u")
    #expect(try await live.wait("previewing on c2").counters?.lastDrawn == 2)
    let before = try await live.screen().counters?.drawn ?? 0
    // The cursor is no change of the board: two cells, and nothing of it is told of the board.
    try await live.keys("Right")
    #expect(try await live.wait("▸c2").counters?.drawn == before + 2)
    try await clipcanvas("record", "start")
    try await live.wait("● REC")
    try await clipcanvas("record", "discard")
    // A board made anew has nothing to do with the one before.
    try await clipcanvas("new", "--force", "--grid", "2x1")
    let fresh = try await live.wait("2 canvases")
    #expect(fresh.cells == 2)
    #expect(fresh.counters?.registrations == 2 * Self.registrationsPerCell)
  }

  @Test("Scrolling over 1 000 canvases, the cells registered are the cells on the screen at every step")
  func scrolling() async throws {
    let live = try await newBoard("--canvases", "1000")
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
      #expect(counters.registrations == counters.cells * Self.registrationsPerCell, "step \(step)")
      #expect(screen.cells < 40)
      seen.insert(try #require(screen.cursor))
    }
    #expect(seen.contains("c1000") && seen.contains("c1"))
    // The wheel.
    try await live.keys("Home")
    try await live.wait("▸c1 ")
    try await live.send("\u{1B}[<65;10;10M\u{1B}[<65;10;10M")
    let scrolled = try await live.wait("9–") { !$0.text.contains("─ c1 ") && !$0.text.contains("▸c1 ") }
    #expect(scrolled.counters.map { $0.registrations == scrolled.cells * Self.registrationsPerCell } == true)
    // What is out of sight changes, and nothing is drawn.
    try await clipcanvas("tap", "c900")
    #expect(try await live.wait("previewing on c900").counters?.lastDrawn == 0)
  }

  @Test("Another size of the terminal gives another grid that fits, down to none")
  func resizing() async throws {
    let live = try await newBoard("--grid", "4x3")
    for (columns, rows) in [(60, 20), (140, 50), (33, 12), (100, 30), (20, 9)] {
      try await live.resize(columns: columns, rows: rows)
      let screen = try await live.wait("a grid of \(columns) × \(rows)") { screen in
        // On a narrow screen the counters are cut off.
        screen.lines.count - 1 == rows && screen.cells > 0
          && screen.counters.map { $0.cells == screen.cells } ?? (columns < 70)
          && screen.text.count { "┐┓".contains($0) } == screen.cells
          && screen.text.count { "└┗".contains($0) } == screen.cells
      }
      let registrations = screen.counters?.registrations
      #expect(registrations == nil || registrations == screen.cells * Self.registrationsPerCell)
    }
    try await live.resize(columns: 12, rows: 5)
    #expect(try await live.wait("too small").cells == 0)
    try await live.resize(columns: 100, rows: 30)
    #expect(try await live.wait("enter taps").cells == 12)
  }

  @Test("A click moves the cursor and taps")
  func clicking() async throws {
    let live = try await newBoard("--grid", "2x2")
    try await live.send("\u{1B}[<0;75;5M\u{1B}[<0;75;5m")
    #expect(try await live.wait("previewing on c2").cursor == "c2")
    // Between head line and messages only.
    try await live.send("\u{1B}[<0;1;1M\u{1B}[<0;50;30M")
    try await live.send("\u{1B}[<0;10;20M")
    #expect(try await live.wait("previewing on c3").text.contains("revision 2"))
  }

  @Test("Refused events are told with their reason, until the next key; help covers the board and goes again")
  func messages() async throws {
    let live = try await newBoard("--grid", "2x2")
    try await live.keys("r")
    try await live.wait("refused: notPreviewing (no canvas is in preview; enter taps the one with the cursor)")
    try await live.keys("p")
    try await live.wait("refused: notRecording (no recording is open)")
    try await live.keys("u")
    try await live.wait("nothing to do: nothing")
    try await live.keys("Enter", "r")
    try await live.wait("recording on c1")
    try await live.keys("Right", "Enter")
    try await live.wait("nothing to do: locked (a recording is open; r stops it, d discards it)")
    try await live.keys("?")
    try await live.wait("this help")
    try await live.keys("?")
    try await live.wait("the whole board") { !$0.text.contains("this help") && $0.cells == 4 }
  }

  @Test("A board that cannot be read is told, and comes back when it can be; its last state stays on the screen")
  func unreadable() async throws {
    let live = try await newBoard("--grid", "2x2")
    let bytes = try ScratchFolder.read(folder("board.json"))
    try folder.write("{".utf8, as: "board.json")
    try await live.wait("cannot be read")
    try await live.keys("Enter")
    #expect(try await live.wait("cannot be read").cells == 4)
    try folder.write(bytes, as: "board.json")
    try await live.wait("enter taps")
    try await live.keys("Enter")
    try await live.wait("previewing on c1")
  }

  @Test("A key waits two seconds for somebody else who changes the board, and then tells who it is")
  func locked() async throws {
    let live = try await newBoard("--grid", "2x2")
    // flock(1) holds the same lock as the board's writers, from one file's coming to another's.
    let holding = "touch held; while [ ! -e enough ]; do sleep 0.05; done"
    let holder = Task { [folder] in
      try await Program.runTool("flock", [".board.json.lock", "sh", "-c", holding], in: folder.path)
    }
    try await wait(forFile: "held")
    try await live.keys("Enter")
    try await live.wait("the board is being changed by somebody else; try again")
    try folder.write("".utf8, as: "enough")
    _ = try await holder.value
    try await live.keys("Enter")
    try await live.wait("previewing on c1")
  }

  @Test("Covers are shown in their colours; one that is missing or damaged is told, and one that comes is shown")
  func covers() async throws {
    try await makeCovers()
    let live = try await TmuxScreen(folder)
    let screen = try await live.wait("all covers") { !$0.text.contains(Self.awaited) }
    #expect(screen.text.components(of: "cover unreadable") == 2)
    let coloured = try await live.colouredScreen()
    #expect(coloured.contains("48;2;32;128;192") || coloured.contains("38;2;32;128;192"))
    try folder.copy(folder("good.png"), as: "later.png")
    // The file is no change of the board: drawing anew shows it.
    try await live.keys("l")
    try await live.wait("another cover") {
      $0.text.components(of: "cover unreadable") == 1 && !$0.text.contains(Self.awaited)
    }
  }

  /// What stands in the place of a cover that is being read.
  private static let awaited = "▣ …"

  @Test("A cover that takes its time keeps no key waiting, and its decoder goes with the program")
  func slowCover() async throws {
    try await makeCovers()
    let decoder = try TestDecoder.broken(by: "silent", in: folder)
    let live = try await TmuxScreen(folder, environment: ["CLIPCANVAS_DECODER": decoder.string])
    try await wait(forFile: "mark")
    #expect(try await live.wait(Self.awaited).text.contains("cover unreadable"))
    try await live.keys("Right", "Enter")
    #expect(try await live.wait("previewing on c2").text.contains(Self.awaited))
    #expect(try processes(of: decoder).count == 1)
    try await live.keys("q")
    try await live.wait("the shell") { $0.text.contains("ready>") && $0.cells == 0 }
    // The screen is given back first.
    let deadline = ContinuousClock.now + .seconds(20)
    while try !processes(of: decoder).isEmpty, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try processes(of: decoder) == [])
  }

  /// The processes that were started by the name of this decoder.
  private func processes(of decoder: FilePath) throws -> [String] {
    try ScratchFolder.names(in: "/proc").filter { name in
      guard Int(name) != nil, let words = try? ScratchFolder.read(FilePath("/proc/\(name)/cmdline")) else {
        return false
      }
      return words.starts(with: decoder.string.utf8)
    }
  }

  @Test("Why no cover can be read is told")
  func noDecoder() async throws {
    try await makeCovers()
    let live = try await TmuxScreen(folder, environment: ["CLIPCANVAS_DECODER": folder("missing").string])
    try await live.wait("why, and three signs") {
      $0.text.contains("which is missing or cannot be run") && $0.text.components(of: "cover unreadable") == 3
    }
    // The decoder comes, and is tried when everything is drawn anew.
    try symlink(ProjectFolder.program("clipcanvas-decoder").string, folder("missing").string)
    try await live.keys("l")
    try await live.wait("a cover") {
      $0.text.components(of: "cover unreadable") == 2 && !$0.text.contains(Self.awaited)
    }
  }

  private func symlink(_ target: String, _ name: String) throws {
    guard Glibc.symlink(target, name) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Waits for a file in the folder.
  private func wait(forFile name: String) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !folder.names().contains(name) {
      guard ContinuousClock.now < deadline else { throw Errno.timedOut }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// A board of three canvases: one has a cover of a single colour, one a cover that is none, one none that is there.
  private func makeCovers() async throws {
    _ = try await Program.run("clipcanvas", ["new", "--grid", "3x1"], in: folder.path)
    // The colour is told to ffmpeg, and is that of every pixel.
    let made = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "color=0x2080c0:s=64x36,format=rgb24", "-frames:v", "1", "good.png"],
      in: folder.path
    )
    #expect(made.exitStatus == 0, "\(made.errorOutput)")
    try folder.write("no picture".utf8, as: "bad.png")
    for (canvas, cover) in [("c1", "good.png"), ("c2", "bad.png"), ("c3", "later.png")] {
      try folder.write("clip".utf8, as: "\(canvas).mp4")
      try await clipcanvas("clip", "import", canvas, "\(canvas).mp4", "--no-cover")
      let generation = try await clipGeneration(of: canvas)
      try await apply(
        #"{"event":"coverReady","canvas":"\#(canvas)","generation":\#(generation),"cover":{"path":"\#(cover)"}}"#
      )
    }
  }

  private func clipGeneration(of canvas: String) async throws -> Int {
    let result = try await Program.run("clipcanvas", ["show", "--json"], in: folder.path)
    // Members are sorted, so it stands as `"generation":1,"id":"c1"`.
    let before = try #require(result.text.split(separator: #","id":"\#(canvas)""#).first)
    return try #require(before.split(separator: #""generation":"#).last.flatMap { Int($0) })
  }

  private func apply(_ line: String) async throws {
    try folder.write((line + "\n").utf8, as: "events")
    let result = try await Program.runTool(
      "sh",
      ["-c", "'\(ProjectFolder.program("clipcanvas").string)' apply < events"],
      in: folder.path
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
  }

  @Test("Ctrl-Z gives the screen back to the shell, and fg brings the board as it is by then")
  func suspending() async throws {
    let live = try await newBoard("--grid", "2x2")
    try await live.keys("C-z")
    try await live.wait("the shell") { $0.text.contains("ready>") && $0.cells == 0 }
    try await clipcanvas("tap", "c3")
    try await live.type("echo typed")
    // The terminal echoes again.
    try await live.wait("echo typed")
    try await live.keys("Enter")
    try await live.type("fg")
    try await live.keys("Enter")
    #expect(try await live.wait("previewing on c3").cells == 4)
    try await live.keys("Enter")
    try await live.wait("previewing on c1")
  }

  @Test("Without a terminal it says so")
  func withoutTerminal() async throws {
    _ = try await Program.run("clipcanvas", ["new"], in: folder.path)
    let result = try await Program.run("clipcanvas", ["live"], in: folder.path)
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.contains("this is no terminal; 'clipcanvas show' prints it"))
    #expect(result.output.isEmpty)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
