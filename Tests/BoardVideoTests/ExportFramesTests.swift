import SystemPackage
import TestSupport
import Testing

/// Compares each frame with one composed by ffmpeg, which decodes and scales each clip alone, and by this test, which
/// puts the frames in their places.
@Suite("Frames of an exported board")
struct ExportFramesTests {
  private static let (width, height) = (640, 360)
  /// The canvases without their gutter.
  private static let place = (width: 316, height: 176)
  private static let corners = [(2, 2), (322, 2), (2, 182), (322, 182)]
  /// The clips of the first three canvases: their rates, durations and frames in a video of 30 frames a second.
  private static let clips = [("30", "1", 30), ("24000/1001", "1.5015", 45), ("60", "0.5", 15)]

  /// Returns a board with three clips and their covers.
  private func board() async throws -> ExportBoard {
    let board = try await ExportBoard("--grid", "2x2")
    for (index, clip) in Self.clips.enumerated() {
      let source = "testsrc2=size=320x180:rate=\(clip.0):duration=\(clip.1),hue=h=\(index * 70)"
      try await board.bring("\(index).mp4", to: "c\(index + 1)", video: source)
    }
    return board
  }

  /// The frames of the clips, each decoded alone.
  private func sources(of board: ExportBoard) async throws -> [[Planes]] {
    var sources: [[Planes]] = []
    for index in Self.clips.indices {
      let filter = "fps=30,scale=316:178:flags=bicubic,format=yuv444p,crop=316:176:0:1,format=yuv420p"
      sources.append(
        try await board.frames(
          of: "\(index).mp4",
          width: Self.place.width,
          height: Self.place.height,
          filter: filter
        )
      )
    }
    return sources
  }

  /// The picture of the board, with the covers of canvases or a plus.
  private func picture(of board: ExportBoard) async throws -> Planes {
    try await board.done(["render", "--labels", "none", "--size", "640x360", "-o", "board.png"])
    let filter = "scale=out_color_matrix=bt709:out_range=tv"
    return try await board.frames(of: "board.png", width: Self.width, height: Self.height, filter: filter)[0]
  }

  private func expectFrames(
    _ frames: [Planes],
    from starts: [Int],
    _ sources: [[Planes]],
    over picture: Planes,
    after: (_ clip: Int, _ passed: Int, _ frames: [Planes]) -> Planes?
  ) {
    for (number, frame) in frames.enumerated() {
      var expected = picture
      for (index, source) in sources.enumerated() {
        let (passed, count) = (number - starts[index], Self.clips[index].2)
        guard passed >= 0 else { continue }
        let shown = passed < count ? source[min(passed, source.count - 1)] : after(index, passed, source)
        if let shown { expected.draw(shown, x: Self.corners[index].0, y: Self.corners[index].1) }
      }
      let quality = frame.quality(comparedWith: expected)
      #expect(quality >= 38, "frame \(number) has \(quality) dB")
    }
  }

  private func exported(_ board: ExportBoard, _ options: [String]) async throws -> [Planes] {
    try await board.export(["--size", "640x360"] + options)
    return try await board.frames(of: "out.mp4", width: Self.width, height: Self.height)
  }

  @Test(
    "After its clip, a canvas holds the last frame, plays again, or shows its cover or a plus",
    .enabled(if: Scope.isFull)
  )
  func policies() async throws {
    let board = try await board()
    let (sources, picture) = (try await sources(of: board), try await picture(of: board))
    let plus = picture.part(x: 322, y: 182, width: Self.place.width, height: Self.place.height)
    let held = try await exported(board, ["--after", "hold"])
    #expect(held.count == 45)
    expectFrames(held, from: [0, 0, 0], sources, over: picture) { $2[min(Self.clips[$0].2, $2.count) - 1] }
    let looped = try await exported(board, ["--after", "loop", "--length", "2", "--force"])
    #expect(looped.count == 60)
    expectFrames(looped, from: [0, 0, 0], sources, over: picture) { $2[min($1 % Self.clips[$0].2, $2.count - 1)] }
    let covers = try await exported(board, ["--after", "cover", "--force"])
    expectFrames(covers, from: [0, 0, 0], sources, over: picture) { _, _, _ in nil }
    let signs = try await exported(board, ["--after", "plus", "--length", "1.2", "--force"])
    #expect(signs.count == 36)
    expectFrames(signs, from: [0, 0, 0], sources, over: picture) { _, _, _ in plus }
  }

