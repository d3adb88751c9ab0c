import FoundationEssentials
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// The output of `clipcanvas board render`, compared with values calculated by hand.
@Suite("Rendering")
struct RenderTests {
  private static let table = [15, 17, 20]
  private static let ground = [38, 42, 49]
  private static let takeGround = [52, 26, 29]
  private static let ink = [232, 235, 239]
  private static let softInk = [150, 157, 168]
  private static let red = [230, 38, 44]
  private static let green = [52, 199, 120]
  private static let previewGround = [28, 50, 76]

  @Test("The red disc and border of a recording are in the right places", .enabled(if: Scope.isFull))
  func recording() async throws {
    let board = try await RenderBoard("--grid", "2x1")
    try await board.done(["tap", "c1"])
    try await board.done(["record", "start"])
    let picture = try await board.pixels()
    #expect(picture.width == 1280 && picture.height == 720)
    // c1 spans 4…636 by 4…716, so it is 632 wide and its centre is 320, 360; disc 0.19 and ring 0.27 of 632, border 22,
    // line 6.
    #expect(picture.pixel(1, 1) == Self.table && picture.pixel(639, 300) == Self.table)
    for (x, y) in [(4, 4), (25, 360), (635, 715), (614, 300), (320, 4), (320, 25), (320, 694)] {
      #expect(picture.pixel(x, y) == Self.red, "border at \(x), \(y)")
    }
    #expect(picture.pixel(28, 360) == Self.table && picture.pixel(36, 360) == Self.takeGround)
    for (x, y) in [(320, 360), (438, 360), (202, 360), (320, 478), (400, 440)] {
      #expect(picture.pixel(x, y) == Self.red, "disc at \(x), \(y)")
    }
    #expect(picture.pixel(455, 360) == Self.takeGround && picture.pixel(405, 445) == Self.takeGround)
    #expect(picture.pixel(320 + 160, 360) == Self.ink && picture.pixel(320 + 173, 360) == Self.takeGround)
    // c2 spans 644…1276: a plus with arms of 0.34 and a thickness of 0.06 of 632, and no border.
    #expect(picture.pixel(644, 4) == Self.ground && picture.pixel(1275, 715) == Self.ground)
    #expect(picture.pixel(960 + 105, 360) == Self.softInk && picture.pixel(960 + 110, 360) == Self.ground)
    #expect(picture.pixel(960, 360 - 105) == Self.softInk && picture.pixel(960 + 25, 360 - 25) == Self.ground)
  }

