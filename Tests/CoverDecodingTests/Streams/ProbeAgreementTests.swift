import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Probe and cover agree about frames that contradict the container")
struct ProbeAgreementTests {
  private static let tags = [
    "-color_primaries", "bt2020", "-color_trc", "bt709", "-colorspace", "bt2020nc", "-color_range", "pc",
  ]
  private static let alpha = ["-vf", "format=yuva420p,colorchannelmixer=aa=0.5", "-pix_fmt", "yuva420p"]

  static let clips: [(name: String, options: [String], copies: [String])] = [
    ("vp8.mkv", ["-c:v", "libvpx"], tags), ("vp9.mkv", ["-c:v", "libvpx-vp9"], tags),
    ("dnxhr.mov", ["-c:v", "dnxhd", "-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p"], tags),
    ("hevc.mp4", ["-c:v", "libx265", "-x265-params", "colormatrix=bt709:log-level=none"], tags),
    ("prores.mov", ["-c:v", "prores_ks"], tags), ("mpeg2.mkv", ["-c:v", "mpeg2video"], tags),
    ("vp8.webm", ["-c:v", "libvpx", "-auto-alt-ref", "0"] + alpha, []),
    ("vp9.webm", ["-c:v", "libvpx-vp9"] + alpha, []),
    ("mjpeg.mov", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"], tags),
  ]

  private func expectAgreement(_ clip: FilePath, in scratch: ScratchFolder) throws -> CoverFacts {
    let cover = try CoverExtractor.makeCover(of: clip, in: scratch)
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    let probed = try file.closeAfter { try CoverExtractor.probe(file.rawValue) }
    let facts = probed.facts
    let stream = try #require(probed.details.streams.first)
    let colours = [cover.pixelFormat, cover.matrix, cover.range, cover.transfer, cover.primaries]
    #expect([facts.pixelFormat, facts.matrix, facts.range, facts.transfer, facts.primaries] == colours)
    #expect([stream.pixelFormat, stream.matrix, stream.range, stream.transfer, stream.primaries] == colours)
    #expect(facts.rotation == cover.rotation && stream.rotation == cover.rotation)
    #expect(facts.shownWidth == cover.width && facts.shownHeight == cover.height)
    #expect(facts.storedWidth == cover.storedWidth && facts.storedHeight == cover.storedHeight)
    #expect(stream.storedWidth == cover.storedWidth && stream.storedHeight == cover.storedHeight)
    return cover
  }

  @Test("Pixel format and colours are those of the frame", .enabled(if: Scope.isFull), arguments: clips)
  func colours(_ clip: (name: String, options: [String], copies: [String])) async throws {
    let scratch = try ScratchFolder()
    let plain = scratch("plain-\(clip.name)")
    try await GeneratedClips.make(plain, ["-f", "lavfi", "-i", "smptebars=s=320x240:r=5:d=1"] + clip.options)
    try await GeneratedClips.make(scratch(clip.name), ["-i", plain.string, "-c", "copy"] + clip.copies)
    let facts = try expectAgreement(scratch(clip.name), in: scratch)
    #expect(facts.alpha == clip.name.hasSuffix(".webm"))
  }

  /// Recordings of Chromium announce it.
  @Test(
    "Frames without transparency are opaque although it is announced",
    .enabled(if: Scope.isFull),
    arguments: ["libvpx", "libvpx-vp9"]
  )
  func announcedAlpha(_ codec: String) async throws {
    let scratch = try ScratchFolder()
    let (plain, clip) = (scratch("plain.webm"), scratch("clip.webm"))
    try await GeneratedClips.make(plain, ["-f", "lavfi", "-i", "testsrc2=s=640x480:r=10:d=1", "-c:v", codec])
    try await GeneratedClips.make(clip, ["-i", plain.string, "-c", "copy", "-metadata:s:v", "alpha_mode=1"])
    #expect(try expectAgreement(clip, in: scratch).alpha == false)
    for time in [RequestedTime.first, .seconds(0.55)] {
      var pictures: [[UInt8]] = []
      for clip in [plain, clip] {
        var request = CoverRequest()
        request.time = time
        let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
        #expect(facts.degradation == nil && facts.alpha == false)
        pictures.append(try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: true).bytes)
      }
      #expect(pictures[0] == pictures[1] && pictures[0].count == 640 * 480 * 4)
    }
  }

