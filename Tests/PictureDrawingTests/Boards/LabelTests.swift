import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// The texts of `clipcanvas board render`: where they are, and when they are missing.
@Suite("Labels")
struct LabelTests {
  private static let size = ["--size", "640x360"]

  private func pixels(_ board: RenderBoard, _ labels: String, _ options: [String] = Self.size) async throws -> RawPixels
  {
    try await board.pixels(["--labels", labels] + options)
  }

  @Test(
    "Names are in the left corners; the duration is in the lower right one, and a reason below its sign",
    .enabled(if: Scope.isFull)
  )
  func levels() async throws {
    let board = try await RenderBoard("--grid", "2x1")
    try await board.bring([("c1", "h264.mp4")])
    _ = try await board.run(["clip", "import", "--no-check", "c2", ProjectFolder.fixture("sound-only.m4a").string])
    let (none, names, full) = (
      try await pixels(board, "none"), try await pixels(board, "names"), try await pixels(board, "full")
    )
    // c1 spans 2…318 by 2…358, so the margin is 20; the font size is 17, so texts with their ground are about 27 high.
    let added = names.changes(from: none)
    for (left, row) in [(22, 22), (22, 311), (342, 22), (342, 311)] {
      #expect(added.contains { $0.x >= left && $0.x < left + 60 && $0.y >= row && $0.y < row + 27 }, "\(left), \(row)")
    }
    #expect(added.allSatisfy { (22..<50).contains($0.y) || (310..<338).contains($0.y) })
    #expect(added.allSatisfy { (22..<298).contains($0.x) || (342..<618).contains($0.x) })
    let more = full.changes(from: names)
    let (durations, reasons) = (more.filter { $0.x < 320 }, more.filter { $0.x >= 320 && $0.y < 310 })
    #expect(durations.count > 100 && durations.allSatisfy { $0.x > 220 && (310..<338).contains($0.y) })
    #expect(reasons.count > 100 && reasons.allSatisfy { (258..<300).contains($0.y) })
    #expect(try await board.pixels(Self.size).bytes == names.bytes, "names is the default")
  }

  @Test(
    "An open recording has its duration only with all labels, and a paused one keeps it",
    .enabled(if: Scope.isFull)
  )
  func recording() async throws {
    let board = try await RenderBoard("--canvases", "1")
    try await board.done(["tap", "c1"])
    try await board.done(["record", "start"])
    let (first, usual) = (try await pixels(board, "full"), try await pixels(board, "names"))
    var later = first
    try await eventually("the recording lasts longer") {
      later = try await pixels(board, "full")
      return later.bytes != first.bytes
    }
    let changes = later.changes(from: first)
    #expect(!changes.isEmpty && changes.allSatisfy { $0.x > 400 && $0.y < 60 })
    #expect(try await pixels(board, "names").bytes == usual.bytes && usual.bytes != first.bytes)
    try await board.done(["record", "pause"])
    let paused = try await pixels(board, "full")
    for _ in 0..<6 {
      try await pause(.milliseconds(200))
      #expect(try await pixels(board, "full").bytes == paused.bytes)
    }
  }

  @Test(
    "A name is shortened to its canvas, and one in a right-to-left script begins at the right",
    .enabled(if: Scope.isFull),
    arguments: [
      (String(repeating: "very long ", count: 20) + ".mp4", 22..<298), ("חוף.mp4", 200..<298),
      ("a.mp4", 22..<100), (String(repeating: "חוף", count: 60) + ".mp4", 22..<298),
    ]
  )
  func names(_ name: String, _ columns: Range<Int>) async throws {
    let board = try await RenderBoard("--grid", "2x1")
    try await board.send(#"{"event":"importClip","canvas":"c1","clip":{"path":"clips/\#(name)"}}"#)
    let added = try await pixels(board, "names").changes(from: try await pixels(board, "none"))
    let clip = added.filter { $0.x < 320 && $0.y > 180 }
    #expect(!clip.isEmpty && clip.allSatisfy { columns.contains($0.x) && (310..<338).contains($0.y) })
    // The whole width is used, except for less than a letter and the space around the text.
    let used = (clip.map(\.x).max() ?? 0) - (clip.map(\.x).min() ?? 0)
    #expect((used > 235) == (name.count > 100))
  }

  @Test("A long name of a canvas ends before the state", .enabled(if: Scope.isFull))
  func longCanvasName() async throws {
    let name = String(repeating: "w", count: 64)
    let board = try await RenderBoard("--canvases", "1")
    try await board.done(["canvas", "add", name])
    try await board.done(["tap", name])
    let (none, names) = (try await pixels(board, "none"), try await pixels(board, "names"))
    // The two canvases are side by side.
    let top = names.changes(from: none).filter { $0.x >= 320 }
    #expect(top.allSatisfy { (342..<618).contains($0.x) && $0.y < 60 })
    // Between them is a gap as wide as the space beside a text.
    let columns = Set(top.map(\.x))
    #expect((440..<600).contains { !columns.contains($0) })
  }

  @Test("Canvases that are too small have no text", .enabled(if: Scope.isFull))
  func small() async throws {
    let board = try await RenderBoard("--grid", "8x8")
    #expect(try await pixels(board, "full").bytes == pixels(board, "none").bytes)
  }

  @Test(
    "Without a font, the message names a package, and no picture is written; one without text needs none",
    .enabled(if: Scope.isFull)
  )
  func fonts() async throws {
    let board = try await RenderBoard("--canvases", "2")
    let environment = ["FONTCONFIG_FILE": RenderBoard.fonts("empty")]
    let result = try await board.run(["render", "-o", "picture.png"], environment: environment)
    #expect(result.exitStatus == 2 && result.text == "")
    #expect(
      result.errorOutput
        == "clipcanvas: cannot render the board: no font is installed; install one, such as Debian's package "
        + "fonts-dejavu-core\n"
    )
    #expect(try !board.scratch.names().contains("picture.png"))
    let bare = try await board.run(["render", "--labels", "none", "-o", "picture.png"], environment: environment)
    #expect(bare.exitStatus == 0 && bare.errorOutput.isEmpty)
  }

  @Test("A theme changes the colours of canvases but not of covers", .enabled(if: Scope.isFull))
  func themes() async throws {
    let board = try await RenderBoard("--grid", "2x1")
    try await board.bring([("c1", "h264.mp4")])
    let dark = try await pixels(board, "none")
    let light = try await pixels(board, "none", Self.size + ["--theme", "light"])
    #expect(dark.pixel(1, 1) == [15, 17, 20] && light.pixel(1, 1) == [255, 255, 255])
    #expect(dark.pixel(330, 10) == [38, 42, 49] && light.pixel(330, 10) == [230, 233, 238])
    #expect(dark.pixel(480, 180) == [150, 157, 168] && light.pixel(480, 180) == [96, 103, 115])
    #expect(try await pixels(board, "none", Self.size + ["--theme", "dark"]).bytes == dark.bytes)
    // c1 spans 2…318 by 2…358, and the whole cover 62…298 of its rows.
    #expect(light.changes(from: dark).allSatisfy { !(2..<318).contains($0.x) || !(64..<296).contains($0.y) })
  }
}
