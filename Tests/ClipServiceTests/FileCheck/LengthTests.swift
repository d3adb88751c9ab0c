import ClipService
import Covers
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Maximum file length of a cover")
struct LengthTests {
  private static func check(_ format: CoverFormat, _ width: Int, _ height: Int) -> CoverFileCheck {
    var request = CoverRequest()
    request.format = format
    let size = PixelSize(width: width, height: height)
    return CoverFileCheck(request: request, size: size, hasAlpha: format != .jpeg, texts: RealCover.texts, facts: nil)
  }

  @Test("A file of 1 GiB for 16×16 pixels is rejected without being read", arguments: CoverFormat.allCases)
  func unread(_ format: CoverFormat) throws {
    // Reading any of this memory crashes the program.
    let length = 1 << 30
    let memory = try #require(mmap(nil, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
    try #require(memory != MAP_FAILED)
    defer { munmap(memory, length) }
    let check = Self.check(format, 16, 16)
    let flaw = #expect(throws: CoverFlaw.self) {
      try check.validate(UnsafeRawBufferPointer(start: memory, count: length))
    }
    #expect(flaw == .length(length, most: check.maximumBytes))
    #expect(check.maximumBytes < 64 << 10)
  }

  @Test(
    "Even noise at the best quality stays within the limit",
    .enabled(if: Scope.isFull),
    arguments: ["1x1", "17x9", "64x64", "301x200"]
  )
  func noise(_ size: String) async throws {
    let scratch = try ScratchFolder()
    for bits in [8, 16] {
      let clip = try await Noise.clip(size, bits: bits, in: scratch)
      for format in CoverFormat.allCases {
        for quality in [60, 100] {
          var request = CoverRequest()
          (request.format, request.quality) = (format, quality)
          if format == .png { request.bitDepth = bits }
          let cover = try RealCover(of: clip, request)
          #expect(cover.flaw(of: cover.bytes) == nil, "\(format) of \(bits) bits, \(cover.bytes.count) bytes")
          #expect(cover.check.hasAlpha == (format != .jpeg))
        }
      }
    }
  }

  @Test("A PNG of noise comes close to the limit, so the limit is effective", .enabled(if: Scope.isFull))
  func near() async throws {
    let scratch = try ScratchFolder()
    for bits in [8, 16] {
      var request = CoverRequest()
      request.bitDepth = bits
      let cover = try RealCover(of: try await Noise.clip("301x200", bits: bits, in: scratch), request)
      #expect(Double(cover.bytes.count) > 0.85 * Double(cover.check.maximumBytes), "\(bits) bits")
    }
  }

  @Test("The limit of the largest picture is computed without overflow", arguments: CoverFormat.allCases)
  func largest(_ format: CoverFormat) {
    let side = SizeLimit.largestSide
    #expect(Self.check(format, side, side).maximumBytes > side * side)
  }

  @Test(
    "A size that the request does not allow is rejected first",
    arguments: [(0, 16), (16, 0), (-1, 16), (65, 16), (16, 65), (Int.max, Int.max), (Int.min, 1)]
  )
  func size(width: Int, height: Int) throws {
    let request = CoverRequest(size: try #require(SizeLimit("64")))
    let size = PixelSize(width: width, height: height)
    let check = CoverFileCheck(request: request, size: size, hasAlpha: false, texts: [], facts: nil)
    #expect(check.flaw(of: [1, 2, 3]) == .size(size))
  }

  @Test("A request to fill a box allows no other size")
  func filling() throws {
    var request = CoverRequest()
    request.fill = SizeLimit("64x32")
    #expect(request.allows(PixelSize(width: 64, height: 32)))
    #expect(!request.allows(PixelSize(width: 64, height: 31)) && !request.allows(PixelSize(width: 63, height: 32)))
  }
}

/// A clip with one frame whose samples are all random.
private enum Noise {
  static func clip(_ size: String, bits: Int, in scratch: ScratchFolder) async throws -> FilePath {
    let sides = size.split(separator: "x").compactMap { Int($0) }
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    let bytes = (0..<sides[0] * sides[1] * bits / 2).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
    try scratch.write(bytes, as: "noise")
    let clip = scratch("\(size)-\(bits).nut")
    let layout = bits == 8 ? "rgba" : "rgba64le"
    let result = try await Program.runTool(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", layout, "-s", size, "-i",
        scratch("noise").string,
        "-c:v", "rawvideo", clip.string,
      ]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return clip
  }
}