  @Test("A preview is a viewfinder around a green dot, and its sign has nothing of a triangle in a ring")
  func preview() async throws {
    let board = try await RenderBoard("--grid", "2x1")
    try await board.done(["tap", "c1"])
    let picture = try await board.pixels()
    // c1 is 632 wide with its centre at 320, 360: a frame of 354 by 265 with arms of 76 and a thickness of 20; dot 0.075.
    for (x, y) in [(145, 230), (215, 235), (150, 300), (490, 230), (425, 235), (145, 490), (490, 490), (490, 420)] {
      #expect(picture.pixel(x, y) == Self.ink, "frame at \(x), \(y)")
    }
    for (x, y) in [(320, 235), (320, 485), (150, 360), (490, 360), (400, 360), (320, 420), (180, 270)] {
      #expect(picture.pixel(x, y) == Self.previewGround, "between at \(x), \(y)")
    }
    for (x, y) in [(320, 360), (362, 360), (320, 318)] { #expect(picture.pixel(x, y) == Self.green) }
  }

  @Test("The mark of a playing clip leaves room for the sign of a missing cover", .enabled(if: Scope.isFull))
  func playingWithoutCover() async throws {
    let board = try await RenderBoard("--grid", "2x1")
    _ = try await board.run(["clip", "import", "--no-check", "c1", ProjectFolder.fixture("sound-only.m4a").string])
    let options = ["--labels", "none"]
    let still = try await board.pixels(options)
    try await board.done(["tap", "c2"])
    try await board.done(["record", "start"])
    let changes = try await board.pixels(options).changes(from: still).filter { $0.x < 640 }
    // c1 spans 4…636, so the mark is 69 wide at a distance of 41 from the corner; the sign begins 152 above the middle.
    #expect(!changes.isEmpty && changes.allSatisfy { (525..<596).contains($0.x) && (44..<116).contains($0.y) })
    let sign = (0..<640).flatMap { x in (0..<720).filter { still.pixel(x, $0) == [236, 172, 62] } }
    #expect(try #require(sign.min()) > 180)
  }

  @Test(
    "A picture is sharp at small and large sizes",
    .enabled(if: Scope.isFull),
    arguments: [(160, 90), (3840, 2160), (7680, 4320), (97, 1999)]
  )
  func sizes(width: Int, height: Int) async throws {
    let board = try await RenderBoard("--grid", "2x1")
    try await board.done(["tap", "c2"])
    let picture = try await board.pixels(["--size", "\(width)x\(height)"])
    #expect(picture.width == width && picture.height == height)
    let (middle, edge) = (height / 2, width / 2)
    // The border is sharp: the gutter, then red, then the dark line, without mixed colours between them.
    let row = (edge..<width).map { picture.pixel($0, middle) }
    let border = row.drop { $0 == Self.table }.prefix { $0 == Self.red }
    #expect(border.count >= 2 && row.first == Self.table)
    #expect(row.dropFirst(border.endIndex).first == Self.table)
    // The preview's dot is present and smoothed only at its edge.
    let inked = row.count { $0 == Self.green }
    #expect(inked >= width / 30)
  }

  @Test(
    "A cover is scaled and cropped as by ffmpeg",
    .enabled(if: Scope.isFull),
    arguments: ["1080p.mp4", "anamorphic.mp4", "h264.mp4"]
  )
  func cover(_ fixture: String) async throws {
    let board = try await RenderBoard("--canvases", "1")
    try await board.bring([("c1", fixture)])
    let picture = try await board.pixels(["--size", "400x300", "--labels", "none"])
    let size = "396:296"
    let reference = try await Oracle.pixels(
      of: board.scratch("board.covers").appending("c1-1.png"),
      [
        "-vf",
        "scale=\(size):force_original_aspect_ratio=increase:flags=bicubic+full_chroma_int,format=rgb24,"
          + "crop=\(size):floor((iw-ow)/2):floor((ih-oh)/2),pad=400:300:2:2:0x0f1114",
      ]
    )
    let difference = try #require(PixelDifference(picture, reference))
    #expect(difference.decibels >= 38, "\(difference)")
  }

  @Test("A transparent cover is shown on the background of its canvas", .enabled(if: Scope.isFull))
  func transparency() async throws {
    let board = try await RenderBoard("--canvases", "1")
    try await board.bring([("c1", "vp9-alpha.webm")])
    let picture = try await board.pixels(["--size", "320x240"])
    #expect(picture.isAbout(160, 120, Self.ground, within: 3))
  }

  @Test("Another layout changes the picture but not the board")
  func layout() async throws {
    let board = try await RenderBoard("--grid", "3x1")
    let bytes = try ScratchFolder.read(board.path)
    let names = try board.scratch.names()
    let picture = try await board.pixels(["--size", "640x360", "--layout", "one-left-two-right"])
    // The plus of c1 is in the middle of the left half, those of c2 and c3 are in the middle of the right quarters.
    for (x, y) in [(160, 180), (480, 90), (480, 270)] { #expect(picture.pixel(x, y) == Self.softInk) }
    #expect(picture.pixel(480, 180) == Self.table)
    let grid = try await board.pixels(["--size", "640x360", "--grid", "1x3"])
    for (x, y) in [(320, 60), (320, 180), (320, 300)] { #expect(grid.pixel(x, y) == Self.softInk) }
    #expect(try ScratchFolder.read(board.path) == bytes)
    #expect(try board.scratch.names() == (names + ["picture.png"]).sorted())
  }

  @Test("A gutter separates a canvas from the one that it overlaps", .enabled(if: Scope.isFull))
  func inset() async throws {
    let board = try await RenderBoard("--canvases", "1")
    try await board.done(["canvas", "add", "c2", "--region", "0.5,0.5,0.4,0.4"])
    try await board.bring([("c2", "1080p.mp4")])
    let picture = try await board.pixels(["--labels", "none"])
    // c2 spans 640…1152 by 360…648; the outer 4 pixels are the gutter.
    for (x, y) in [(640, 500), (643, 500), (1151, 500), (900, 360), (900, 647)] {
      #expect(picture.pixel(x, y) == Self.table, "gutter at \(x), \(y)")
    }
    for (x, y) in [(639, 500), (1152, 500), (900, 648)] { #expect(picture.pixel(x, y) == Self.ground) }
    #expect(picture.pixel(644, 500) != Self.table && picture.pixel(900, 364) != Self.table)
  }

  @Test("A picture always has the same bytes, on standard output too", .enabled(if: Scope.isFull))
  func sameBytes() async throws {
    let board = try await RenderBoard("--grid", "2x2")
    try await board.bring([("c1", "1080p.mp4"), ("c2", "vp8-alpha.webm")])
    try await board.done(["tap", "c3"])
    try await board.done(["record", "start"])
    #expect(try await board.render(as: "a.png").exitStatus == 0)
    // The recording's duration is in no other picture than that with all labels.
    let full = try await board.pixels(["--labels", "full"]).bytes
    try await eventually("the recording lasts longer") { try await board.pixels(["--labels", "full"]).bytes != full }
    #expect(try await board.render(as: "b.png").exitStatus == 0)
    let output = try await board.render(as: "-")
    #expect(output.exitStatus == 0 && output.errorOutput.isEmpty)
    let bytes = try ScratchFolder.read(board.scratch("a.png"))
    #expect(try ScratchFolder.read(board.scratch("b.png")) == bytes)
    #expect(output.output == bytes)
    // No other file is left behind.
    let names = [".board.json.lock", "a.png", "b.png", "board.covers", "board.json", "picture.png"]
    #expect(try board.scratch.names() == names)
  }

  @Test("A picture is reported as a line of text or as JSON")
  func told() async throws {
    let board = try await RenderBoard("--grid", "2x2")
    #expect(try await board.render(["--size", "64x48"]).text == "board.json → picture.png  64×48\n")
    try await board.claimCover("gone.png", on: "c2")
    let result = try await board.render(["--json", "--size", "64x48"])
    let record = try JSONDecoder().decode(Record.self, from: Data(result.output))
    #expect(record.board == "board.json" && record.picture == "picture.png" && record.canvases == 4)
    #expect(record.width == 64 && record.height == 48 && record.revision == 2)
    #expect(record.problems == [.init(canvas: "c2", cover: "gone.png", reason: "missing")])
  }

  private struct Record: Decodable {
    struct Problem: Decodable, Equatable {
      let canvas: String
      let cover: String
      let reason: String
    }
    let board: String
    let picture: String
    let width: Int
    let height: Int
    let revision: Int
    let canvases: Int
    let problems: [Problem]
  }

  @Test("For a thousand canvases, each cover is decoded once per size", .enabled(if: Scope.isFull))
  func thousand() async throws {
    let board = try await RenderBoard("--grid", "40x25")
    try await board.bring([("c1", "h264.mp4")])
    let others = (2...1000).map { "c\($0)" }
    try await board.bringWithoutCover(others)
    let ready = others.map {
      #"{"event":"coverReady","canvas":"\#($0)","generation":3,"cover":{"path":"board.covers/c1-1.png"}}"#
    }
    try await board.send(ready.joined(separator: "\n"))
    let log = board.scratch("strace.log")
    let result = try await Program.runTool(
      "strace",
      ["-f", "-qq", "-s", "400", "-e", "trace=sendmsg", "-o", log.string]
        + [ProjectFolder.program("clipcanvas").string, "board", "render", "--board", board.path.string]
        + ["-o", board.scratch("picture.png").string, "--sandbox", "off"]
    )
    #expect(result.exitStatus == 0 && result.errorOutput.isEmpty)
    // 40 columns of 32 pixels and 25 rows of 28 or 29 pixels result in two sizes.
    let requests = String(decoding: try ScratchFolder.read(log), as: UTF8.self).split(separator: "\n")
      .count { $0.contains(#"\"fill\""#) }
    #expect(requests == 2)
    let picture = try await Oracle.pixels(ofPNG: board.scratch("picture.png"), hasAlpha: false)
    // Each canvas shows the cover's green bar a quarter of its width from the left.
    for column in 0..<40 { #expect(picture.isAbout(column * 32 + 10, 300, picture.pixel(10, 300))) }
  }
}
