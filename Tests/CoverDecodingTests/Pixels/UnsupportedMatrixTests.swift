import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Colours that cannot be converted")
struct UnsupportedMatrixTests {
  @Test("A warning names the matrix", arguments: [("ycgco", "YCgCo"), ("ictcp", "ICtCp"), ("smpte2085", "smpte2085")])
  func warning(_ name: String, _ option: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("a.mp4")
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.2", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
        + ["-x264-params", "colormatrix=\(option)"]
    )
    let facts = try CoverExtractor.makeCover(of: clip, CoverRequest(), in: scratch)
    #expect(facts.matrix == name && facts.assumedMatrix == "bt601" && facts.degradation == nil)
    let message = "the colour matrix \(name) is not supported and taken for BT.601; the colours may be wrong"
    #expect(facts.warnings == [message])
  }

  @Test(
    "A matrix that follows from the primaries is that of these primaries",
    arguments: [("bt709", 1), ("bt2020nc", 9)]
  )
  func derived(_ matrix: String, _ primaries: Int) async throws {
    let scratch = try ScratchFolder()
    let plain = scratch("plain.mp4")
    let source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:d=0.2", "-c:v", "libx264", "-pix_fmt", "yuv444p"]
    try await GeneratedClips.make(plain, source)
    var covers: [[UInt8]] = []
    for number in [12, primaries] {
      let clip = scratch("\(number).mkv")
      let tags = "h264_metadata=matrix_coefficients=\(number):colour_primaries=\(primaries)"
      try await GeneratedClips.make(clip, ["-i", plain.string, "-c", "copy", "-bsf:v", tags])
      let facts = try CoverExtractor.makeCover(of: clip, in: scratch)
      #expect(facts.matrix == (number == 12 ? "chroma-derived-nc" : matrix), "\(facts)")
      #expect(facts.assumedMatrix == nil && facts.degradation == nil, "\(facts)")
      covers.append(try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false).bytes)
    }
    #expect(covers[0] == covers[1])
  }
}
