import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Tests the keys of the live board that import clips, make covers and remove canvases.
@Suite(.enabled(if: TmuxScreen.isThere, "tmux is missing: the live board is not tested"), .serialized, .ownThread)
struct LiveEditingTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private var document: String {
    get throws { String(decoding: try ScratchFolder.read(folder("board.json")), as: UTF8.self) }
  }

  // MARK: - Importing

  @Test("`i` asks for a path, Tab completes it, and the clip gets its cover", .enabled(if: Scope.isFull))
  func importing() async throws {
    let live = try await folder.newBoard("--grid", "2x1")
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "take one.mp4")
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "take two.mp4")
    try await live.keys("Right", "i")
    try await live.wait("enter adds the clip · tab completes its name · esc cancels")
    // Keys that have a meaning elsewhere are text here.
    try await live.type("q?")
    try await live.wait("clip for c2: q?▏")
    try await live.keys("BSpace", "BSpace")
    try await live.type("ta")
    try await live.keys("Tab")
    try await live.wait("clip for c2: take ▏")
    try await live.keys("Tab")
    try await live.wait("take one.mp4 take two.mp4")
    try await live.type("tw")
    try await live.keys("Tab")
    try await live.wait("clip for c2: take two.mp4▏")
    try await live.keys("Enter")
    try await live.wait("1 cover made")
    #expect(try document.contains(#""path": "take two.mp4""#))
    #expect(try document.contains(#""state": "ready""#))
    // The canvas has a clip now, which only `I` replaces.
    try await live.keys("i")
    try await live.wait("refused: the canvas has a clip; R records over it, I replaces it with a file")
    try await live.keys("I")
    try await live.type("take one.mp4")
    try await live.wait("new clip for c2: take one.mp4▏")
    try await live.keys("Enter")
    try await live.wait("take one.mp4") { $0.text.contains(" take one.mp4 ") && $0.text.contains("1 cover made") }
    #expect(try document.contains(#""path": "take one.mp4""#))
  }

  @Test(
    "A bad path gets the message of `board clip import` and can be corrected, and Escape changes nothing",
    .enabled(if: Scope.isFull)
  )
  func badPath() async throws {
    let live = try await folder.newBoard("--grid", "2x1")
    try await live.keys("i")
    try await live.type("none.mp4")
    try await live.keys("Enter")
    let result = try await Program.run("clipcanvas", ["board", "clip", "import", "c1", "none.mp4"], in: folder.path)
    let message = "cannot add the clip none.mp4: no such file or directory; the board was not changed"
    #expect(result.errorOutput == "clipcanvas: \(message)\n")
    try await live.wait("the message, and the path") {
      $0.words.contains(message) && $0.text.contains("clip for c1: none.mp4▏")
    }
    try await live.keys("BSpace")
    try await live.wait("clip for c1: none.mp▏")
    try await live.keys("Escape")
    try await live.wait("the hint") { $0.text.contains("enter taps") && !$0.text.contains("clip for c1") }
    #expect(try await live.screen().text.contains("revision 0"))
    try await live.keys("i")
    try await live.type(".")
    try await live.keys("Enter")
    try await live.wait("cannot add the clip .: not a regular file; the board was not changed")
  }

  @Test("A file that is not a video does not replace a clip", .enabled(if: Scope.isFull))
  func notVideo() async throws {
    let live = try await folder.newBoard("--grid", "2x1")
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try folder.write("no video".utf8, as: "text.mp4")
    try await folder.clipcanvas("clip", "import", "c1", "a.mp4")
    let before = try document
    try await live.keys("I")
    try await live.type("text.mp4")
    try await live.keys("Enter")
    try await live.wait("why, and the path") {
      $0.words.contains("cannot add the clip text.mp4: ")
        && $0.words.contains("the board was not changed; 'clipcanvas board clip import --no-check' adds it anyway")
        && $0.text.contains("new clip for c1: text.mp4▏")
    }
    #expect(try document == before)
    try await live.keys("Escape")
    try await live.wait("enter taps")
  }

  @Test("A name that is not UTF-8 can be completed and pasted", .enabled(if: Scope.isFull))
  func bytes() async throws {
    let live = try await folder.newBoard("--grid", "2x1")
    let clip = try ScratchFolder.read(ProjectFolder.fixture("h264.mp4"))
    for name in ["x", "y"] {
      try ScratchFolder.write(clip, to: folder.path.appending(FilePath(platformString: path(name)).components))
    }
    try await live.keys("i")
    try await live.type("x")
    try await live.keys("Tab")
    try await live.wait(#"clip for c1: x\xff.mp4▏"#)
    try await live.keys("Enter")
    try await live.wait("1 cover made")
    // Without the bracketed paste, these bytes would be keys.
    try folder.write(path("y").dropLast().map { UInt8(bitPattern: $0) } + [0x0A], as: "pasted")
    try await live.keys("Right", "i")
    try await live.tmux(["load-buffer", folder("pasted").string])
    try await live.tmux(["paste-buffer", "-p", "-r"])
    try await live.wait(#"clip for c2: y\xff.mp4▏"#)
    try await live.keys("Enter")
    try await live.wait("1 cover made") { $0.text.contains(#" y\xff.mp4 "#) && $0.text.contains("1 cover made") }
    try await folder.clipcanvas("check")
    // Text that is pasted while no path is asked for does not act as keys.
    try await live.tmux(["paste-buffer", "-p"])
    try await live.keys("s")
    #expect(try await live.wait("selected on c2").text.contains(#" y\xff.mp4 "#))
  }

  private func path(_ name: String) -> [CChar] {
    (Array(name.utf8) + [0xFF] + Array(".mp4\0".utf8)).map { CChar(bitPattern: $0) }
  }

  // MARK: - Covers

  @Test("`C` makes failed and missing covers again, and reports why one cannot be made", .enabled(if: Scope.isFull))
  func retrying() async throws {
    let live = try await folder.newBoard("--grid", "3x1")
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "good.mp4")
    try folder.write("no clip".utf8, as: "bad.mp4")
    try await live.keys("C")
    try await live.wait("nothing changed: no cover is pending, has failed or is missing")
    try await folder.clipcanvas("clip", "import", "c1", "good.mp4")
    try await folder.clipcanvas("clip", "import", "--no-check", "c2", "bad.mp4")
    try await folder.clipcanvas("clip", "import", "c3", "good.mp4", "--no-cover")
    let covers = folder("board.covers")
    let cover = try #require(try ScratchFolder.names(in: covers).first)
    try ScratchFolder.remove(covers.appending(cover))
    try await live.keys("C")
    let screen = try await live.wait("the result") { $0.words.contains("2 of 3 covers made; no cover for c2: ") }
    #expect(screen.text.contains("▢ no cover"))
    #expect(try ScratchFolder.names(in: covers).count == 2)
    #expect(try ScratchFolder.names(in: covers).contains(cover))
    // With a usable clip, the failed cover can be made.
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "bad.mp4")
    try await live.keys("C")
    try await live.wait("1 cover made") { $0.text.contains("1 cover made") && !$0.text.contains("▢ no cover") }
  }

  @Test("While covers are made, the header shows the progress, keys work, and quitting ends the decoder")
  func progress() async throws {
    _ = try await Program.run("clipcanvas", ["board", "new", "--grid", "2x1"], in: folder.path)
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try await folder.clipcanvas("clip", "import", "c1", "a.mp4", "--no-cover")
    let decoder = try TestDecoder.broken(by: "silent", in: folder)
    let live = try await TmuxScreen(folder, environment: ["CLIPCANVAS_DECODER": decoder.string])
    try await live.keys("c")
    try await live.wait("covers 0/1 ")
    try await live.keys("Right", "Enter")
    #expect(try await live.wait("previewing on c2").text.contains("▢ cover pending"))
    try await live.wait("a decoder") { _ in try processes(of: decoder).count == 1 }
    try await live.keys("q")
    // The second prompt comes when the program has ended.
    try await live.wait("no decoder") {
      try $0.text.ranges(of: "ready>").count == 2 && processes(of: decoder).isEmpty
    }
    // The cover is not lost: it is still pending.
    #expect(try document.contains(#""state": "pending""#) && !document.contains(#""state": "failed""#))
  }

  @Test("While a clip is checked, keys work, and quitting ends the decoder")
  func checking() async throws {
    _ = try await Program.run("clipcanvas", ["board", "new", "--grid", "2x1"], in: folder.path)
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let decoder = try TestDecoder.broken(by: "silent", in: folder)
    let live = try await TmuxScreen(folder, environment: ["CLIPCANVAS_DECODER": decoder.string])
    try await live.keys("i")
    try await live.type("a.mp4")
    try await live.keys("Enter")
    try await live.wait("checking a.mp4")
    try await live.wait("a decoder") { _ in try processes(of: decoder).count == 1 }
    try await live.keys("Right", "Enter")
    try await live.wait("previewing on c2")
    try await live.keys("q")
    // The second prompt comes when the program has ended.
    try await live.wait("no decoder") {
      try $0.text.ranges(of: "ready>").count == 2 && processes(of: decoder).isEmpty
    }
  }

  @Test("If no decoder can be started, the covers remain pending, and a message gives the reason")
  func noDecoder() async throws {
    _ = try await Program.run("clipcanvas", ["board", "new", "--grid", "2x1"], in: folder.path)
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try await folder.clipcanvas("clip", "import", "c1", "a.mp4", "--no-cover")
    let live = try await TmuxScreen(folder, environment: ["CLIPCANVAS_DECODER": folder("missing").string])
    try await live.keys("c")
    try await live.wait("why") {
      $0.words.contains("the covers are still pending: ") && $0.words.contains("which is missing or cannot be run")
    }
    #expect(try document.contains(#""state": "pending""#) && !document.contains(#""state": "failed""#))
  }

  // MARK: - Removing

  @Test(
    "`D` marks all canvases, taps remove them until Escape, and each mark is drawn once",
    .enabled(if: Scope.isFull)
  )
  func removing() async throws {
    let live = try await folder.newBoard("--grid", "2x2")
    let before = try #require(try await live.screen().counters)
    try await live.keys("D")
    let marked = try await live.wait("removing") { $0.text.contains("removing") && $0.text.contains("D or esc ends") }
    #expect(marked.text.count { $0 == "✕" } == 4)
    #expect(marked.counters?.drawn == before.drawn + 4 && marked.counters?.headers == before.headers + 1)
    #expect(marked.counters?.areExact == true)
    try await live.keys("Enter")
    let removed = try await live.wait("the canvas was removed; u undoes")
    #expect(removed.cells == 3 && removed.text.count { $0 == "✕" } == 3 && !removed.text.contains("c1"))
    // A click removes, too.
    try await live.send("\u{1B}[<0;75;5M")
    try await live.wait("2 canvases") { $0.text.contains("2 canvases") && $0.cells == 2 }
    try await live.keys("Escape")
    #expect(try await live.wait("enter taps").text.contains("✕") == false)
    try await live.keys("Enter")
    #expect(try await live.wait("previewing on ").cells == 2)
    try await live.keys("D")
    try await live.wait("D or esc ends")
    try await live.keys("D")
    try await live.wait("r records")
  }
}
