import BoardSupport
import BoardVideo
import CanvasModel
import SystemPackage
import TestSupport
import Testing

@Suite("The shape of an exported board")
struct BestShapeTests {
  /// A board, the shapes of its clips, and the best shape, worked out by hand.
  struct Example: CustomTestStringConvertible {
    let name: String
    let grid: (columns: Int, rows: Int)
    let clips: [Double?]
    let shape: Double

    var testDescription: String { name }
  }

  private static let (wide, tall) = (16.0 / 9, 9.0 / 16)

  static let examples = [
    // Three clips that fill their canvases, and a tall clip that fills a third: 3.3 of 4, against 1.9 for a tall board.
    Example(name: "three wide and a tall one", grid: (2, 2), clips: [wide, wide, tall, wide], shape: wide),
    Example(name: "three tall and a wide one", grid: (2, 2), clips: [tall, tall, tall, wide], shape: tall),
    Example(name: "a row of wide ones", grid: (3, 1), clips: [wide, wide, wide], shape: 3 * wide),
    Example(name: "a column of tall ones", grid: (1, 3), clips: [tall, tall, tall], shape: tall / 3),
    Example(name: "old television", grid: (2, 2), clips: [4.0 / 3, nil, nil, nil], shape: 4.0 / 3),
    // Both fill one canvas and a third of the other; 9:8 is nearer to 16:9 than 32:9 is.
    Example(name: "one of each", grid: (2, 1), clips: [wide, tall], shape: 2 * tall),
    Example(name: "no known shape", grid: (2, 2), clips: [nil, nil, nil, nil], shape: wide),
  ]

  @Test("Most of the clips is shown", arguments: examples)
  func shape(_ example: Example) {
    let places = Region.grid(columns: example.grid.columns, rows: example.grid.rows)
    let clips = zip(places, example.clips).compactMap { place, shape in shape.map { (place, $0) } }
    #expect(abs(BestShape.shape(for: clips) - example.shape) < 1e-9)
  }

  @Test(
    "A video without a given size has as many pixels as 1920x1080, and valid sides",
    arguments: [
      (wide, "1920x1080"), (tall, "1080x1920"), (1, "1440x1440"), (4.0 / 3, "1662x1248"), (1e9, "4072x510"),
      (1e-9, "510x4072"),
    ]
  )
  func size(_ shape: Double, _ size: String) {
    #expect("\(VideoSize(shape: shape))" == size)
    #expect(VideoSize(size) != nil)
  }

  @Test("Without --size, the shape of a video suits its clips as they are shown", .enabled(if: Scope.isFull))
  func export() async throws {
    let board = try await ExportBoard("--grid", "2x2")
    for canvas in ["c1", "c2", "c4"] {
      try await board.bring("\(canvas).mp4", to: canvas, video: "testsrc2=s=320x180:r=10:d=0.3")
    }
    // A clip of 160×120 pixels that is turned upright when it is shown.
    try await board.done(["clip", "import", "c3", ProjectFolder.fixture("rotated-90.mp4").string])
    func size(_ options: String...) async throws -> String {
      try await board.done(["export", "--force", "--fps", "10", "-o", "out.mp4"] + options)
      let words = ["-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of", "csv=p=0"]
      return try await Program.runTool("ffprobe", words + [board.scratch("out.mp4").string]).text
    }
    #expect(try await size() == "1920,1080\n")
    #expect(try await size("--grid", "4x1") == "3840,540\n")
    for canvas in ["c1", "c2", "c4"] { try await board.done(["clip", "remove", canvas]) }
    #expect(try await size() == "1248,1662\n")
    #expect(try await size("--size", "320x180") == "320,180\n")
  }
}
