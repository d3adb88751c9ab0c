import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// `watch` never ends silently, misses no change, resumes after a revision and reports when it has to start over.
@Suite("Following a board", .ownThread)
struct WatchTests {
  /// Waits until the program's output contains a line.
  private func wait(_ program: RunningProgram, for line: String) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      let printed = try program.outputSoFar()
      guard !printed.contains(line) else { return }
      try #require(ContinuousClock.now < deadline, "'\(line)' did not come; it printed: \(printed)")
      try await pause(.milliseconds(5))
    }
  }

  private func event(_ name: String, _ canvas: Int) throws -> Event {
    try EventLine(parsing: Array(#"{"event":"\#(name)","canvas":"c\#(canvas)"}"#.utf8)).event
  }

  private func tap(_ board: BoardFile, _ canvas: Int) throws -> Outcome {
    let event = try event("tap", canvas)
    let instant = try #require(Instant(secondsSince1970: 1))
    return try board.transact { $0.apply(event, at: instant) }
  }

  /// Returns the lines that `watch` must print for the changes of an outcome.
  private func lines(_ outcome: Outcome) throws -> [String] {
    guard case .changed(let revision, let changes) = outcome else { return [] }
    return try changes.map { change in
      guard case .object(let object) = JSON(change) else { throw Errno.invalidArgument }
      let members = object.members.map { ($0.key, $0.value) } + [("revision", JSON(revision))]
      return String(decoding: JSON.object(JSONObject(members)).line, as: UTF8.self)
    }
  }

  @Test("A slow reader gets every change once and in order", .enabled(if: Scope.isFull))
  func slowReader() async throws {
    let scratch = try ScratchFolder()
    let board = BoardFile(at: scratch("board.json"))
    try board.create(Board(columns: 4, rows: 4))
    let commits = LongForm.count(short: 150, long: 10_000, variable: "CLIPCANVAS_COMMITS")
    // Reads one line at a time from a small pipe, with pauses.
    let reader = """
      import subprocess, sys, time, fcntl
      watch = subprocess.Popen([sys.argv[1], "board", "watch", "--since", "0", "--json", "--board", sys.argv[2]], stdout=subprocess.PIPE)
      fcntl.fcntl(watch.stdout.fileno(), 1031, 4096)
      last = int(sys.argv[3])
      count = 0
      for line in watch.stdout:
        sys.stdout.buffer.write(line)
        count += 1
        if count == 1: open(sys.argv[4], "w").close()
        if count % 50 == 0: time.sleep(0.02)
        if b'"revision":%d}' % last in line and b'"session"' in line: break
      watch.kill()
      """
    async let slow = Program.runTool(
      "python3",
      [
        "-c", reader, ProjectFolder.program("clipcanvas").string, board.path.string, "\(commits)",
        scratch("ready").string,
      ]
    )
    var expected: [String] = []
    for number in 1...commits {
      // The last change makes the session idle, so the reader ends at its session line.
      let canvas = number % 2 == 1 ? number / 2 % 16 + 1 : (number - 1) / 2 % 16 + 1
      expected += try lines(try tap(board, canvas))
      // Changes made before `watch` runs could exceed the history.
      try await eventually("the first line is printed") { number > 1 || access(scratch("ready").string, F_OK) == 0 }
    }
    let printed = try await slow.text.split(separator: "\n").map(String.init)
    #expect(printed.count == expected.count)
    let different = zip(printed, expected).first { $0 != $1 }
    #expect(different == nil)
  }

  @Test("`watch` prints the changes of parts and takes, and nothing when steps are forgotten")
  func takes() async throws {
    let scratch = try ScratchFolder()
    let board = BoardFile(at: scratch("board.json"))
    try board.create(Board(columns: 2, rows: 1))
    let instant = try #require(Instant(secondsSince1970: 1))
    var expected: [String] = []
    for line in [
      #"{"event":"importClip","canvas":"c1","clip":{"path":"a.mp4"}}"#,
      #"{"event":"importClip","canvas":"c1","clip":{"path":"b.mp4"},"replace":true}"#,
      #"{"event":"trimClip","canvas":"c1","from":1,"to":2}"#, #"{"event":"useTake","canvas":"c1","generation":KEPT}"#,
      #"{"event":"removeTake","canvas":"c1","generation":KEPT}"#,
    ] {
      let kept = try board.read().board.canvases[0].takes.last?.clip.generation ?? 0
      let event = try EventLine(parsing: Array(line.replacing("KEPT", with: "\(kept)").utf8)).event
      let outcome = try board.transact { $0.apply(event, at: instant) }
      let printed = try lines(outcome)
      #expect(!printed.isEmpty, "\(line)")
      expected += printed
    }
    let watch = try RunningProgram("clipcanvas", ["board", "watch", "--json", "--since", "0"], scratch: scratch)
    try await wait(watch, for: try #require(expected.last))
    _ = try board.transact { $0.forgetHistory(upTo: 2) }
    expected += try lines(try tap(board, 2))
    try await wait(watch, for: try #require(expected.last))
    watch.send(SIGTERM)
    #expect(try watch.outputSoFar().split(separator: "\n").map(String.init) == expected)
  }

  @Test("`watch` resumes after a revision and can be limited to some keys")
  func resumes() async throws {
    let scratch = try ScratchFolder()
    let board = BoardFile(at: scratch("board.json"))
    try board.create(Board(columns: 2, rows: 1))
    for canvas in [1, 2, 2] { _ = try tap(board, canvas) }
    let watch = try RunningProgram(
      "clipcanvas",
      ["board", "watch", "--since", "1", "--keys", "status,session"],
      scratch: scratch
    )
    try await wait(watch, for: "3  session")
    watch.send(SIGTERM)
    #expect(
      try watch.outputSoFar() == """
        2  c1 preview ended
        2  c2 preview started
        3  c2 preview ended
        3  session: previewing → idle

        """
    )
  }

  @Test(
    "`watch` prints fresh if the revision is older than the history or from another board",
    .enabled(if: Scope.isFull)
  )
  func tooOld() async throws {
    let scratch = try ScratchFolder()
    let board = BoardFile(at: scratch("board.json"))
    try board.create(Board(columns: 2, rows: 1))
    for number in 0..<(2 * (History.maximumTransactions / 2) + 2) { _ = try tap(board, number % 2 + 1) }
    for since in ["1", "5000"] {
      let watch = try RunningProgram(
        "clipcanvas",
        ["board", "watch", "--since", since],
        scratch: scratch,
        label: "since-\(since)"
      )
      try await wait(watch, for: "fresh  revision 102 ·")
      watch.send(SIGTERM)
      #expect(try watch.outputSoFar().split(separator: "\n").count == 1)
    }
  }

  @Test("`watch` survives replacement, removal, re-creation and damage of the file, and a new folder")
  func throughEverything() async throws {
    let scratch = try ScratchFolder()
    let folder = scratch("place")
    try FilePath.makeFolder(folder)
    let board = BoardFile(at: folder.appending("board.json"))
    try board.create(Board(columns: 2, rows: 1))
    let watch = try RunningProgram("clipcanvas", ["board", "watch", "--board", board.path.string], scratch: scratch)
    try await wait(watch, for: "fresh  revision 0 · idle · 2 canvases")
    _ = try tap(board, 1)
    try await wait(watch, for: "1  session: idle → previewing")

    // Another board with the same revision, renamed over the first.
    let other = BoardFile(at: folder.appending("other.json"))
    try other.create(Board(columns: 3, rows: 1))
    _ = try tap(other, 3)
    try #require(rename(other.path.string, board.path.string) == 0)
    try await wait(watch, for: "fresh  revision 1 · previewing on c3 · 3 canvases")

    try #require(unlink(board.path.string) == 0)
    try board.create(Board(columns: 4, rows: 1))
    try await wait(watch, for: "fresh  revision 0 · idle · 4 canvases")

    let whole = try ScratchFolder.read(board.path)
    try ScratchFolder.write(whole.prefix(whole.count / 2), to: board.path)
    try await pause(.milliseconds(50))
    try ScratchFolder.write(whole, to: board.path)
    _ = try tap(board, 2)
    try await wait(watch, for: "1  c2 selected")

    // The folder is moved away and created again with another board.
    let away = scratch("away")
    try #require(rename(folder.string, away.string) == 0)
    try FilePath.makeFolder(folder)
    try board.create(Board(columns: 1, rows: 1))
    try await wait(watch, for: "fresh  revision 0 · idle · 1 canvas")
    _ = try tap(board, 1)
    try await wait(watch, for: "1  c1 selected")

    #expect(!watch.hasEnded)
    watch.send(SIGINT)
    #expect(try await watch.end().exitStatus == 128 + Int(SIGINT))
  }
}
