import SystemPackage
import TestSupport
import Testing

/// Frames that have to be converted before they are shown, compared with the cover of the clip, which has references of
/// its own, and with ffmpeg's filters.
@Suite("HDR and interlaced clips on an exported board")
struct ExportColourTests {
  /// A fixture, and how it fills the only canvas of a board.
  struct Example: CustomTestStringConvertible {
    let clip: String
    let isWide: Bool
    /// The number of frames.
    let frames: Int

    var testDescription: String { clip }
    var width: Int { isWide ? 640 : 480 }
    let height = 360
    /// The canvas without its gutter.
    var place: (width: Int, height: Int) { (width - 4, height - 4) }

    /// The filters that bring a frame to the canvas: it is scaled to the width, and cropped.
    var filter: String {
      let scaled = isWide ? 358 : 357
      return "scale=\(place.width):\(scaled):flags=bicubic:out_color_matrix=bt709:out_range=tv,format=yuv444p,"
        + "crop=\(place.width):\(place.height):0:\((scaled - place.height) / 2),format=yuv420p"
    }
  }

  static let hdr = ["hdr10.mp4", "hlg.mp4", "hdr10.webm"].map { Example(clip: $0, isWide: true, frames: 5) }
  static let interlaced = ["interlaced.m2ts", "interlaced-mpeg2.ts", "interlaced-bff.mov"].map {
    Example(clip: $0, isWide: false, frames: 10)
  }

  private func frames(of example: Example, on board: ExportBoard) async throws -> [Planes] {
    try await board.done(["clip", "import", "c1", ProjectFolder.fixture(example.clip).string])
    try await board.export(["--size", "\(example.width)x\(example.height)", "--fps", "25"])
    let (width, height) = example.place
    let frames = try await board.frames(of: "out.mp4", width: example.width, height: example.height)
    return frames.map { $0.part(x: 2, y: 2, width: width, height: height) }
  }

  /// Returns the cover at a frame, as large as the canvas.
  private func cover(_ example: Example, _ frame: Int, on board: ExportBoard) async throws -> Planes {
    let arguments = ["cover", "--force", "--at", "\(Double(frame) / 25)", "-o", "cover.png"]
    let clip = ProjectFolder.fixture(example.clip).string
    let result = try await Program.run("clipcanvas", arguments + [clip], in: board.scratch.path)
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let (width, height) = example.place
    return try await board.frames(of: "cover.png", width: width, height: height, filter: example.filter)[0]
  }

  @Test("HDR is tone-mapped as in covers", .enabled(if: Scope.isFull), arguments: hdr)
  func toneMapped(_ example: Example) async throws {
    let board = try await ExportBoard("--grid", "1x1")
    let frames = try await frames(of: example, on: board)
    #expect(frames.count == example.frames)
    // What ffmpeg shows without tone mapping stays below 20 dB.
    for number in [0, example.frames - 1] {
      let quality = frames[number].quality(comparedWith: try await cover(example, number, on: board))
      #expect(quality >= 40, "frame \(number) has \(quality) dB")
    }
  }

  @Test("The matrix that only the container states is used", .enabled(if: Scope.isFull))
  func stated() async throws {
    let board = try await ExportBoard("--grid", "1x1")
    let encoder = ["-pix_fmt", "yuv420p", "-c:v", "libx265", "-x265-params", "log-level=none"]
    try await board.ffmpeg(
      ["-f", "lavfi", "-i", "color=red:s=320x240:r=5:d=1", "-vf", "scale=out_color_matrix=bt709"] + encoder
        + ["plain.mp4"]
    )
    let tags = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]
    try await board.ffmpeg(["-i", "plain.mp4", "-c", "copy"] + tags + ["red.mp4"])
    try await board.done(["clip", "import", "c1", "red.mp4"])
    try await board.export(["--size", "320x240", "--fps", "5"])
    let middle = try await board.frames(of: "out.mp4", width: 320, height: 240)[0].part(
      x: 160,
      y: 120,
      width: 2,
      height: 2
    )
    // Red of BT.709; treated as BT.601, it would be 62, 103 and 226.
    #expect(zip(middle.bytes, [63, 63, 63, 63, 102, 240]).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(middle.bytes)")
  }

  @Test(
    "Interlaced frames show the field presented first, without combing",
    .enabled(if: Scope.isFull),
    arguments: interlaced
  )
  func deinterlaced(_ example: Example) async throws {
    let board = try await ExportBoard("--grid", "1x1")
    let frames = try await frames(of: example, on: board)
    #expect(frames.count == example.frames)
    let cover = try await cover(example, 0, on: board)
    #expect(frames[0].quality(comparedWith: cover) >= 32)
    let (width, height) = example.place
    let clip = ProjectFolder.fixture(example.clip).string
    func reference(_ filter: String) async throws -> [Planes] {
      try await board.frames(of: clip, width: width, height: height, filter: filter + example.filter)
    }
    let (expected, woven) = (try await reference("bwdif=mode=send_frame,"), try await reference(""))
    for (number, (frame, (expected, woven))) in zip(frames, zip(expected, woven)).enumerated() {
      let (quality, combed) = (frame.quality(comparedWith: expected), woven.quality(comparedWith: expected))
      #expect(combed < 22, "the clip does not test what it should: \(combed) dB")
      #expect(quality >= 30, "frame \(number) has \(quality) dB")
    }
  }
}
