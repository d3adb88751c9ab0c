import CoverDecoding
import Covers
import Pictures
import SystemPackage
import TestSupport
import Testing

@Suite("Scaled transparent clips")
struct TransparencyTests {
  static let codecs = [
    ("a.mov", ["qtrle", "-pix_fmt", "argb"]), ("a.mov", ["png", "-pix_fmt", "rgba"]),
    ("a.mov", ["png", "-pix_fmt", "rgba64be"]), ("a.mkv", ["ffv1", "-pix_fmt", "yuva420p"]),
    ("a.mkv", ["ffv1", "-pix_fmt", "yuva444p10le"]),
    ("a.mkv", ["ffv1", "-pix_fmt", "bgra"]), ("a.avi", ["huffyuv", "-pix_fmt", "bgra"]),
    ("a.avi", ["utvideo", "-pix_fmt", "gbrap"]), ("a.apng", ["apng", "-pix_fmt", "rgba", "-plays", "0"]),
    ("a.mov", ["prores_ks", "-pix_fmt", "yuva444p10le", "-profile:v", "4444"]), ("a.gif", ["gif"]),
  ]

  /// Makes a clip of frames that are given by the colour of each pixel.
  private func makeClip(
    _ clip: (name: String, options: [String]),
    _ size: PixelSize,
    in scratch: ScratchFolder,
    colour: (Int, Int) -> [UInt8]
  ) async throws -> FilePath {
    let frame = (0..<size.height).flatMap { y in (0..<size.width).flatMap { colour($0, y) } }
    let raw = try scratch.write(frame + frame, as: "frames.raw")
    let palette = "split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse"
    try await GeneratedClips.make(
      scratch(clip.name),
      ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", "\(size.width)x\(size.height)", "-r", "5", "-i", raw.string]
        + (clip.options[0] == "gif" ? ["-filter_complex", palette] : []) + ["-c:v"] + clip.options
    )
    return scratch(clip.name)
  }

  private func cover(of clip: FilePath, _ request: CoverRequest, in scratch: ScratchFolder) async throws -> RawPixels {
    _ = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    return try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: true)
  }

  @Test("A white shape has no dark edge", .enabled(if: Scope.isFull), arguments: codecs, ["60", "250"])
  func edges(_ clip: (name: String, options: [String]), _ size: String) async throws {
    let scratch = try ScratchFolder()
    let square = try await makeClip(clip, PixelSize(width: 300, height: 600), in: scratch) { x, y in
      (101..<199).contains(x) && (101..<499).contains(y) ? [255, 255, 255, 255] : [0, 0, 0, 0]
    }
    var request = CoverRequest(size: try #require(SizeLimit(size)))
    var pixels = try await cover(of: square, request, in: scratch)
    let visible = stride(from: 0, to: pixels.bytes.count, by: 4).filter { pixels.bytes[$0 + 3] > 0 }
    #expect(visible.count > 0 && visible.count < pixels.width * pixels.height / 2)
    #expect(visible.allSatisfy { pixels.bytes[$0..<$0 + 3].allSatisfy { $0 >= 253 } })
    request.background = Colour("white")
    pixels = try await cover(of: square, request, in: scratch)
    #expect(pixels.bytes.allSatisfy { $0 >= 253 })
  }

  /// ffmpeg's filters, in an order that gives the same result, with 16 bits.
  @Test(
    "Colours are those that ffmpeg scales multiplied by their alpha",
    .enabled(if: Scope.isFull),
    arguments: codecs.filter { $0.1[0] != "gif" },
    ["60", "150"]
  )
  func colours(_ clip: (name: String, options: [String]), _ size: String) async throws {
    let scratch = try ScratchFolder()
    // Higher than two bands, with soft edges.
    let drawn = try await makeClip(clip, PixelSize(width: 200, height: 620), in: scratch) { x, y in
      let alpha = max(0, 255 - abs(x - 100) * abs(y - 310) / 30)
      return [UInt8(x), UInt8(y * 255 / 620), UInt8(255 - x), UInt8(alpha)]
    }
    let limit = try #require(SizeLimit(size))
    let ours = try await cover(of: drawn, CoverRequest(size: limit), in: scratch)
    let filter =
      "scale=flags=bicubic+full_chroma_int+accurate_rnd,format=gbrap16,premultiply=inplace=1,"
      + "scale=\(ours.width):\(ours.height):flags=bicubic+full_chroma_int+accurate_rnd,unpremultiply=inplace=1"
    let reference = try await Oracle.pixels(of: drawn, ["-vf", filter], hasAlpha: true)
    let difference = try #require(PixelDifference(ours.composited(over: 128), reference.composited(over: 128)))
    #expect(difference.decibels >= 46 && difference.largest <= 12, "\(difference)")
    let alphas = try #require(PixelDifference(ours.alphas, reference.alphas))
    #expect(alphas.largest <= 2, "\(alphas)")
  }

  @Test(
    "An opaque clip with alpha has the cover of the same clip without",
    .enabled(if: Scope.isFull),
    arguments: ["60", "150", "200"]
  )
  func opaque(_ size: String) async throws {
    let scratch = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "testsrc2=s=200x400:r=5:d=0.4,format=yuv420p", "-c:v", "ffv1"]
    try await GeneratedClips.make(scratch("plain.mkv"), source)
    try await GeneratedClips.make(scratch("alpha.mkv"), source + ["-pix_fmt", "yuva420p"])
    let request = CoverRequest(size: try #require(SizeLimit(size)))
    let plain = try await cover(of: scratch("plain.mkv"), request, in: scratch)
    let alpha = try await cover(of: scratch("alpha.mkv"), request, in: scratch)
    let difference = try #require(PixelDifference(plain, alpha))
    #expect(difference.largest <= 1, "\(difference)")
  }
}
