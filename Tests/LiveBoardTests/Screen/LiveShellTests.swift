import TestHelpers
import TestSupport
import Testing

/// Tests `clipcanvas live` with the shell that started it, and without a usable terminal.
@Suite(.enabled(if: TmuxScreen.isThere, "tmux is missing: the live board is not tested"), .serialized, .ownThread)
struct LiveShellTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test("Ctrl-Z restores the shell's screen, and fg shows the current board")
  func suspending() async throws {
    let live = try await folder.newBoard("--grid", "2x2")
    try await live.keys("C-z")
    try await live.wait("the shell") { $0.text.contains("ready>") && $0.cells == 0 }
    try await folder.clipcanvas("tap", "c3")
    try await live.type("echo typed")
    // Echo is enabled again.
    try await live.wait("echo typed")
    try await live.keys("Enter")
    try await live.type("fg")
    try await live.keys("Enter")
    #expect(try await live.wait("previewing on c3").cells == 4)
    try await live.keys("Enter")
    try await live.wait("previewing on c1")
  }

  @Test(
    "In the background nothing is drawn, and fg draws everything once, with all changes",
    .enabled(if: Scope.isFull)
  )
  func background() async throws {
    let live = try await folder.newBoard("--grid", "2x2")
    let before = try #require(try await live.screen().counters)
    try await live.keys("C-z")
    try await live.wait("the shell") { $0.text.contains("ready>") && $0.cells == 0 }
    try await live.type("bg")
    try await live.keys("Enter")
    try await folder.clipcanvas("tap", "c3")
    try await folder.clipcanvas("tap", "c2")
    try await live.type("sleep 0.2; echo do''ne")
    try await live.keys("Enter")
    let shell = try await live.wait("done")
    #expect(shell.cells == 0 && !shell.text.contains("previewing"))
    try await live.type("fg")
    try await live.keys("Enter")
    let after = try #require(try await live.wait("previewing on c2").counters)
    #expect(after.drawn == before.drawn + 4 && after.headers == before.headers + 1)
    #expect(after.areExact)
    try await live.keys("Enter")
    try await live.wait("previewing on c1")
  }

  @Test(
    "A terminal without a full screen is refused",
    arguments: [("dumb", "of type 'dumb'"), ("", "without a type (TERM)")]
  )
  func dumb(_ type: String, _ words: String) async throws {
    _ = try await folder.newBoard("--grid", "2x1")
    let command = "TERM=\(type) '\(ProjectFolder.program("clipcanvas"))' board live"
    let result = try await Program.runTool("script", ["-qec", command, "/dev/null"], in: folder.path)
    #expect(result.exitStatus == 2)
    #expect(
      result.text.contains(
        "a terminal \(words) cannot show a full-screen view; 'clipcanvas board show' prints the board"
      ),
      "\(result.text)"
    )
  }

  @Test("The program reports an error if standard output is not a terminal")
  func withoutTerminal() async throws {
    _ = try await Program.run("clipcanvas", ["board", "new"], in: folder.path)
    let result = try await Program.run("clipcanvas", ["board", "live"], in: folder.path)
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.contains("this is not a terminal; 'clipcanvas board show' prints the board"))
    #expect(result.output.isEmpty)
  }
}
