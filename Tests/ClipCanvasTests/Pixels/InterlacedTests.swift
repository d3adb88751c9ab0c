import SystemPackage
import TestSupport
import Testing

/// Covers of interlaced clips, whose frames contain two fields from different times.
@Suite("Covers of interlaced clips")
struct InterlacedTests {
  /// A clip of these tests.
  struct InterlacedClip: Sendable, CustomTestStringConvertible {
    let path: FilePath
    /// Whether the clip has a second frame; without one, `bwdif` does not deinterlace the first.
    var hasSecondFrame = true
    /// Whether the fields of the first frame differ because of motion.
    var moves = true

    var testDescription: String { path.lastComponent?.string ?? "" }
  }

  static let clips: [InterlacedClip] =
    ["interlaced.m2ts", "interlaced-mpeg2.ts", "interlaced-bff.mov"].map {
      InterlacedClip(path: ProjectFolder.fixture($0))
    } + [
      InterlacedClip(path: ProjectFolder.fixture("one-interlaced-frame.ts"), hasSecondFrame: false),
      InterlacedClip(path: ProjectFolder.fixture("dv.avi"), hasSecondFrame: false, moves: false),
    ]
    + SharedClips.valid.filter { $0.hasPrefix("valid/interlaced/") || $0.hasSuffix("hdv-1080i60.mov") }.map {
      // The first frame of this clip is black and so has no motion.
      InterlacedClip(path: SharedClips.path($0), moves: !$0.contains("open-incomplete-header"))
    }

