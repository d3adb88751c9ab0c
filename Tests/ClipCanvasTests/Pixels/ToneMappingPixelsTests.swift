import Foundation
import SystemPackage
import TestSupport
import Testing

/// Compares each pixel of tone-mapped covers with the formulas of the standards, in double precision.
@Suite("Tone mapping of single pixels")
struct ToneMappingPixelsTests {
  /// The formulas, written down from ST 2084, BT.2100-2, BT.2020-2 and BT.709-6, and Hable's talk.
  enum Reference {
    /// Display light in units of 100 cd/m².
    static func pq(_ code: Double) -> Double {
      let power = pow(code, 32 / 2523.0)
      return 100 * pow(max(power - 3424 / 4096.0, 0) / (2413 / 128.0 - 2392 / 128.0 * power), 16384 / 2610.0)
    }

    /// Scene light, 0…1.
    static func hlg(_ code: Double) -> Double {
      code <= 0.5 ? code * code / 3 : (exp((code - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    static func hable(_ x: Double) -> Double {
      ((x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06)) - 0.02 / 0.3
    }

    /// Returns the 8-bit colour of a pixel with 16-bit codes, for a peak of 1000 cd/m².
    static func colour(_ codes: [Int], isHLG: Bool) -> [Double] {
      var light = codes.map { isHLG ? hlg(Double($0) / 65535) : pq(Double($0) / 65535) }
      if isHLG {
        let luminance = 0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2]
        light = light.map { luminance > 0 ? 10 * pow(luminance, 0.2) * $0 : 0 }
      }
      let matrix = [
        [1.660491, -0.587641, -0.072850], [-0.124550, 1.132900, -0.008349], [-0.018151, -0.100579, 1.118730],
      ]
      let mapped = matrix.map { row in zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } }
      let largest = mapped.max() ?? 0
      let ratio = largest > 0 ? hable(min(largest, 10)) / hable(10) / largest : 0
      return mapped.map { 255 * pow(min(max($0 * ratio, 0), 1), 1 / 2.4) }
    }
  }

  /// Returns rows of gray, of pure and of mixed colours, with codes that increase from the left to the right.
  private static func codes(width: Int, height: Int, _ range: ClosedRange<Int>) -> [[Int]] {
    let weights = [[1.0, 1, 1], [1, 0.5, 0.25], [0, 1, 0], [0.3, 0.6, 1], [1, 0, 0], [0, 0, 1], [0.9, 1, 0.8]]
    return (0..<height).flatMap { y in
      (0..<width).map { x in
        let step = width > 1 ? (range.upperBound - range.lowerBound) * x / (width - 1) : 0
        return weights[y % weights.count].map { Int(Double(range.lowerBound + step) * $0) }
      }
    }
  }

  private static func cover(_ codes: [[Int]], width: Int, transfer: String) async throws -> RawPixels {
    let scratch = try ScratchFolder()
    let bytes = codes.flatMap { $0.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } }
    try scratch.write(bytes, as: "raw")
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb48le", "-s", "\(width)x\(codes.count / width)"]
        + ["-i", scratch("raw").string, "-c:v", "ffv1", "-level", "3", "-pix_fmt", "gbrp16le"]
        // FFmpeg 7.1 takes the colours from the frames, not from options of the encoder.
        + ["-vf", "setparams=color_primaries=bt2020:color_trc=\(transfer):colorspace=gbr", scratch("clip.mkv").string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let (record, _) = try await CoverRun.record(of: scratch("clip.mkv"), to: scratch("cover.png"))
    try #require(record.toneMapped == true)
    return try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
  }

  // 49 000 of 65 535 in PQ is 963 cd/m², below the peak that is assumed without metadata.
  @Test(
    "Every pixel up to all four edges has the value of the formulas, in pictures of any width",
    .enabled(if: Scope.isFull),
    arguments: [("smpte2084", 49_000), ("arib-std-b67", 65_535)],
    [9, 255, 256, 257, 700]
  )
  func everyPixel(_ transfer: (name: String, largest: Int), _ width: Int) async throws {
    let (height, isHLG) = (7, transfer.name != "smpte2084")
    let codes = Self.codes(width: width, height: height, 20_000...transfer.largest)
    let cover = try await Self.cover(codes, width: width, transfer: transfer.name)
    try #require(cover.width == width && cover.height == height)
    var (wrong, changed): ([String], Set<String>) = ([], [])
    for (index, pixel) in codes.enumerated() {
      let expected = Reference.colour(pixel, isHLG: isHLG)
      let actual = (0..<3).map { Double(cover.bytes[3 * index + $0]) }
      if zip(actual, expected).contains(where: { abs($0 - $1) > 1.01 }) {
        wrong.append("\(index % width),\(index / width): \(actual), not \(expected)")
      }
      if zip(pixel, expected).contains(where: { abs(Double($0) / 257 - $1) > 4 }) {
        changed.formUnion(["column \(index % width)", "row \(index / width)"])
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) pixels, such as \(wrong.prefix(3))")
    // A row or column at an edge that is not mapped would be seen.
    #expect(changed.isSuperset(of: ["column 0", "column \(width - 1)", "row 0", "row \(height - 1)"]))
  }

  @Test("Dark ramps have the values of the formulas down to black", arguments: ["smpte2084", "arib-std-b67"])
  func shadows(_ transfer: String) async throws {
    let codes = Self.codes(width: 1000, height: 7, 0...20_000)
    let cover = try await Self.cover(codes, width: 1000, transfer: transfer)
    let worst = codes.enumerated().flatMap { index, pixel in
      zip(0..<3, Reference.colour(pixel, isHLG: transfer != "smpte2084")).map { channel, value in
        abs(Double(cover.bytes[3 * index + channel]) - value)
      }
    }.max()
    #expect(try #require(worst) <= 1.01)
    #expect(cover.bytes.prefix(3) == [0, 0, 0])
  }
}
