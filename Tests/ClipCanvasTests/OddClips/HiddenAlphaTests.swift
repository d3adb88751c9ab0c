import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// HEVC whose transparency is in a separate layer, as phones record it.
@Suite("HEVC with an alpha layer")
struct HiddenAlphaTests {
  @Test("A cover without the alpha layer has a warning", arguments: ["mp4", "mov", "mkv"])
  func warning(_ ending: String) async throws {
    let scratch = try ScratchFolder()
    let coding = ["-c:v", "libx265", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p", "-tag:v", "hvc1"]
    let tag = ending == "mkv" ? [] : ["-tag:v", "hvc1"]
    try await TestClip.make("a.mp4", inputs: ["testsrc2=s=160x120:d=0.4"], coding, in: scratch)
    var bytes = Array(try ScratchFolder.read(scratch("a.mp4")))
    // The encoder's note in the header (an SEI) becomes the description of an alpha channel.
    let header = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("hvcC".utf8) })
    let note = try #require((header..<bytes.count - 3).first { bytes[$0..<$0 + 3].elementsEqual([0x4E, 0x01, 0x05]) })
    bytes[note + 2] = 165
    try scratch.write(bytes, as: "alpha.mp4")
    for (name, isTransparent) in [("a.mp4", false), ("alpha.mp4", true)] {
      let copy = ["-v", "error", "-y", "-i", name, "-c", "copy"] + tag + ["copy.\(ending)"]
      try #require(try await Program.runTool("ffmpeg", copy, in: scratch.path).exitStatus == 0)
      let (record, _) = try await CoverRun.record(of: scratch("copy.\(ending)"), to: scratch("c.png"), ["--force"])
      #expect(record.status == "cover" && record.alpha == false)
      let warnings = record.warnings ?? []
      #expect(warnings.contains { $0.hasPrefix("the clip is transparent") } == isTransparent, "\(warnings)")
    }
  }
}
