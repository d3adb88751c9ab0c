import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Intact pictures and clips that FFmpeg logs warnings or errors about.
///
/// The reference is the file without what it logs them for.
@Suite("Lines of FFmpeg's log that mean no damage")
struct HarmlessReportTests {
  /// What is added to a file, or changed in it.
  struct Oddity: CustomTestStringConvertible, Sendable {
    let name: String
    let encoder: [String]
    let message: String
    let change: @Sendable (inout [UInt8]) throws -> Void

    var testDescription: String { message }
  }

  /// Returns a chunk of RIFF, whose size must be even.
  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    Array(type.utf8) + withUnsafeBytes(of: UInt32(data.count).littleEndian, Array.init) + data
  }

  /// Adds a chunk of metadata to a simple WebP.
  ///
  /// The flag announces the chunk in the header of the extended format.
  private static func extend(_ bytes: inout [UInt8], with chunk: [UInt8], flag: UInt8) {
    // The width and the height, less one, in three bytes each.
    bytes.insert(contentsOf: Self.chunk("VP8X", [flag, 0, 0, 0, 159, 0, 0, 119, 0, 0]), at: 12)
    bytes += chunk
    bytes.replaceSubrange(4..<8, with: withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian, Array.init))
  }

  static let oddities = [
    Oddity(name: "a.webp", encoder: ["libwebp"], message: "skipping unsupported chunk: XMP") {
      extend(&$0, with: chunk("XMP ", Array("<x:xmpmeta/>".utf8)), flag: 0x04)
    },
    Oddity(name: "a.webp", encoder: ["libwebp"], message: "invalid TIFF header in Exif data") {
      extend(&$0, with: chunk("EXIF", Array("no header at all".utf8)), flag: 0x08)
    },
    Oddity(name: "a.jpg", encoder: ["mjpeg"], message: "invalid TIFF header in EXIF") {
      $0.insert(contentsOf: [0xFF, 0xE1, 0, 16] + Array("Exif\0\0nothing!".utf8), at: 2)
    },
    Oddity(name: "a.jpg", encoder: ["mjpeg"], message: "Invalid sequence number in APP2") {
      $0.insert(contentsOf: [0xFF, 0xE2, 0, 18] + Array("ICC_PROFILE\0".utf8) + [0, 1, 9, 9], at: 2)
    },
    Oddity(name: "a.png", encoder: ["png"], message: "Broken tEXt chunk") {
      // A text without a keyword. The checksum is not looked at.
      $0.insert(contentsOf: bigEndian(3) + Array("tEXtabc".utf8) + bigEndian(0), at: 33)
    },
    Oddity(name: "a.ivf", encoder: ["libvpx", "-deadline", "realtime"], message: "Upscaling") {
      // The highest bits of the width are a factor for the display.
      let size = try #require($0.firstRange(of: [0x9D, 0x01, 0x2A])).upperBound
      $0[size + 1] |= 0x40
    },
  ]

  @Test("Metadata and headers that do not affect the pixels", .enabled(if: Scope.isFull), arguments: oddities)
  func metadata(_ oddity: Oddity) async throws {
    let scratch = try ScratchFolder()
    let plain = scratch(oddity.name)
    let source = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "1", "-c:v"]
    try await GeneratedClips.make(plain, source + oddity.encoder)
    #expect(try CoverExtractor.makeCover(of: plain, in: scratch).degradation == nil)
    let expected = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    var bytes = try ScratchFolder.read(plain)
    try oddity.change(&bytes)
    let odd = try scratch.write(bytes, as: "odd-" + oddity.name)
    let log = try await Program.runTool("ffmpeg", ["-nostdin", "-v", "warning", "-i", odd.string, "-f", "null", "-"])
    #expect(log.errorOutput.contains(oddity.message), "\(log.errorOutput)")
    let facts = try CoverExtractor.makeCover(of: odd, in: scratch)
    #expect(facts.degradation == nil, "\(facts.warnings)")
    #expect(try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false).bytes == expected.bytes)
  }

  // Metadata in the middle of the clip, with a value of a type that FFmpeg does not read: a text of XML.
  @Test("A line of a demuxer that is not known to mean damage degrades nothing")
  func unknownLineOfDemuxer() async throws {
    let scratch = try ScratchFolder()
    let plain = scratch("plain.flv")
    let source = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "10", "-c:v", "flv", "-g", "100"]
    try await GeneratedClips.make(plain, source)
    var bytes = try ScratchFolder.read(plain)
    var (tag, videos) = (13, 0)
    while videos < 4 {
      videos += bytes[tag] == 9 ? 1 : 0
      tag += videos < 4 ? 15 + bytes[tag + 1..<tag + 4].bigEndian : 0
    }
    let text: [UInt8] = [15, 0, 0, 0, 4] + Array("<a/>".utf8)
    let metadata: [UInt8] = [2] + name("onMetaData") + [8, 0, 0, 0, 1] + name("x") + text + [0, 0, 9]
    let script = [18] + bigEndian(metadata.count)[1...] + bytes[tag + 4..<tag + 8] + [0, 0, 0] + metadata
    bytes.insert(contentsOf: script + bigEndian(script.count), at: tag)
    let clip = try scratch.write(bytes, as: "metadata.flv")
    let log = try await Program.runTool("ffmpeg", ["-nostdin", "-v", "error", "-i", clip.string, "-f", "null", "-"])
    #expect(log.errorOutput.contains("unsupported amf type 15"), "\(log.errorOutput)")
    let facts = try CoverExtractor.makeCover(of: clip, CoverRequest(time: .seconds(0.2)), in: scratch)
    #expect(facts.degradation == nil && facts.actualTime == 0.2, "\(facts.warnings)")
  }

  /// Returns a text of FLV's metadata, after its length in two bytes.
  private func name(_ text: String) -> [UInt8] {
    bigEndian(text.utf8.count)[2...] + Array(text.utf8)
  }

  // Microsoft's first MPEG-4, which ffmpeg cannot encode. The header that is missing does not affect the pixels.
  @Test("A line that is not known to mean damage degrades nothing", .enabled(if: SharedClips.areHere))
  func unknownLine() async throws {
    let scratch = try ScratchFolder()
    let clip = SharedClips.path("reports/43-msmpeg4v1-warning.avi")
    let log = try await Program.runTool("ffmpeg", ["-nostdin", "-v", "warning", "-i", clip.string, "-f", "null", "-"])
    #expect(log.errorOutput.contains("ext header missing"), "\(log.errorOutput)")
    let facts = try CoverExtractor.makeCover(of: clip, in: scratch)
    #expect(facts.degradation == nil && facts.actualTime == 0, "\(facts.warnings)")
  }
}
