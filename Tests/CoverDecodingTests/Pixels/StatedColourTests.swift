import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Clips of one colour whose matrix, range, transfer and primaries are stated by the container, but not by the frames.
@Suite("Colours that only the container states")
struct StatedColourTests {
  /// The file and the encoder of a clip; only Matroska and MP4 state the range.
  struct Form: CustomTestStringConvertible, Sendable {
    let name: String
    let encoder: [String]
    var isDeep = false

    var testDescription: String { "\(encoder[0]) \(name)" }
    var statesRange: Bool { !name.hasSuffix(".mov") }
  }

  static let forms = [
    Form(name: "a.mp4", encoder: ["libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1"]),
    Form(name: "a.mkv", encoder: ["libx265", "-x265-params", "log-level=none"]),
    Form(name: "a.mov", encoder: ["libx265", "-x265-params", "log-level=none"]),
    Form(name: "a.mp4", encoder: ["libaom-av1", "-cpu-used", "8"]),
    Form(name: "a.webm", encoder: ["libaom-av1", "-cpu-used", "8"]), Form(name: "a.mp4", encoder: ["libvpx-vp9"]),
    Form(name: "a.webm", encoder: ["libvpx-vp9"]), Form(name: "a.mov", encoder: ["prores_ks"]),
    Form(name: "a.mp4", encoder: ["libx264"]), Form(name: "a.mkv", encoder: ["mpeg4"]),
  ]

  /// Makes a clip without colour tags, and copies it into a container that has them.
  private func makeClip(
    _ form: Form,
    colour: String,
    conversion: String,
    tags: [String],
    in scratch: ScratchFolder
  )
    async throws -> FilePath
  {
    let format = form.encoder[0] == "prores_ks" ? "yuv422p10le" : form.isDeep ? "yuv420p10le" : "yuv420p"
    let source = [
      "-f", "lavfi", "-i", "color=\(colour):s=320x240:r=5:d=1", "-vf", "scale=\(conversion),format=\(format)",
    ]
    let plain = scratch("plain-\(form.name)")
    try await GeneratedClips.make(plain, source + ["-c:v"] + form.encoder)
    let clip = scratch(form.name)
    try await GeneratedClips.make(clip, ["-i", plain.string, "-c", "copy"] + tags)
    return clip
  }

  private func expectColour(
    of clip: FilePath,
    _ colour: [Int],
    within tolerance: Int = 12,
    in scratch: ScratchFolder
  ) async throws -> CoverFacts {
    var covers: [CoverFacts] = []
    for time in [RequestedTime.first, .seconds(0.5)] {
      covers.append(try CoverExtractor.makeCover(of: clip, CoverRequest(time: time), in: scratch))
      let corners = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false).corners
      #expect(corners.allSatisfy { zip($0, colour).allSatisfy { abs($0 - $1) <= tolerance } }, "\(corners) at \(time)")
    }
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    let probed = try file.closeAfter { try CoverExtractor.probe(file.rawValue).facts }
    for facts in covers {
      #expect(
        [facts.matrix, facts.range, facts.transfer, facts.primaries] == [
          probed.matrix, probed.range, probed.transfer, probed.primaries,
        ]
      )
    }
    return covers[0]
  }

  @Test("The matrix is the container's", .enabled(if: Scope.isFull), arguments: forms)
  func matrix(_ form: Form) async throws {
    let scratch = try ScratchFolder()
    let tags = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]
    let clip = try await makeClip(form, colour: "red", conversion: "out_color_matrix=bt709", tags: tags, in: scratch)
    // With BT.601 the red would be 230.
    let facts = try await expectColour(of: clip, [254, 0, 0], in: scratch)
    #expect(facts.matrix == "bt709" && facts.primaries == "bt709" && facts.transfer == "bt709")
    #expect(facts.assumedMatrix == nil && !facts.toneMapped)
  }

  @Test("The range is the container's", .enabled(if: Scope.isFull), arguments: forms.filter(\.statesRange))
  func range(_ form: Form) async throws {
    let scratch = try ScratchFolder()
    let tags = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "pc"]
    let conversion = "out_color_matrix=bt709:out_range=pc"
    let clip = try await makeClip(form, colour: "0xf0f0f0", conversion: conversion, tags: tags, in: scratch)
    // In limited range it would be 255.
    let facts = try await expectColour(of: clip, [240, 240, 240], in: scratch)
    #expect(facts.range == "pc")
  }

  // An error of one step of chroma is ten steps of the result.
  //
  // The code value 128 of 255 is 94 cd/m², and 255 · (h(0.94) / h(10))^(1/2.4) = 154, where h is Hable's curve of units
  // of 100 cd/m², and 10 the peak that is assumed without metadata.
  @Test("PQ is tone-mapped if the container states it", .enabled(if: Scope.isFull), arguments: forms)
  func highDynamicRange(_ form: Form) async throws {
    let scratch = try ScratchFolder()
    let tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
    let conversion = "out_color_matrix=bt2020"
    let clip = try await makeClip(form, colour: "0x808080", conversion: conversion, tags: tags, in: scratch)
    let facts = try await expectColour(of: clip, [154, 154, 154], in: scratch)
    #expect(facts.toneMapped && facts.matrix == "bt2020nc" && facts.transfer == "smpte2084")
  }

  // As above, with 40 instead of 10; and 10 bits of chroma, which are more exact.
  @Test(
    "The peak is the light level that the container states, or else its mastering display",
    arguments: [
      [MovieBox("clli", [0x0f, 0xa0, 0, 0])],
      // Twelve bytes of primaries, four of the white point, and the peak in 1/10 000 cd/m².
      [MovieBox("mdcv", [UInt8](repeating: 1, count: 16) + bigEndian(40_000_000) + bigEndian(1))],
    ]
  )
  func peak(_ metadata: [MovieBox]) async throws {
    let scratch = try ScratchFolder()
    let tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
    let form = Form(name: "a.mp4", encoder: ["libx264"], isDeep: true)
    let clip = try await makeClip(
      form,
      colour: "0x808080",
      conversion: "out_color_matrix=bt2020",
      tags: tags,
      in: scratch
    )
    var boxes = MovieBox.parse(try ScratchFolder.read(clip)[...])
    let stsd = \[MovieBox].["moov"]["trak"]["mdia"]["minf"]["stbl"]["stsd"]
    boxes[keyPath: stsd].children[0].children += metadata
    let patched = try scratch.write(boxes.bytes, as: "peak.mp4")
    let facts = try await expectColour(of: patched, [142, 142, 142], within: 3, in: scratch)
    #expect(facts.toneMapped)
  }

  @Test("What the frames state comes before what the container states", .enabled(if: Scope.isFull))
  func frames() async throws {
    let scratch = try ScratchFolder()
    let tags = [
      "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "pc",
    ]
    let own = "colorprim=bt709:transfer=bt709:colormatrix=bt709:range=limited:log-level=none"
    let form = Form(name: "a.mp4", encoder: ["libx265", "-x265-params", own])
    let clip = try await makeClip(form, colour: "red", conversion: "out_color_matrix=bt709", tags: tags, in: scratch)
    let facts = try await expectColour(of: clip, [254, 0, 0], in: scratch)
    #expect(facts.matrix == "bt709" && facts.range == "tv" && facts.transfer == "bt709" && facts.primaries == "bt709")
  }
}
