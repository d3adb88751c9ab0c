import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// MXF files whose descriptor states which part of the frames is shown.
@Suite("The display rectangle of MXF")
struct DisplayRectangleTests {
  private struct Facts: Decodable {
    let width, height, storedWidth, storedHeight, shownWidth, shownHeight: Int?
    let actualTime: Double?
  }

  /// A recording of D-10: the size of its frames, their rate, and the part that is shown.
  struct Recording {
    let height: Int
    let rate: String
    let top, shownHeight: Int
  }

  static let recordings = [
    Recording(height: 608, rate: "25", top: 32, shownHeight: 576),
    Recording(height: 512, rate: "30000/1001", top: 26, shownHeight: 486),
    Recording(height: 608, rate: "25", top: 0, shownHeight: 576),
  ]

  private func make(_ name: String, _ words: [String], in scratch: ScratchFolder) async throws {
    // Everything outside of the shown part is red.
    let result = try await Program.runTool("ffmpeg", ["-v", "error", "-y"] + words + [name], in: scratch.path)
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }

  /// Sets the first shown line of the descriptor, DisplayYOffset, to 0.
  private func removeOffset(from name: String, in scratch: ScratchFolder) throws {
    var bytes = try ScratchFolder.read(scratch(name))
    let tag = try #require(bytes.firstRange(of: [0x32, 0x0B, 0, 4]))
    bytes.replaceSubrange(tag.upperBound..<tag.upperBound + 4, with: [0, 0, 0, 0])
    try scratch.write(bytes, as: name)
  }

  @Test("D-10 is shown without its blanking lines, at the right shape", arguments: recordings)
  func shown(_ recording: Recording) async throws {
    let scratch = try ScratchFolder()
    let source =
      "testsrc2=s=720x\(recording.shownHeight):r=\(recording.rate):d=1,setsar=1,"
      + "pad=720:\(recording.height):0:\(recording.top):red"
    let coding = [
      "-c:v", "mpeg2video", "-pix_fmt", "yuv422p", "-aspect", "4:3", "-b:v", "30000k", "-minrate", "30000k", "-maxrate",
      "30000k", "-bufsize", "1200000", "-rc_init_occupancy", "1200000", "-qmin", "1", "-qmax", "12", "-g", "1",
      "-intra_vlc", "1", "-non_linear_quant", "1", "-dc", "10", "-flags", "+ildct+ilme+low_delay", "-top", "1",
    ]
    try await make("a.mxf", ["-f", "lavfi", "-i", source] + coding + ["-f", "mxf_d10"], in: scratch)
    if recording.top == 0 { try removeOffset(from: "a.mxf", in: scratch) }
    // The display aspect is that of the part.
    let width = recording.shownHeight * 4 / 3
    for at in ["first", "0.5", "50%", "key:0.5"] {
      let words = ["cover", "--json", "--force", "--no-deinterlace", "--at", at, "-o", "c.png", "a.mxf"]
      let result = try await Program.run("clipcanvas", words, in: scratch.path)
      let facts = try JSONDecoder().decode(Facts.self, from: Data(result.output))
      #expect(facts.storedWidth == 720 && facts.storedHeight == recording.shownHeight, "\(at): \(facts)")
      #expect(facts.width == width && facts.height == recording.shownHeight, "\(at): \(facts)")
      let pixels = try await Oracle.pixels(ofPNG: scratch("c.png"), hasAlpha: false)
      let crop = "crop=720:\(recording.shownHeight):0:\(recording.top),scale=\(width):\(recording.shownHeight)"
      let select = "select='gte(t,\(try #require(facts.actualTime) - 0.001))',"
      let reference = try await Oracle.pixels(of: scratch("a.mxf"), ["-vf", "\(select)\(crop):flags=bicubic"])
      let difference = try #require(PixelDifference(pixels, reference))
      #expect(difference.decibels >= 30, "\(at): \(difference)")
    }
    let probed = try await Program.run("clipcanvas", ["probe", "--json", "a.mxf"], in: scratch.path)
    let facts = try JSONDecoder().decode(Facts.self, from: Data(probed.output))
    #expect(facts.storedHeight == recording.shownHeight && facts.shownWidth == width, "\(facts)")
  }

  @Test("Frames whose size is that of the display rectangle are shown whole", arguments: ["mpeg2video", "libx264"])
  func whole(_ codec: String) async throws {
    let scratch = try ScratchFolder()
    // 1080 lines are stored as 1088, which the decoder crops.
    let words = ["-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=25:d=0.2", "-c:v", codec, "-pix_fmt", "yuv420p"]
    try await make("a.mxf", words, in: scratch)
    let result = try await Program.run("clipcanvas", ["cover", "--json", "-o", "c.png", "a.mxf"], in: scratch.path)
    let facts = try JSONDecoder().decode(Facts.self, from: Data(result.output))
    #expect(facts.width == 1920 && facts.height == 1080 && facts.storedHeight == 1080, "\(facts)")
    let pixels = try await Oracle.pixels(ofPNG: scratch("c.png"), hasAlpha: false)
    let difference = try #require(PixelDifference(pixels, try await Oracle.pixels(of: scratch("a.mxf"), [])))
    #expect(difference.decibels >= 40, "\(difference)")
  }
}
