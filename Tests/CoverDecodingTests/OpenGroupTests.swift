import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// After a seek, the frames that lead the key frame of an open group of pictures cannot be decoded, and FFmpeg reports that.
@Suite("Open groups of pictures")
struct OpenGroupTests {
  @Test(
    "The frames after the key frame are found, whatever is reported about those that lead it",
    arguments: ["a.mp4", "a.mkv", "a.flv", "a.ts"],
    [12, 25]
  )
  func trailing(_ name: String, _ distance: Int) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch(name)
    let options = "open-gop=1:keyint=\(distance):bframes=3:b-adapt=0:b-pyramid=normal"
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "70", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
        + ["-x264opts", options]
    )
    let frames = try await ReferenceFrame.all(of: clip, size: PixelSize(width: 160, height: 120))
    for number in [25, 31, 37, 43, 49, 55, 61, 65, 69] {
      var request = CoverRequest()
      request.time = .seconds(Double(number) / 25 + 0.02)
      let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
      let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      let difference = try #require(PixelDifference(cover, frames[number].pixels))
      #expect(facts.degradation == nil && difference.decibels > 38, "frame \(number): \(difference)")
    }
  }
}
