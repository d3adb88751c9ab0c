import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Tests the keys of the live board that play parts of clips and use other takes, and the question of `board clean`,
/// which needs a terminal as well.
@Suite(.enabled(if: TmuxScreen.isThere, "tmux is missing: the live board is not tested"), .serialized, .ownThread)
struct LiveTakesTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Presses a key, and waits until the board has changed as wanted.
  ///
  /// Messages on the screen may be replaced at once by that of a cover.
  private func press(_ key: String, on live: TmuxScreen, _ isDone: (String) -> Bool) async throws {
    try await live.keys(key)
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let board = try await Program.run("clipcanvas", ["board", "show", "--json"], in: folder.path).text
      if isDone(board) { return }
      try #require(ContinuousClock.now < deadline, "\(key) did not lead to the wanted board: \(board)")
      try await pause(.milliseconds(20))
    }
  }

  @Test("Keys move the start and the end of the part that is played, within the clip, and clear it")
  func trimming() async throws {
    let live = try await folder.newBoard("--grid", "1x1")
    // The clip takes a second.
    try await folder.clipcanvas("clip", "import", "c1", ProjectFolder.fixture("h264.mp4").string)
    try await live.wait("h264.mp4")
    try await press("]", on: live) { $0.contains(#""from":0.5"#) && !$0.contains(#""to""#) }
    // Nothing would be left of the clip.
    try await live.keys("]", "{")
    try await press("[", on: live) { !$0.contains(#""from""#) }
    try await press("{", on: live) { $0.contains(#""from":0"#) && $0.contains(#""to":0.5"#) }
    // The clip ends there.
    try await press("}", on: live) { !$0.contains(#""to""#) }
    try await press("{", on: live) { $0.contains(#""to":0.5"#) }
    try await press("=", on: live) { !$0.contains(#""to""#) }
    try await press("u", on: live) { $0.contains(#""to":0.5"#) }
    try await folder.clipcanvas("check")
  }

  @Test("`t` puts one take after another on the canvas")
  func takes() async throws {
    let live = try await folder.newBoard("--grid", "2x1")
    for name in ["a.mp4", "b.mp4", "c.mp4"] {
      try folder.copy(ProjectFolder.fixture("h264.mp4"), as: name)
      try await folder.clipcanvas("clip", "import", "c1", name, "--replace")
    }
    try await live.wait(" c.mp4 ")
    for name in ["a.mp4", "b.mp4", "c.mp4", "a.mp4"] {
      try await live.keys("t")
      let screen = try await live.wait("the take") { $0.text.contains(" \(name) ") }
      #expect(screen.words.contains("one of 3; u undoes"))
    }
    // A take whose file is gone is left out while there is another.
    try ScratchFolder.remove(folder("b.mp4"))
    try await live.keys("t")
    try await live.wait("the take") { $0.text.contains(" c.mp4 ") }
    try ScratchFolder.remove(folder("a.mp4"))
    try await live.keys("t")
    try await live.wait("a.mp4 is missing; restore it")
    try await live.keys("Right", "t")
    try await live.wait("refused")
    try await folder.clipcanvas("check")
  }

  @Test("`board clean` asks in a terminal, and only a yes removes files")
  func question() async throws {
    let live = try await folder.newBoard("--grid", "2x1")
    try FilePath.makeFolder(folder("board.clips"))
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "board.clips/orphan.mp4")
    try await live.keys("q")
    try await live.wait("the shell") { $0.text.contains("ready>") && $0.cells == 0 }
    let program = ProjectFolder.program("clipcanvas").string
    for answer in ["n", "", "yesterday"] {
      try await live.type("clear; \(program) board clean")
      try await live.keys("Enter")
      try await live.wait("the question") { $0.words.contains("remove 1 file, ") && $0.words.hasSuffix("? [y/N]") }
      try await live.type(answer)
      try await live.keys("Enter")
      try await live.wait("nothing was removed")
      #expect(try ScratchFolder.entries(of: folder("board.clips")).count == 1)
    }
    try await live.type("clear; \(program) board clean")
    try await live.keys("Enter")
    try await live.wait("the question") { $0.words.hasSuffix("? [y/N]") }
    try await live.type("Y")
    try await live.keys("Enter")
    try await live.wait("removed 1 file, ") { $0.words.contains(" removed 1 file, ") }
    #expect(try ScratchFolder.entries(of: folder("board.clips")).isEmpty)
  }
}
