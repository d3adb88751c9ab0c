import SystemPackage
import TestSupport
import Testing

@Suite("The board in a browser", .enabled(if: Scope.isFull))
struct BoardPageTests {
  /// With a camera, the page records, pauses, continues, discards, and keeps what was recorded; it lets people in, takes
  /// files and keys, plays all, and fits small screens, several people and phones; it stores clips and videos.
  private static let stories = [
    "story", "obstacles", "killed", "discarded", "outage", "unsaved", "entrance", "keyboard", "files", "read-only",
    "sources", "rivals", "small", "sideways", "playing", "together", "strangers",
    "steps", "leaving", "sizes", "takes", "many-takes", "trimming", "phones", "downloads",
  ]

  // One test, because each case of a serialized test waits until all other tests have started: most of the stories, of
  // which one runs at a time, would run after everything else.
  @Test(
    "In Chromium, with a camera, the page records, lets people in, takes files and keys, and plays all",
    .enabled(if: Browser.isHere, Comment(rawValue: Browser.absence))
  )
  func stories() async throws {
    for story in Self.stories { try await run(story) }
  }

  @Test(
    "Two windows, a live board, commands and the file agree after random events from all of them",
    .enabled(if: Browser.isHere, Comment(rawValue: Browser.absence))
  )
  func convergence() async throws { try await run("convergence") }

  @Test(
    "On a full disk, the page shows that, what has arrived is kept, and the clip is made when there is room",
    .enabled(if: Browser.isHere, Comment(rawValue: Browser.absence)),
    .enabled(if: MemoryFileSystem.isAllowed, Comment(rawValue: MemoryFileSystem.absence))
  )
  func fullDisk() async throws {
    let scratch = try ScratchFolder()
    let disk = try MemoryFileSystem(scratch("disk"), size: 72 << 20)
    try await run("full-disk", in: disk.path)
  }

  private func run(_ name: String) async throws {
    try await run(name, in: try ScratchFolder().path)
  }

  private func run(_ name: String, in folder: FilePath) async throws {
    let program = ProjectFolder.program("clipcanvas").string
    let result = try await Browser.run("board_page.py", [program, folder.string, name])
    #expect(result.exitStatus == 0, "\(name): \(result.text) \(result.errorOutput)")
    #expect(result.text.hasSuffix("0 checks failed\n"), "\(name)")
  }
}