  @Test("In sequence, each clip starts when the one before has ended, and until then its canvas shows the cover")
  func sequence() async throws {
    let board = try await board()
    let (sources, picture) = (try await sources(of: board), try await picture(of: board))
    let frames = try await exported(board, ["--order", "sequence", "--after", "cover"])
    #expect(frames.count == 90)
    expectFrames(frames, from: [0, 30, 75], sources, over: picture) { _, _, _ in nil }
  }

  @Test("The same board gives the same bytes, with and without the sandbox", .enabled(if: Scope.isFull))
  func sameBytes() async throws {
    let board = try await board()
    try await board.export([], as: "one.mp4")
    try await board.export([], as: "two.mp4")
    try await board.export(["--sandbox", "off"], as: "three.mp4")
    let one = try ScratchFolder.read(board.scratch("one.mp4"))
    #expect(try ScratchFolder.read(board.scratch("two.mp4")) == one)
    #expect(try ScratchFolder.read(board.scratch("three.mp4")) == one)
  }

  @Test("Canvases at odd positions have the right colours up to their edges", .enabled(if: Scope.isFull))
  func oddPlaces() async throws {
    let board = try await ExportBoard("--grid", "2x2")
    try await board.bring("a.mp4", to: "c1", video: "color=red:size=320x180:rate=30:duration=0.2")
    try await board.bring("b.mp4", to: "c4", video: "color=blue:size=320x180:rate=30:duration=0.2")
    try await board.export(["--size", "318x178"])
    try await board.done(["render", "--labels", "none", "--size", "318x178", "-o", "board.png"])
    let filter = "scale=out_color_matrix=bt709:out_range=tv"
    let picture = try await board.frames(of: "board.png", width: 318, height: 178, filter: filter)
    let frames = try await board.frames(of: "out.mp4", width: 318, height: 178)
    #expect(frames.count == 6)
    for frame in frames { #expect(frame.quality(comparedWith: picture[0]) >= 38) }
  }

  @Test(
    "A canvas in front of another has the same gutter as in the picture of the board",
    .enabled(if: Scope.isFull),
    arguments: [0.3, 0.2713]
  )
  func inset(_ corner: Double) async throws {
    let board = try await ExportBoard("--grid", "1x1")
    try await board.done(["canvas", "add", "c2", "--region", "\(corner),\(corner),0.4,0.35"])
    try await board.bring("a.mp4", to: "c1", video: "color=red:size=320x180:rate=30:duration=0.2")
    try await board.bring("b.mp4", to: "c2", video: "color=blue:size=320x180:rate=30:duration=0.2")
    try await board.export(["--size", "318x178", "--theme", "light"])
    try await board.done(["render", "--labels", "none", "--theme", "light", "--size", "318x178", "-o", "board.png"])
    let filter = "scale=out_color_matrix=bt709:out_range=tv"
    let picture = try await board.frames(of: "board.png", width: 318, height: 178, filter: filter)
    for frame in try await board.frames(of: "out.mp4", width: 318, height: 178) {
      #expect(frame.quality(comparedWith: picture[0]) >= 38)
    }
  }

  @Test(
    "Frames of AVI, which has no presentation times, are shown at theirs",
    .enabled(if: Scope.isFull),
    arguments: ["libx264", "mpeg4"]
  )
  func frameOrder(_ codec: String) async throws {
    let board = try await ExportBoard("--grid", "1x1")
    let source = "color=black:size=160x90:rate=25:duration=2,geq=lum='20+4*N':cb=128:cr=128"
    try await board.bring("a.avi", to: "c1", video: source, options: ["-c:v", codec, "-q:v", "1", "-bf", "2"])
    try await board.export(["--fps", "25", "--size", "160x90"])
    let found = try await board.frames(of: "out.mp4", width: 160, height: 90)
    #expect(found.count == 50)
    for (number, frame) in found.enumerated() {
      let brightness = frame.part(x: 40, y: 20, width: 80, height: 50).brightness
      #expect(abs(brightness - Double(20 + 4 * number)) < 2, "frame \(number) has \(brightness)")
    }
  }
}
