import SystemPackage
import TestSupport
import Testing

/// Covers whose shape differs too much from that of their canvas, compared with ffmpeg's scaler.
@Suite("Fitting covers")
struct FittingTests {
  /// A cover is 240x320 or 1920x1080, and its canvas is smaller than the picture by two pixels on each side.
  @Test(
    "A cover that would lose too much is shown whole in the middle of its canvas",
    .enabled(if: Scope.isFull),
    arguments: [("rotated-90.mp4", "400x300"), ("1080p.mp4", "304x400"), ("1080p.mp4", "600x200")]
  )
  func whole(_ fixture: String, _ size: String) async throws {
    let board = try await RenderBoard("--canvases", "1")
    try await board.bring([("c1", fixture)])
    let picture = try await board.pixels(["--size", size, "--labels", "none"])
    let cover = board.scratch("board.covers").appending("c1-1.png")
    let gutter = max(1, (min(picture.width, picture.height) + 90) / 180)
    let (width, height) = (picture.width - 2 * gutter, picture.height - 2 * gutter)
    let reference = try await Oracle.pixels(
      of: cover,
      [
        "-vf",
        "format=rgb24,scale=\(width):\(height):force_original_aspect_ratio=decrease:flags=bicubic+full_chroma_int",
      ]
    )
    let (left, top) = (gutter + (width - reference.width) / 2, gutter + (height - reference.height) / 2)
    let shown = picture.part(left, top, reference.width, reference.height)
    let difference = try #require(PixelDifference(shown, reference))
    #expect(difference.decibels >= 38, "\(difference)")
    #expect(left > 20 || top > 20)
    try await expectGround(of: picture, cover, gutter)
  }

  /// Expects the blurred cover, mixed with the colour of the board, in the corners and around the cover.
  private func expectGround(of picture: RawPixels, _ cover: FilePath, _ gutter: Int) async throws {
    let parts = try await Oracle.pixels(of: cover, ["-vf", "format=rgb24,scale=3:3:flags=area"])
    let (right, bottom) = (picture.width - 1 - gutter, picture.height - 1 - gutter)
    for (x, y, column, row) in [
      (gutter, gutter, 0, 0), (right, gutter, 2, 0), (gutter, bottom, 0, 2), (right, bottom, 2, 2),
    ] {
      let expected = zip(parts.pixel(column, row), [15, 17, 20]).map { Int(0.45 * Double($0) + 0.55 * Double($1)) }
      #expect(picture.isAbout(x, y, expected, within: 6), "\(picture.pixel(x, y)) at \(x), \(y) is not \(expected)")
    }
    // The ground changes slowly.
    for x in gutter..<right where picture.height > picture.width {
      #expect(picture.isAbout(x, gutter, picture.pixel(x + 1, gutter), within: 3))
    }
  }

  @Test("A transparent cover shows the colour of the canvas, and a tiny one is enlarged")
  func others() async throws {
    let board = try await RenderBoard("--canvases", "1")
    try await board.bring([("c1", "2x2.mp4")])
    let picture = try await board.pixels(["--size", "400x200", "--labels", "none"])
    // 398 by 198 pixels hold a square of 198 pixels at 101…298.
    let colour = picture.pixel(200, 100)
    #expect(picture.isAbout(103, 100, colour, within: 90) && picture.pixel(60, 100) != picture.pixel(110, 100))
  }
}

extension RawPixels {
  /// Returns a part of an RGB picture.
  func part(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> RawPixels {
    var samples: [UInt8] = []
    for y in top..<top + height {
      let start = (y * self.width + left) * channels
      samples += bytes[start..<start + width * channels]
    }
    return RawPixels(width: width, height: height, channels: channels, bytes: samples)
  }
}