  @Test("The size is that of the first frame where AV1 codes it smaller", arguments: ["a.mp4", "a.webm", "a.ivf"])
  func smallerFrame(_ name: String) async throws {
    let scratch = try ScratchFolder()
    let parameters = "resize-mode=1:resize-denom=16:resize-kf-denom=16"
    try await GeneratedClips.make(
      scratch(name),
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=10:d=0.5", "-pix_fmt", "yuv420p"]
        + ["-c:v", "libsvtav1", "-preset", "10", "-svtav1-params", parameters]
    )
    let frame = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "frame=width,height", "-read_intervals", "%+#1", "-of", "csv=p=0"]
        + [scratch(name).string]
    )
    #expect(frame.text.hasPrefix("160,120"))
    let facts = try expectAgreement(scratch(name), in: scratch)
    #expect(facts.width == 160 && facts.height == 120)
  }

  @Test(
    "A field of HEVC has half of the lines",
    .enabled(if: Scope.isFull),
    arguments: ["a.mp4", "a.mkv", "a.ts", "a.hevc"]
  )
  func fields(_ name: String) async throws {
    let scratch = try ScratchFolder()
    try await GeneratedClips.make(
      scratch("a.mp4"),
      ["-f", "lavfi", "-i", "testsrc2=s=320x480:r=50:d=0.2", "-pix_fmt", "yuv420p"]
        + ["-vf", "tinterlace=interleave_top,separatefields,setsar=1", "-c:v", "libx265"]
        + ["-x265-params", "interlace=tff:repeat-headers=1:log-level=none"]
    )
    if name != "a.mp4" {
      try await GeneratedClips.make(scratch(name), ["-i", scratch("a.mp4").string, "-c", "copy"])
    }
    let facts = try expectAgreement(scratch(name), in: scratch)
    #expect(facts.width == 320 && facts.height == 480)
  }

  @Test(
    "The duration of a stream that states none is the same everywhere, and that of its frames",
    .enabled(if: Scope.isFull),
    arguments: [
      ("a.vob", ["-c:v", "mpeg2video", "-bf", "2"]), ("b.vob", ["-c:v", "mpeg2video", "-bf", "0"]),
      ("a.mpg", ["-c:v", "mpeg1video", "-bf", "2"]), ("a.ts", ["-c:v", "libx264", "-bf", "2"]),
      // Two frames, whose distance is not that to the end.
      ("b.ts", ["-vf", "select='eq(n,0)+eq(n,30)'", "-fps_mode", "passthrough", "-c:v", "mpeg2video", "-bf", "0"]),
    ]
  )
  func duration(_ clip: (name: String, coding: [String])) async throws {
    let scratch = try ScratchFolder()
    try await GeneratedClips.make(
      scratch(clip.name),
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=1.52", "-pix_fmt", "yuv420p"] + clip.coding
    )
    let duration = try agreedDuration(of: scratch(clip.name), in: scratch)
    // The last frame is shown for 0.04 s. The delay between its DTS and its PTS is not stored.
    let expected = clip.name == "b.ts" ? 1.24 : 1.52
    #expect(abs((duration ?? 0) - expected) < 0.041, "\(String(describing: duration))")
  }

  // The first pictures of these clips are shown before the key frame, but the container starts at the key frame.
  @Test(
    "So it is where pictures precede the first key frame",
    .enabled(if: Scope.isFull),
    arguments: ["dash.mp4", "late.mkv", "late.ts", "late.m2ts", "late.mov"]
  )
  func leadingPictures(_ name: String) async throws {
    let scratch = try ScratchFolder()
    let late = name.hasPrefix("late") ? ["-output_ts_offset", "3"] : ["-movflags", "+dash+frag_keyframe"]
    try await GeneratedClips.make(
      scratch(name),
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=3.6", "-pix_fmt", "yuv420p", "-c:v", "libx265"]
        + ["-x265-params", "log-level=none:keyint=25:bframes=3", "-g", "25"] + late
    )
    #expect(abs((try agreedDuration(of: scratch(name), in: scratch) ?? 0) - 3.6) < 0.021)
    // After a cut, pictures without the frames that they are predicted from may come first.
    try await GeneratedClips.make(scratch("cut-\(name)"), ["-ss", "1", "-i", scratch(name).string, "-c", "copy"])
    #expect(try agreedDuration(of: scratch("cut-\(name)"), in: scratch) ?? 0 > 1)
  }

  @Test(
    "So it is in every fixture that gives a cover",
    .enabled(if: Scope.isFull),
    arguments: FixtureManifest.withCover
  )
  func fixtures(_ fixture: Fixture) throws {
    let scratch = try ScratchFolder()
    _ = try agreedDuration(of: fixture.path, in: scratch)
  }

  /// Expects that all report the same duration, if any: a raw stream is only read to its end if that is needed.
  private func agreedDuration(of clip: FilePath, in scratch: ScratchFolder) throws -> Double? {
    let first = try CoverExtractor.makeCover(of: clip, in: scratch).durationSeconds
    var request = CoverRequest()
    request.time = .seconds(0)
    let sought = try CoverExtractor.makeCover(of: clip, request, in: scratch).durationSeconds
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    let probed = try file.closeAfter { try CoverExtractor.probe(file.rawValue) }.facts
    let isRaw = ["h264", "hevc"].contains(probed.container)
    for reported in [first, sought] {
      #expect(
        reported == probed.durationSeconds || (reported == nil && isRaw),
        "\(clip): \(String(describing: reported))"
      )
    }
    return probed.durationSeconds
  }

  @Test("The orientation in Exif is that of a JPEG and of Motion JPEG", arguments: ["a.jpg", "a.avi", "a.mov"])
  func orientation(_ name: String) async throws {
    let scratch = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "smptebars=s=160x120", "-frames:v", "1", "-pix_fmt", "yuvj420p"]
    try await GeneratedClips.make(scratch("plain.jpg"), source)
    let plain = try ScratchFolder.read(scratch("plain.jpg"))
    // One tag, 0x112: a number of 16 bits, 6 for a quarter turn clockwise.
    let tiff: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
    let exif = Array("Exif".utf8) + [0, 0] + tiff
    let turned = try scratch.write(
      plain.prefix(2) + [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif + plain.dropFirst(2),
      as: "a.jpg"
    )
    if name != "a.jpg" {
      try await GeneratedClips.make(scratch(name), ["-framerate", "5", "-i", turned.string, "-c", "copy"])
    }
    let facts = try expectAgreement(scratch(name), in: scratch)
    #expect(facts.rotation == 90 && facts.width == 120 && facts.height == 160)
  }

  @Test("The unused byte of raw pixels of 32 bits in AVI is not alpha", arguments: [0, 255, 77] as [UInt8])
  func padding(_ byte: UInt8) async throws {
    let scratch = try ScratchFolder()
    let frame = Array(Array(repeating: [0, 0, 255, byte], count: 64 * 48).joined())
    let raw = try scratch.write(frame + frame, as: "frames.raw")
    try await GeneratedClips.make(
      scratch("a.avi"),
      ["-f", "rawvideo", "-pix_fmt", "bgra", "-s", "64x48", "-r", "5", "-i", raw.string, "-c:v", "rawvideo"]
    )
    let facts = try expectAgreement(scratch("a.avi"), in: scratch)
    #expect(!facts.alpha && facts.pixelFormat == "bgr0")
    let corners = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false).corners
    #expect(corners == Array(repeating: [255, 0, 0], count: 4))
  }
}
