import SystemPackage
import TestSupport
import Testing

@Suite("The board in a browser")
struct BoardPageTests {
  @Test(
    "In Chromium, with a camera, the page records, pauses, continues, discards, takes files, plays all, and reconnects",
    .serialized,
    .enabled(if: Browser.isHere, Comment(rawValue: Browser.absence)),
    arguments: [
      "story", "entrance", "obstacles", "killed", "discarded", "keyboard", "files", "read-only", "sources", "outage",
      "small", "playing", "together", "unsaved",
    ]
  )
  func story(_ name: String) async throws { try await run(name) }

  @Test(
    "Two windows, a live board, commands and the file agree after random events from all of them",
    .enabled(if: Browser.isHere, Comment(rawValue: Browser.absence))
  )
  func convergence() async throws { try await run("convergence") }

  private func run(_ name: String) async throws {
    let scratch = try ScratchFolder()
    let program = ProjectFolder.program("clipcanvas").string
    let result = try await Browser.run("board_page.py", [program, scratch.path.string, name])
    #expect(result.exitStatus == 0, "\(result.text) \(result.errorOutput)")
    #expect(result.text.hasSuffix("0 checks failed\n"))
  }
}
