import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Frames that show their number as ten grey bars, one for each bit.
enum NumberedFrames {
  /// The arguments of ffmpeg for frames numbered from 0, of 160 × 128 pixels.
  static func source(seconds: Double, rate: String = "25") -> [String] {
    [
      "-f", "lavfi", "-i",
      "color=gray:s=160x128:r=\(rate):d=\(seconds),"
        + "geq=lum='if(mod(floor(N/pow(2,floor(X/16))),2),220,30)':cb=128:cr=128,format=yuv420p",
    ]
  }

  /// Returns the number that a cover shows.
  static func number(ofPNG cover: FilePath) async throws -> Int {
    let pixels = try await Oracle.pixels(ofPNG: cover, hasAlpha: false)
    try #require(pixels.width == 160)
    let middle = pixels.height / 2 * pixels.width
    return (0..<10).reduce(0) { $0 | (pixels.bytes[3 * (middle + 16 * $1 + 8)] > 125 ? 1 << $1 : 0) }
  }

  /// Expects that the cover of a clip at a time is intact and shows a number.
  static func expect(
    _ number: Int,
    at time: RequestedTime,
    of clip: FilePath,
    in scratch: ScratchFolder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let facts = try CoverExtractor.makeCover(of: clip, CoverRequest(time: time), in: scratch)
    let shown = try await self.number(ofPNG: scratch("cover.png"))
    #expect(shown == number && facts.degradation == nil, "\(shown), \(facts)", sourceLocation: sourceLocation)
  }
}
