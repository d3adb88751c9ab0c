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
}
