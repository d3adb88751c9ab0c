import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Clips whose container does not say when they start, as libavformat finds no times of decoding that follow one another.
@Suite("The time at which a clip starts")
struct StartTimeTests {
  @Test(
    "Times are counted from the first frame",
    arguments: [("mpeg4", "2", "a.nut"), ("mpeg2video", "2", "a.nut"), ("libx264", "0", "a.asf")],
    [0, 37.5]
  )
  func start(_ clip: (encoder: String, reordered: String, name: String), _ offset: Double) async throws {
    let scratch = try ScratchFolder()
    try await GeneratedClips.make(
      scratch(clip.name),
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-g", "25", "-c:v", clip.encoder, "-bf", clip.reordered]
        + ["-pix_fmt", "yuv420p", "-output_ts_offset", "\(offset)"]
    )
    for (time, number) in [("first", 0), ("0", 0), ("1.01", 25), ("3.01", 75)] {
      var request = CoverRequest()
      request.time = try #require(RequestedTime(time))
      let facts = try CoverExtractor.makeCover(of: scratch(clip.name), request, in: scratch)
      #expect(abs((facts.actualTime ?? -1) - Double(number) / 25) < 0.0021, "\(time): \(facts)")
      let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      let frame = try await Oracle.cover(of: scratch(clip.name), frame: number)
      let difference = try #require(PixelDifference(cover, frame))
      #expect(difference.decibels >= 30, "\(time): \(difference)")
    }
  }
}
