import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Tests the covers of `clipcanvas live` in tmux, and the decoders that read them.
@Suite(.enabled(if: TmuxScreen.isThere, "tmux is missing: the live board is not tested"), .serialized, .ownThread)
struct LiveCoversTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test("A cover that cannot be made again is kept, which is reported")
  func keptCover() async throws {
    let live = try await folder.newBoard("--grid", "2x1")
    try folder.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try await folder.clipcanvas("clip", "import", "c1", "a.mp4")
    try ScratchFolder.remove(folder("a.mp4"))
    try await live.keys("c")
    let screen = try await live.wait("the reason") {
      $0.words.contains("c1 keeps its old cover: no such file or directory")
    }
    #expect(!screen.text.contains("no cover"))
  }

  @Test("Covers are shown in colour, unreadable covers are marked, and a cover that appears later is shown on redraw")
  func covers() async throws {
    try await makeCovers()
    let live = try await TmuxScreen(folder)
    let screen = try await live.wait("all covers") { !$0.text.contains(Self.awaited) }
    #expect(screen.text.components(of: "cover unreadable") == 2)
    let coloured = try await live.colouredScreen()
    #expect(coloured.contains("48;2;32;128;192") || coloured.contains("38;2;32;128;192"))
    try folder.copy(folder("good.png"), as: "later.png")
    // A new file does not change the board; redrawing shows it.
    try await live.keys("l")
    try await live.wait("another cover") {
      $0.text.components(of: "cover unreadable") == 1 && !$0.text.contains(Self.awaited)
    }
  }

  /// The placeholder for a cover that is being read.
  private static let awaited = "▣ …"

  @Test("A slow cover does not block keys, and its decoder ends with the program")
  func slowCover() async throws {
    try await makeCovers()
    let decoder = try TestDecoder.broken(by: "silent", in: folder)
    let live = try await TmuxScreen(folder, environment: ["CLIPCANVAS_DECODER": decoder.string])
    try await folder.wait(forFile: "mark")
    #expect(try await live.wait(Self.awaited).text.contains("cover unreadable"))
    try await live.keys("Right", "Enter")
    #expect(try await live.wait("previewing on c2").text.contains(Self.awaited))
    #expect(try processes(of: decoder).count == 1)
    try await live.keys("q")
    try await live.wait("the shell") { $0.text.contains("ready>") && $0.cells == 0 }
    // The screen is restored before the decoder ends.
    let deadline = ContinuousClock.now + .seconds(20)
    while try !processes(of: decoder).isEmpty, ContinuousClock.now < deadline {
      try await pause(.milliseconds(10))
    }
    #expect(try processes(of: decoder) == [])
  }

  @Test("A missing decoder is reported, and a decoder that appears later is used on redraw", .enabled(if: Scope.isFull))
  func noDecoder() async throws {
    try await makeCovers()
    let live = try await TmuxScreen(folder, environment: ["CLIPCANVAS_DECODER": folder("missing").string])
    try await live.wait("why, and three signs") {
      $0.words.contains("which is missing or cannot be run") && $0.text.components(of: "cover unreadable") == 3
    }
    // Once the decoder exists, it is tried on redraw.
    try symlink(ProjectFolder.program("clipcanvas-decoder").string, folder("missing").string)
    try await live.keys("l")
    try await live.wait("a cover") {
      $0.text.components(of: "cover unreadable") == 2 && !$0.text.contains(Self.awaited)
    }
  }

  private func symlink(_ target: String, _ name: String) throws {
    guard Glibc.symlink(target, name) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Creates a board with three canvases: one with a cover of a single colour, one with an invalid cover and one with a
  /// missing cover.
  private func makeCovers() async throws {
    _ = try await Program.run("clipcanvas", ["board", "new", "--grid", "3x1"], in: folder.path)
    // Every pixel has the colour passed to ffmpeg.
    let made = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "color=0x2080c0:s=64x36,format=rgb24", "-frames:v", "1", "good.png"],
      in: folder.path
    )
    #expect(made.exitStatus == 0, "\(made.errorOutput)")
    try folder.write("no picture".utf8, as: "bad.png")
    for (canvas, cover) in [("c1", "good.png"), ("c2", "bad.png"), ("c3", "later.png")] {
      try folder.write("clip".utf8, as: "\(canvas).mp4")
      try await folder.clipcanvas("clip", "import", canvas, "\(canvas).mp4", "--no-cover", "--no-check")
      let generation = try await clipGeneration(of: canvas)
      try await apply(
        #"{"event":"coverReady","canvas":"\#(canvas)","generation":\#(generation),"cover":{"path":"\#(cover)"}}"#
      )
    }
  }

  private func clipGeneration(of canvas: String) async throws -> Int {
    let result = try await Program.run("clipcanvas", ["board", "show", "--json"], in: folder.path)
    // Members are sorted, so the generation appears as `"generation":1,"id":"c1"`.
    let before = try #require(result.text.split(separator: #","id":"\#(canvas)""#).first)
    return try #require(before.split(separator: #""generation":"#).last.flatMap { Int($0) })
  }

  private func apply(_ line: String) async throws {
    try folder.write((line + "\n").utf8, as: "events")
    let result = try await Program.runTool(
      "sh",
      ["-c", "'\(ProjectFolder.program("clipcanvas").string)' board apply < events"],
      in: folder.path
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
