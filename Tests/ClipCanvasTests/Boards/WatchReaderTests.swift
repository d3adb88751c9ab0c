import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// The reader of the output of `watch` may be slow, stop reading, or exit.
@Suite("Readers of `watch` output", .ownThread)
struct WatchReaderTests {
  private static let program = ProjectFolder.program("clipcanvas").string

  /// Runs a bash script with the program and the board as arguments, with a time limit of a minute.
  private func shell(_ script: String, _ board: TestBoard) async throws -> ProgramResult {
    try await Program.runTool("timeout", ["-k", "1", "60", "bash", "-c", script, "-", Self.program, board.path.string])
  }

  @Test("`watch` ends by SIGPIPE when its reader exits, even if the board does not change")
  func head() async throws {
    let board = try await TestBoard()
    let result = try await shell(#""$1" board watch --board "$2" | head -1; echo "${PIPESTATUS[@]}""#, board)
    #expect(result.text == "fresh  revision 0 · idle · 4 canvases\n141 0\n", "\(result.errorOutput)")
  }

  @Test("`watch` ends if its reader exits before anything is printed")
  func nothingPrinted() async throws {
    let board = try await TestBoard()
    let result = try await shell(#""$1" board watch --since 0 --board "$2" | true; echo "${PIPESTATUS[@]}""#, board)
    #expect(result.text == "141 0\n", "\(result.errorOutput)")
  }

  @Test("`watch` ends when its reader exits while the board's folder does not exist")
  func noFolder() async throws {
    let board = try await TestBoard()
    let script = #""$1" board watch --board "${2%/*}/none/board.json" | true; echo "${PIPESTATUS[@]}""#
    let result = try await shell(script, board)
    #expect(result.text == "141 0\n")
    #expect(result.errorOutput.hasSuffix("none/board.json does not exist; waiting for it\n"), "\(result.errorOutput)")
  }

  @Test("If SIGPIPE is ignored, `watch` reports that its reader has exited")
  func ignored() async throws {
    let board = try await TestBoard()
    let result = try await shell(
      #"trap '' PIPE; "$1" board watch --board "$2" | head -1 > /dev/null; echo "${PIPESTATUS[@]}""#,
      board
    )
    #expect(result.text == "2 0\n")
    #expect(result.errorOutput == "clipcanvas: cannot write to standard output: broken pipe\n")
  }

  @Test("`watch` ends when the reader of a socket exits", .enabled(if: Scope.isFull))
  func socket() async throws {
    let board = try await TestBoard()
    let script = """
      import socket, subprocess, sys
      ours, its = socket.socketpair()
      watch = subprocess.Popen([sys.argv[1], "board", "watch", "--board", sys.argv[2]], stdout=its)
      its.close()
      ours.recv(1)
      ours.close()
      print(watch.wait())
      """
    let result = try await Program.runTool(
      "timeout",
      ["-k", "1", "60", Program.python.string, "-c", script, Self.program, board.path.string]
    )
    #expect(result.text == "-13\n", "\(result.errorOutput)")
  }

  @Test(
    "`watch` continues if its output is a file, /dev/null or a pipe that is read",
    .enabled(if: Scope.isFull),
    arguments: ["> \"$2.out\"", "> /dev/null", "< /dev/null | cat > \"$2.out\""]
  )
  func noPipe(_ output: String) async throws {
    let board = try await TestBoard()
    // It follows three changes: each wakes it up, and then it waits again.
    let script = #"""
      set -m
      sh -c 'echo $$ > "$2.pid"; exec "$1" board watch --board "$2"' - "$1" "$2" \#(output) &
      until pid=$(cat "$2.pid" 2>&-) && ls -l /proc/$pid/fd 2>&- | grep -q inotify || ! kill -0 %1; do sleep 0.01; done
      waits() { cat /proc/$pid/task/*/status 2>&- | awk '/^voluntary/ { count += $2 } END { print count }'; }
      for change in 1 2 3; do
        before=$(waits)
        "$1" board tap c1 --board "$2" > "$2.answer"
        until [ "$(waits)" != "$before" ]; do sleep 0.01; done
      done
      kill %1; wait %1; echo $?
      """#
    let result = try await shell(script, board)
    #expect(result.text == "143\n", "\(result.errorOutput)")
  }

  @Test(
    "A stopped reader costs no memory and gets the last state when it resumes",
    .enabled(if: Scope.isFull),
    .timeLimit(.minutes(60))
  )
  func stopped() async throws {
    let scratch = try ScratchFolder()
    let board = BoardFile(at: scratch("board.json"))
    try board.create(Board(columns: 2, rows: 1))
    // A pipe in place of the file for the program's output.
    try #require(mkfifo(scratch("run.out").string, 0o600) == 0)
    let reader = try FileDescriptor.open(scratch("run.out"), .readOnly, options: [.nonBlocking, .closeOnExec])
    defer { try? reader.close() }
    let watch = try RunningProgram("clipcanvas", ["board", "watch", "--json"], scratch: scratch)
    try await waitForOutput(reader)

    let commits = LongForm.count(short: 1000, long: 10_000, variable: "CLIPCANVAS_COMMITS")
    try await commit(to: board, times: 200)
    let before = watch.peakMemorySoFar
    try await commit(to: board, times: commits - 200)
    let after = watch.peakMemorySoFar
    #expect(before > 0 && after - before < 8 << 20, "\(before) bytes, then \(after)")
    #expect(!watch.hasEnded)

    let lines = try await read(reader, until: "\"revision\":\(10 * commits)").split(separator: "\n")
    // Once at the start, and at least once because more was missed than the history keeps.
    #expect(lines.count { $0.contains("\"fresh\":true") } >= 2)
    watch.send(SIGTERM)
  }

  /// Makes ten revisions with each commit, so that the reader's revision soon leaves the history.
  private func commit(to board: BoardFile, times: Int) async throws {
    let event = try EventLine(parsing: Array(#"{"event":"tap","canvas":"c1"}"#.utf8)).event
    let instant = try #require(Instant(secondsSince1970: 1))
    for _ in 0..<times {
      try board.transact { board in
        for _ in 0..<10 { _ = board.apply(event, at: instant) }
      }
      await Task.yield()
    }
  }

  private func read(_ reader: FileDescriptor, until text: String) async throws -> String {
    var output = ""
    let deadline = ContinuousClock.now + .seconds(60)
    while !output.contains(text) {
      try #require(ContinuousClock.now < deadline, "\(text) did not come")
      try await waitForOutput(reader)
      let bytes = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = try reader.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      output += String(decoding: bytes, as: UTF8.self)
    }
    return output
  }

  private func waitForOutput(_ reader: FileDescriptor) async throws {
    try await eventually("something is printed") {
      var input = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
      return poll(&input, 1, 0) == 1 && input.revents & Int16(POLLIN) != 0
    }
  }
}
