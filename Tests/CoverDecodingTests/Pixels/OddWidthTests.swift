import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Covers of clips with an odd width")
struct OddWidthTests {
  static let clips = [
    ("a.mov", ["rgb24", "qtrle"]), ("a.mov", ["argb", "qtrle"]), ("a.mov", ["rgb24", "png"]),
    ("a.mkv", ["bgr0", "ffv1"]), ("a.mkv", ["gbrp10le", "ffv1"]), ("a.avi", ["bgr24", "rawvideo"]),
    ("a.mov", ["rgb48be", "png"]), ("a.mkv", ["yuv444p", "ffv1"]), ("a.mkv", ["yuv420p", "ffv1"]),
  ]

  @Test(
    "The last column has the colour of the frame",
    .enabled(if: Scope.isFull),
    arguments: clips,
    ["320", "256", "100"]
  )
  func column(_ clip: (name: String, options: [String]), _ size: String) async throws {
    let scratch = try ScratchFolder()
    let format = "format=\(clip.options[0])"
    try await GeneratedClips.make(
      scratch(clip.name),
      ["-f", "lavfi", "-i", "color=red:s=641x361:r=5:d=0.4,\(format)", "-c:v", clip.options[1]]
    )
    let limit = try #require(SizeLimit(size))
    _ = try CoverExtractor.makeCover(of: scratch(clip.name), CoverRequest(size: limit), in: scratch)
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let column = (0..<cover.height).map { row in
      cover.bytes[((row + 1) * cover.width - 1) * 3..<(row + 1) * cover.width * 3].map { Int($0) }
    }
    #expect(column.allSatisfy { zip($0, [255, 0, 0]).allSatisfy { abs($0 - $1) <= 4 } }, "\(column[0])")
  }
}
