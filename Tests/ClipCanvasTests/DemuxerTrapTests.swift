import SystemPackage
import TestSupport
import Testing

/// Clips about which libavformat says something else than about most, compared with frames that ffmpeg decodes in order.
@Suite("Palettes that come once, and heights that containers round up")
struct DemuxerTrapTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func make(_ name: String, size: String, _ options: [String]) async throws {
    let words = ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=2"] + options + [name]
    let result = try await Program.runTool("ffmpeg", words, in: scratch.path)
    try #require(result.exitStatus == 0, "\(words): \(result.errorOutput)")
  }

  private func expectCover(of clip: String, at time: String, frame: Int) async throws {
    let words = ["cover", "--json", "--force", "--at", time, "-o", "cover.png", clip]
    let result = try await Program.run("clipcanvas", words, in: scratch.path)
    try #require(result.exitStatus == 0 && result.text.contains(#""status":"cover""#), "\(clip) at \(time): \(result)")
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let wanted = try await Oracle.cover(of: scratch(clip), frame: frame)
    let difference = try #require(PixelDifference(cover, wanted))
    #expect(difference.decibels > 40, "\(clip) at \(time): \(difference)")
  }

  // The demuxer returns the palette with the first packet only.
  @Test("A frame at a time has the palette of the clip", arguments: ["avi", "mov", "nut"])
  func palette(_ container: String) async throws {
    try await make("pal8.\(container)", size: "96x64", ["-c:v", "rawvideo", "-pix_fmt", "pal8"])
    for (time, frame) in [("first", 0), ("1", 25), ("key:1", 25)] {
      try await expectCover(of: "pal8.\(container)", at: time, frame: frame)
    }
  }

  // MXF stores 1080 lines as 1088; the decoder logs a warning when it finds the right number.
  @Test("The first frame of DNxHR in MXF is used, whatever its height", arguments: ["320x180", "320x136", "320x240"])
  func height(_ size: String) async throws {
    let options = ["-c:v", "dnxhd", "-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p"]
    try await make("dnxhr.mxf", size: size, options)
    try await expectCover(of: "dnxhr.mxf", at: "first", frame: 0)
  }
}
