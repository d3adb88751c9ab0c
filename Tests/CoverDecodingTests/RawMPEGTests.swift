import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// FFmpeg makes up the times of raw MPEG-1 and MPEG-2, and gives some of them to the wrong frames.
@Suite("Raw MPEG video")
struct RawMPEGTests {
  @Test(
    "Frames are counted from the first one that is shown",
    arguments: ["a.m2v", "a.m1v"],
    [["-bf", "2"], ["-bf", "0"], ["-bf", "2", "-flags", "+cgop", "-sc_threshold", "1000000000"]]
  )
  func times(_ name: String, _ coding: [String]) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch(name)
    let encoder = name.hasSuffix("m2v") ? "mpeg2video" : "mpeg1video"
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=3", "-c:v", encoder, "-g", "12", "-q:v", "2"] + coding
    )
    let raw = try await Program.runTool(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-i", clip.string, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24",
        "-",
      ]
    )
    let bytes = 3 * 160 * 120
    for (time, number) in [("first", 0), ("0", 0), ("0.51", 15), ("1.31", 39), ("50.1%", 45), ("2.94", 88)] {
      var request = CoverRequest()
      request.time = try #require(RequestedTime(time))
      let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
      let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      let rows = Array(raw.output.dropFirst(number * bytes).prefix(bytes))
      let frame = RawPixels(width: 160, height: 120, channels: 3, bytes: rows)
      let difference = try #require(PixelDifference(cover, frame))
      #expect(difference.decibels > 38 && facts.warnings == [], "\(time): \(difference), \(facts)")
      #expect(abs((facts.actualTime ?? -1) - Double(number) / 30) < 0.002, "\(time): \(facts)")
    }
  }
}
