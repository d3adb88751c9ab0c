import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Pixel shapes stated twice")
struct PixelShapeTests {
  /// Makes a DNxHD clip of 256 × 192 pixels, with the shape of its pixels and an Avid atom that states another shape of
  /// the picture: square.
  private func clip(in scratch: ScratchFolder, aspectRatio: (Int, Int)?) async throws -> FileDescriptor {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=256x192:r=25:d=0.2", "-c:v", "dnxhd"]
        + ["-profile:v", "dnxhr_sq", "-pix_fmt", "yuv422p", scratch("plain.mov").string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    var boxes = MovieBox.parse(try ScratchFolder.read(scratch("plain.mov"))[...])
    let stsd = \[MovieBox].["moov"]["trak"]["mdia"]["minf"]["stbl"]["stsd"]
    var entry = boxes[keyPath: stsd].children[0]
    let others = MovieBox.parse(entry.fields.dropFirst(78)).filter { !["pasp", "ARES"].contains($0.type) }
    let shape = aspectRatio.map { [MovieBox("pasp", bigEndian($0.0) + bigEndian($0.1))] } ?? []
    let avid = MovieBox(
      "ARES",
      [UInt8](repeating: 0, count: 12) + bigEndian(1) + bigEndian(1) + bigEndian(1) + bigEndian(0)
    )
    entry = MovieBox("AVdn", Array(entry.fields.prefix(78)), [avid] + others + shape)
    boxes[keyPath: stsd].children = [entry]
    return try FileDescriptor.open(try scratch.write(boxes.bytes, as: "clip.mov"), .readOnly, options: .closeOnExec)
  }

  @Test("The container's pixel shape comes first, and cover, facts and frames agree", arguments: [true, false])
  func shape(hasAspectRatio: Bool) async throws {
    let scratch = try ScratchFolder()
    let file = try await clip(in: scratch, aspectRatio: hasAspectRatio ? (4, 3) : nil)
    let output = try scratch.create("cover.png")
    try file.closeAfter {
      try output.closeAfter {
        let facts = try CoverExtractor.probe(file.rawValue).facts
        for time in [RequestedTime.first, .seconds(0)] {
          var request = CoverRequest()
          request.time = time
          let cover = try CoverExtractor.makeCover(of: file.rawValue, request: request, into: output.rawValue)
          #expect(cover.width == (hasAspectRatio ? 341 : 192) && cover.height == 192)
          #expect(facts.shownWidth == cover.width && facts.shownHeight == cover.height)
        }
      }
    }
  }

  /// Clips of 160 × 120 pixels whose shape is stated by frames only: wide pixels of an APNG, and a message (SEI) with
  /// the orientation of H.264, which only key frames have.
  private static let message = "h264_metadata=display_orientation=insert:rotate=90"
  private static let turned = ["-c:v", "libx264", "-bf", "2", "-bsf:v", message]
  static let shapes: [(name: String, options: [String], width: Int, height: Int)] = [
    ("wide.apng", ["-vf", "setsar=4/3", "-c:v", "apng", "-plays", "0"], 213, 120),
    ("turned.mp4", turned, 120, 160), ("turned.mkv", turned, 120, 160), ("turned.ts", turned, 120, 160),
    ("turned.h264", turned, 120, 160),
  ]

  @Test(
    "A shape that only frames state is that of all frames and of the facts",
    .enabled(if: Scope.isFull),
    arguments: shapes
  )
  func stated(_ name: String, _ options: [String], width: Int, height: Int) async throws {
    let scratch = try ScratchFolder()
    let source = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "smptebars=s=160x120:r=25:d=1"]
    let result = try await Program.runTool("ffmpeg", source + options + [scratch(name).string])
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let file = try FileDescriptor.open(scratch(name), .readOnly, options: .closeOnExec)
    let probed = try file.closeAfter { try CoverExtractor.probe(file.rawValue) }
    #expect(probed.facts.shownWidth == width && probed.facts.shownHeight == height)
    #expect(probed.details.streams.first?.rotation == probed.facts.rotation)
    var covers: [RawPixels] = []
    for time in [RequestedTime.first, .seconds(0), .seconds(0.5)] {
      let facts = try CoverExtractor.makeCover(of: scratch(name), CoverRequest(time: time), in: scratch)
      #expect(facts.width == width && facts.height == height, "at \(time)")
      covers.append(try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false))
    }
    let differences = covers.compactMap { PixelDifference($0, covers[0]) }
    #expect(differences.count == 3 && differences.allSatisfy { $0.decibels > 40 }, "\(differences)")
  }

  /// HEVC codes each field as a picture of half the height.
  @Test(
    "A field of HEVC is shown as high as the picture, and is not deinterlaced",
    .enabled(if: Scope.isFull),
    arguments: ["a.mkv", "a.mp4"]
  )
  func fields(_ name: String) async throws {
    let scratch = try ScratchFolder()
    let parameters = "interlace=tff:log-level=none:qp=10"
    try await GeneratedClips.make(
      scratch(name),
      ["-f", "lavfi", "-i", "testsrc2=s=320x120:r=50:d=0.4", "-pix_fmt", "yuv420p", "-c:v", "libx265"]
        + ["-x265-params", parameters]
    )
    let facts = try CoverExtractor.makeCover(of: scratch(name), in: scratch)
    #expect(facts.width == 320 && facts.height == 240 && !facts.interlaced, "\(facts)")
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let words = [
      "-nostdin", "-v", "error", "-i", scratch(name).string, "-frames:v", "1", "-vf", "scale=320:240:flags=area",
    ]
    let field = try await Program.runTool("ffmpeg", words + ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    let scaled = RawPixels(width: 320, height: 240, channels: 3, bytes: Array(field.output))
    let difference = try #require(PixelDifference(cover, scaled))
    #expect(difference.decibels > 30, "\(difference)")
  }
}
