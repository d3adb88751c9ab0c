import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Perceptual hashes of covers")
struct CoverHashTests {
  /// The hash by a program in Python, and how far each coefficient is above the median.
  private struct Reference {
    let hash: PerceptualHash
    let margins: [Double]

    init(of pixels: RawPixels) async throws {
      let scratch = try ScratchFolder()
      try scratch.write(pixels.bytes, as: "pixels")
      let script = ProjectFolder.top.appending("Tests/PerceptualHashes/hashes.py").string
      let size = [pixels.width, pixels.height, pixels.channels].map(String.init)
      let result = try await Program.runTool("python3", [script] + size + [scratch("pixels").string])
      let words = result.text.split { $0.isWhitespace }
      hash = try #require(words.first.flatMap { PerceptualHash(String($0)) }, "\(result)")
      margins = words.dropFirst().compactMap { Double($0) }
      try #require(margins.count == 64)
    }

    /// Whether a hash has the same bits, except those of coefficients that are near the median.
    func allows(_ other: PerceptualHash, margin: Double) -> Bool {
      let different = hash.bits ^ other.bits
      return margins.enumerated().allSatisfy { different >> (63 - $0) & 1 == 0 || abs($1) <= margin }
    }
  }

  private static let fixtures = [
    "h264.mp4", "rotated-90.mp4", "anamorphic.mp4", "mirrored.mp4", "vp9.webm", "vp9-alpha.webm", "gray.mkv",
    "odd-size.mkv",
    "mpeg2.ts", "b-frames-3.mp4", "full-range.mp4", "1x1.mkv", "1x320.mkv",
  ]

  @Test(
    "They are those of a program in Python",
    .enabled(if: Scope.isFull),
    arguments: fixtures,
    [["--exact"], ["--size", "80"]]
  )
  func independent(_ fixture: String, _ options: [String]) async throws {
    let (clip, hasAlpha) = (ProjectFolder.fixture(fixture), fixture == "vp9-alpha.webm")
    let scratch = try ScratchFolder()
    let (record, _) = try await CoverRun.record(of: clip, to: scratch("cover.png"), options)
    let hash = try #require(record.perceptualHash.flatMap { PerceptualHash($0) }, "\(record)")
    // The pixels of the cover, by another decoder of PNG: all coefficients are rounded by less than 1.
    let cover = try await Reference(of: try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: hasAlpha))
    #expect(cover.allows(hash, margin: 1), "\(hash) \(cover)")
    guard options == ["--exact"] else { return }
    // The pixels of the frame, by ffmpeg: they differ by at most 1 on average.
    let decoder = hasAlpha ? ["-c:v", "libvpx-vp9"] : []
    let pixels = try await Oracle.cover(of: clip, hasAlpha: hasAlpha, options: decoder)
    let frame = try await Reference(of: pixels)
    #expect(frame.allows(hash, margin: 64), "\(hash) \(frame)")
  }

  @Test("A fresh cover has its hash; sheets and animations have none", .enabled(if: Scope.isFull))
  func kinds() async throws {
    let scratch = try ScratchFolder()
    let clip = ProjectFolder.fixture("h264.mp4")
    let first = try await CoverRun.record(of: clip, to: scratch("cover.png")).record
    let second = try await CoverRun.record(of: clip, to: scratch("cover.png")).record
    #expect(first.status == "cover" && second.status == "fresh")
    #expect(first.perceptualHash != nil && first.perceptualHash == second.perceptualHash)
    for command in [["sheet", "-o", "sheet.png"], ["animate", "-o", "animation.webp"]] {
      let result = try await Program.run("clipcanvas", command + ["--json", clip.string], in: scratch.path)
      #expect(result.exitStatus == 0, "\(result)")
      #expect(!result.text.contains("perceptualHash") && !result.text.contains("looks"), "\(result.text)")
    }
  }

  @Test("A cover of an earlier version, whose facts have no hash, is fresh", .enabled(if: Scope.isFull))
  func earlier() async throws {
    let scratch = try ScratchFolder()
    let clip = ProjectFolder.fixture("h264.mp4")
    let (made, _) = try await CoverRun.record(of: clip, to: scratch("cover.jpg"))
    // The text is a comment of the JPEG, which begins with its length in two bytes.
    let bytes = try ScratchFolder.read(scratch("cover.jpg"))
    let member = Array(#""perceptualHash":"\#(try #require(made.perceptualHash))","#.utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: member) })
    let keyword = Array("ClipCanvas::Facts=".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: keyword) })
    var old = bytes
    old.removeSubrange(place..<place + member.count)
    let length = Int(bytes[start - 2]) << 8 + Int(bytes[start - 1]) - member.count
    (old[start - 2], old[start - 1]) = (UInt8(length >> 8), UInt8(length & 0xFF))
    try scratch.write(old, as: "cover.jpg")
    let fresh = try await CoverRun.record(of: clip, to: scratch("cover.jpg")).record
    #expect(fresh.status == "fresh" && fresh.perceptualHash == nil && fresh.meanLuma == made.meanLuma, "\(fresh)")
    #expect(try ScratchFolder.read(scratch("cover.jpg")) == old)
  }
}
