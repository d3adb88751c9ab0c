import SystemPackage
import TestSupport
import Testing

/// Clips with unusual reports by libavformat, compared with frames that ffmpeg decodes in order.
@Suite("Palettes that come once, and heights that containers round up")
struct DemuxerTrapTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func make(_ name: String, size: String, _ options: [String]) async throws {
    try await scratch.makeClip(name, of: "testsrc2=s=\(size):r=25:d=2", options)
  }

  // The demuxer returns the palette with the first packet only.
  @Test("A frame at a time has the palette of the clip", .enabled(if: Scope.isFull), arguments: ["avi", "mov", "nut"])
  func palette(_ container: String) async throws {
    try await make("pal8.\(container)", size: "96x64", ["-c:v", "rawvideo", "-pix_fmt", "pal8"])
    for (time, frame) in [("first", 0), ("1", 25), ("key:1", 25)] {
      try await scratch.expectCover(of: "pal8.\(container)", at: time, frame: frame)
    }
  }

  // MXF stores 1080 lines as 1088; the decoder logs a warning when it finds the right number.
  @Test("The first frame of DNxHR in MXF is used, whatever its height", arguments: ["320x180", "320x136", "320x240"])
  func height(_ size: String) async throws {
    let options = ["-c:v", "dnxhd", "-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p"]
    try await make("dnxhr.mxf", size: size, options)
    try await scratch.expectCover(of: "dnxhr.mxf", at: "first", frame: 0)
  }
}