  private func cover(_ clip: FilePath, _ options: [String] = []) async throws -> (CoverRecord, RawPixels) {
    let scratch = try ScratchFolder()
    let (record, errors) = try await CoverRun.record(of: clip, to: scratch("cover.png"), options)
    try #require(record.status == "cover", "\(errors)")
    return (record, try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: record.alpha ?? false))
  }

  @Test("--no-deinterlace keeps both fields as ffmpeg does", .enabled(if: Scope.isFull), arguments: clips)
  func plain(_ clip: InterlacedClip) async throws {
    let (record, cover) = try await cover(clip.path, ["--no-deinterlace"])
    #expect(record.interlaced == true)
    let difference = try #require(PixelDifference(cover, try await Oracle.cover(of: clip.path)))
    #expect(difference.decibels >= 40, "\(difference)")
  }

  @Test("No combing is left", .enabled(if: Scope.isFull), arguments: clips.filter(\.moves))
  func combs(_ clip: InterlacedClip) async throws {
    let (record, cover) = try await cover(clip.path)
    #expect(record.interlaced == true)
    let woven = try await Oracle.cover(of: clip.path)
    #expect(woven.combedShare > 0.004, "the clip does not test what it should: \(woven.combedShare)")
    #expect(cover.combedShare < woven.combedShare / 5, "\(cover.combedShare) of \(woven.combedShare)")
  }

  // Compared with bwdif, which interpolates moving parts in the same way, the cover reaches at least 46 dB. The field
  // presented second, or a weave of both, stays below 20 dB on the fixtures.
  @Test(
    "The picture is that of the field presented first",
    .enabled(if: Scope.isFull),
    arguments: clips.filter(\.hasSecondFrame)
  )
  func firstField(_ clip: InterlacedClip) async throws {
    let (_, cover) = try await cover(clip.path)
    let reference = try await Oracle.cover(of: clip.path, before: "bwdif=mode=send_frame")
    let difference = try #require(PixelDifference(cover, reference))
    #expect(difference.decibels >= 42, "\(difference)")
  }

  @Test("A single frame is deinterlaced too")
  func singleFrame() async throws {
    // Both fixtures were encoded from the same pictures, so their first frames are equal. From a single frame bwdif
    // would return both fields.
    let (_, cover) = try await cover(ProjectFolder.fixture("one-interlaced-frame.ts"))
    let reference = try await Oracle.cover(
      of: ProjectFolder.fixture("interlaced-mpeg2.ts"),
      before: "bwdif=mode=send_frame"
    )
    let difference = try #require(PixelDifference(cover, reference))
    // FFmpeg 7.1's bwdif treats the first frame differently than that of 5.1: they are 41 dB apart.
    #expect(difference.decibels >= 38, "\(difference)")
  }

  @Test(
    "The lines of the field presented first are unchanged",
    .enabled(if: Scope.isFull),
    arguments: [("interlaced.m2ts", "top"), ("interlaced-mpeg2.ts", "top"), ("interlaced-bff.mov", "bottom")]
  )
  func keptLines(_ name: String, _ field: String) async throws {
    // A 4:4:4 picture, so that these lines share no chroma with the lines in between.
    let scratch = try ScratchFolder()
    let clip = scratch("fields.mkv")
    let made = try await Program.runTool(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-i", ProjectFolder.fixture(name).string, "-frames:v", "1", "-vf", "format=gbrp",
        "-c:v", "ffv1", "-flags", "+ildct+ilme", "-top", field == "top" ? "1" : "0", "-field_order",
        field == "top" ? "tt" : "bb", clip.string,
      ]
    )
    #expect(made.exitStatus == 0, "\(made.errorOutput)")
    let (record, cover) = try await cover(clip)
    try #require(record.interlaced == true)
    let woven = try await Oracle.cover(of: clip)
    let kept = field == "top" ? 0 : 1
    let stride = cover.width * cover.channels
    for y in 0..<cover.height {
      let isSame = cover.bytes[y * stride..<(y + 1) * stride] == woven.bytes[y * stride..<(y + 1) * stride]
      if y % 2 == kept { #expect(isSame, "line \(y)") }
    }
    #expect(cover.bytes != woven.bytes)
  }

  /// Decoders of these codecs know nothing of fields.
  @Test(
    "The container alone can declare that frames consist of two fields",
    .enabled(if: Scope.isFull),
    arguments: [
      ("ffvhuff", "rgb24", "mkv"), ("ffvhuff", "rgb24", "mov"), ("utvideo", "gbrp", "mkv"), ("utvideo", "gbrp", "mov"),
      ("huffyuv", "rgb24", "mkv"), ("qtrle", "rgb24", "mov"), ("jpeg2000", "rgb24", "mov"),
      ("mjpeg", "yuvj444p", "mkv"), ("cfhd", "gbrp12le", "mov"),
    ],
    ["tt", "bb"]
  )
  func statedByContainer(_ kind: (codec: String, format: String, container: String), _ order: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("fields.\(kind.container)")
    let made = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", ProjectFolder.fixture("interlaced-mpeg2.ts").string, "-frames:v", "2"]
        + ["-c:v", kind.codec, "-pix_fmt", kind.format, "-q:v", "1", "-field_order", order, clip.string]
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    let (record, cover) = try await cover(clip)
    #expect(record.interlaced == true)
    let woven = try await Oracle.cover(of: clip)
    let kept = order == "tt" ? 0 : 1
    let stride = cover.width * cover.channels
    for y in 0..<cover.height where y % 2 == kept {
      let pairs = zip(cover.bytes[y * stride..<(y + 1) * stride], woven.bytes[y * stride..<(y + 1) * stride])
      #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "line \(y)")
    }
    let filter = "setfield=\(order == "tt" ? "tff" : "bff"),bwdif=mode=send_frame:deint=all"
    let difference = try #require(PixelDifference(cover, try await Oracle.cover(of: clip, before: filter)))
    // bwdif also uses the second frame. The other field stays below 20 dB.
    #expect(difference.decibels >= 36, "\(difference)")
    let (_, whole) = try await self.cover(clip, ["--size", "20"])
    #expect(whole.width == 20)
  }

  @Test(
    "A PNG that is stored in coarse steps first has no fields",
    arguments: ["steps.png", "steps.mov", "steps.apng"]
  )
  func steps(_ name: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch(name)
    let stripes = "nullsrc=s=64x48,geq=lum='255*mod(Y\\,2)':cb=128:cr=128"
    let encoder = name.hasSuffix("apng") ? [] : ["-c:v", "png"]
    let made = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", stripes, "-frames:v", "1", "-flags", "+ildct"]
        + ["-pix_fmt", "rgb24"] + encoder + [clip.string]
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    let (record, cover) = try await cover(clip)
    #expect(record.interlaced == false)
    #expect(try #require(PixelDifference(cover, try await Oracle.cover(of: clip))).largest <= 1)
  }

  @Test(
    "Any height and pixel format can be deinterlaced",
    .enabled(if: Scope.isFull),
    arguments: [1, 2, 3, 5],
    ["yuv420p", "yuv422p10le", "yuva420p", "gray12le", "bgra"]
  )
  func shapes(height: Int, format: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("small.mkv")
    for (order, top) in [("tt", "1"), ("bb", "0")] {
      let made = try await Program.runTool(
        "ffmpeg",
        [
          "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=c=orange:s=16x\(height):d=0.04,format=gbrp",
          "-frames:v", "1", "-pix_fmt", format, "-c:v", "ffv1", "-strict", "-2", "-flags", "+ildct+ilme", "-top", top,
          "-field_order", order, clip.string,
        ]
      )
      try #require(made.exitStatus == 0, "\(made.errorOutput)")
      // A picture of a single colour stays unchanged.
      let (record, cover) = try await cover(clip)
      #expect(record.interlaced == true)
      #expect(cover.width == 16 && cover.height == height)
      let reference = try await Oracle.cover(of: clip, hasAlpha: record.alpha ?? false)
      #expect(try #require(PixelDifference(cover, reference)).largest <= 1)
    }
  }

  @Test(
    "Progressive clips are not deinterlaced",
    .enabled(if: Scope.isFull),
    arguments: ["h264.mp4", "vp9.webm", "rotated-90.mp4", "anamorphic.mp4", "mpeg2.ts"]
  )
  func progressive(_ name: String) async throws {
    let (record, one) = try await cover(ProjectFolder.fixture(name))
    let (_, other) = try await cover(ProjectFolder.fixture(name), ["--no-deinterlace"])
    #expect(record.interlaced == false)
    #expect(one.bytes == other.bytes)
  }

  @Test("A deinterlaced cover is not fresh for --no-deinterlace, and vice versa", .enabled(if: Scope.isFull))
  func freshness() async throws {
    let scratch = try ScratchFolder()
    let clip = ProjectFolder.fixture("interlaced.m2ts")
    for (options, status) in [
      ([], "cover"), (["--deinterlace"], "fresh"), (["--no-deinterlace"], "cover"), (["--no-deinterlace"], "fresh"),
    ] {
      let (record, _) = try await CoverRun.record(of: clip, to: scratch("cover.png"), options)
      #expect(record.status == status)
    }
  }
}
