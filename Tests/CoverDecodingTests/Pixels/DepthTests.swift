import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Depths and ranges of pixels")
struct DepthTests {
  static let formats = [
    "yuv420p", "yuvj420p", "yuv420p10le", "yuva420p", "yuva444p10le", "yuva444p12le", "yuv444p16le", "gbrp", "gbrp10le",
    "gbrap", "gbrap10le", "gbrap12le", "gbrp16le", "bgra", "bgr0", "rgb48le", "rgba64le", "gray", "gray10le",
    "gray16le",
    "ya8",
  ]

  /// Returns the 16-bit values of a cover, and whether it has alpha.
  private func deepCover(of clip: FilePath, _ size: SizeLimit, in scratch: ScratchFolder) async throws -> ([Int], Bool)
  {
    var request = CoverRequest(size: size)
    request.bitDepth = 16
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "png_pipe", "-i", scratch("cover.png").string]
        + ["-f", "rawvideo", "-pix_fmt", "rgb48le", "-"]
    )
    let values = stride(from: 0, to: result.output.count - 1, by: 2).map {
      Int(result.output[$0]) | Int(result.output[$0 + 1]) << 8
    }
    return (values, facts.alpha)
  }

  /// Returns ffmpeg's options for a gray of a level of 255.
  ///
  /// ffmpeg widens gray and RGB inexactly, so these are raw.
  private func source(_ format: String, _ level: Int, in scratch: ScratchFolder) throws -> [String] {
    let depths = ["10le": 10, "12le": 12, "16le": 16, "48le": 16, "64le": 16]
    guard !format.hasPrefix("yuv"), let depth = depths[String(format.suffix(4))] else {
      return ["-f", "lavfi", "-i", "color=gray:s=64x64:r=5:d=0.4,lutrgb=r=\(level):g=\(level):b=\(level)"]
    }
    let (most, count) = ((1 << depth) - 1, 64 * 64)
    let (gray, opaque) = (littleEndian((level * most + 127) / 255, bytes: 2), littleEndian(most, bytes: 2))
    let bytes: [[UInt8]] =
      switch format.prefix(5) {
      case "rgba6": (0..<count).map { _ in gray + gray + gray + opaque }
      case "gbrap": (0..<4 * count).map { $0 < 3 * count ? gray : opaque }
      default: Array(repeating: gray, count: format.hasPrefix("gray") ? count : 3 * count)
      }
    let raw = try scratch.write(bytes.joined(), as: "frame.raw")
    return ["-f", "rawvideo", "-pix_fmt", format, "-s", "64x64", "-r", "5", "-i", raw.string]
  }

  // The gray is 128 of 255, which is exact in RGB of 8 and 16 bits, and at most half a step of 8 bits off in others.
  @Test(
    "White of 16 bits is 65535 and opaque clips are opaque, from any format and at any size",
    .enabled(if: Scope.isFull),
    arguments: formats,
    ["", "40"]
  )
  func white(_ format: String, _ size: String) async throws {
    let limit = SizeLimit(size) ?? .none
    let scratch = try ScratchFolder()
    let codec =
      ["yuvj420p": "mjpeg", "ya8": "png", "bgra": "png", "rgb48le": "png", "rgba64le": "png"][format] ?? "ffv1"
    let pixels =
      codec == "png" ? ["bgra": "rgba", "rgb48le": "rgb48be", "rgba64le": "rgba64be"][format] ?? format : format
    for (level, value) in [(255, 65535), (128, 128 * 257), (0, 0)] {
      try await GeneratedClips.make(
        scratch("a.mkv"),
        ["-y"] + (try source(format, level, in: scratch)) + ["-c:v", codec, "-pix_fmt", pixels, "-q:v", "1"]
      )
      let (values, hasAlpha) = try await deepCover(of: scratch("a.mkv"), limit, in: scratch)
      let allowed = value == 128 * 257 ? 200 : 8
      #expect(
        !values.isEmpty && values.allSatisfy { abs($0 - value) <= allowed },
        "\(values.prefix(3)) is not \(value)"
      )
      #expect(!hasAlpha)
    }
  }

  @Test("Each value of 16 bits is kept", .enabled(if: Scope.isFull), arguments: ["gbrp16le", "rgb48le", "gbrap16le"])
  func exact(_ format: String) async throws {
    let scratch = try ScratchFolder()
    let values = (0..<64 * 64 * 3).map { $0 * 5 }
    let bytes = values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8 & 255)] }
    let raw = try scratch.write(bytes, as: "frame.raw")
    try await GeneratedClips.make(
      scratch("a.mkv"),
      ["-f", "rawvideo", "-pix_fmt", "rgb48le", "-s", "64x64", "-i", raw.string, "-c:v", "ffv1", "-pix_fmt", format]
    )
    let (cover, _) = try await deepCover(of: scratch("a.mkv"), .none, in: scratch)
    #expect(cover == values.map { $0 & 0xffff })
  }

  // 235 of limited range is white, 16 black, and 126 is 110 · 255 / 219 = 128.
  @Test(
    "Gray of limited range is stretched at any size",
    .enabled(if: Scope.isFull),
    arguments: [
      ("a.mkv", ["ffv1"]), ("a.mp4", ["libx265", "-x265-params", "range=limited:log-level=none"]),
      ("a.mp4", ["libaom-av1", "-cpu-used", "8"]),
    ],
    ["", "40"]
  )
  func gray(_ clip: (name: String, codec: [String]), _ size: String) async throws {
    let limit = SizeLimit(size) ?? .none
    let scratch = try ScratchFolder()
    for (level, value) in [(235, 255), (16, 0), (126, 128)] {
      let raw = try scratch.write(Array(repeating: UInt8(level), count: 3 * 64 * 64), as: "frames.raw")
      try await GeneratedClips.make(
        scratch(clip.name),
        ["-y", "-f", "rawvideo", "-pix_fmt", "gray", "-color_range", "tv", "-s", "64x64", "-r", "5", "-i", raw.string]
          + ["-c:v"] + clip.codec + ["-pix_fmt", "gray", "-color_range", "tv"]
      )
      let facts = try CoverExtractor.makeCover(of: scratch(clip.name), CoverRequest(size: limit), in: scratch)
      try #require(facts.pixelFormat == "gray" && facts.range == "tv", "\(facts)")
      let pixels = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      #expect(pixels.bytes.allSatisfy { abs(Int($0) - value) <= 1 }, "\(pixels.bytes[0]) is not \(value)")
    }
  }
}
