import SystemPackage
import TestSupport
import Testing

/// Covers of interlaced clips, whose frames hold two fields of different times.
@Suite("covers of interlaced clips")
struct InterlacedTests {
  /// One of the clips that serve the tests.
  struct InterlacedClip: Sendable, CustomTestStringConvertible {
    let path: FilePath
    /// `bwdif` gives a picture from one frame only when there is a second one to wait for.
    var hasSecondFrame = true
    /// Whether the fields of the first frame differ by motion.
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
      // A black frame, the first of this clip, has no motion.
      InterlacedClip(path: SharedClips.path($0), moves: !$0.contains("open-incomplete-header"))
    }

  private func cover(_ clip: FilePath, _ options: [String] = []) async throws -> (CoverRecord, RawPixels) {
    let scratch = try ScratchFolder()
    let (record, errors) = try await CoverRun.record(of: clip, to: scratch("cover.png"), options)
    try #require(record.status == "cover", "\(errors)")
    return (record, try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: record.alpha ?? false))
  }

  @Test("both fields are there with --no-deinterlace, as ffmpeg gives them", arguments: clips)
  func plain(_ clip: InterlacedClip) async throws {
    let (record, cover) = try await cover(clip.path, ["--no-deinterlace"])
    #expect(record.interlaced == true)
    let difference = try #require(PixelDifference(cover, try await Oracle.cover(of: clip.path)))
    #expect(difference.decibels >= 40, "\(difference)")
  }

  @Test("no combs are left", arguments: clips.filter(\.moves))
  func combs(_ clip: InterlacedClip) async throws {
    let (record, cover) = try await cover(clip.path)
    #expect(record.interlaced == true)
    let woven = try await Oracle.cover(of: clip.path)
    #expect(woven.combedShare > 0.004, "the clip does not test what it should: \(woven.combedShare)")
    #expect(cover.combedShare < woven.combedShare / 5, "\(cover.combedShare) of \(woven.combedShare)")
  }

  // 46 dB and more are reached with bwdif's own picture, which is interpolated in this way where things move. The
  // field that is shown second, or a weave of both, stays below 20 dB on the fixtures.
  @Test("the picture is that of the field presented first", arguments: clips.filter(\.hasSecondFrame))
  func firstField(_ clip: InterlacedClip) async throws {
    let (_, cover) = try await cover(clip.path)
    let reference = try await Oracle.cover(of: clip.path, before: "bwdif=mode=send_frame")
    let difference = try #require(PixelDifference(cover, reference))
    #expect(difference.decibels >= 42, "\(difference)")
  }

  @Test("a single frame is deinterlaced too")
  func singleFrame() async throws {
    // Encoded from the same pictures, so the first frame is the same; of this one alone bwdif would give both fields.
    let (_, cover) = try await cover(ProjectFolder.fixture("one-interlaced-frame.ts"))
    let reference = try await Oracle.cover(
      of: ProjectFolder.fixture("interlaced-mpeg2.ts"),
      before: "bwdif=mode=send_frame"
    )
    let difference = try #require(PixelDifference(cover, reference))
    #expect(difference.decibels >= 42, "\(difference)")
  }

  @Test(
    "the lines of the field presented first stay as they are",
    arguments: [("interlaced.m2ts", "top"), ("interlaced-mpeg2.ts", "top"), ("interlaced-bff.mov", "bottom")]
  )
  func keptLines(_ name: String, _ field: String) async throws {
    // A 4:4:4 picture, so that no colour of the lines between comes into these.
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

  @Test(
    "any height and any kind of planes will do",
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
      // A picture of one colour stays one.
      let (record, cover) = try await cover(clip)
      #expect(record.interlaced == true)
      #expect(cover.width == 16 && cover.height == height)
      let reference = try await Oracle.cover(of: clip, hasAlpha: record.alpha ?? false)
      #expect(try #require(PixelDifference(cover, reference)).largest <= 1)
    }
  }

  @Test(
    "progressive clips are not touched",
    arguments: ["h264.mp4", "vp9.webm", "rotated-90.mp4", "anamorphic.mp4", "mpeg2.ts"]
  )
  func progressive(_ name: String) async throws {
    let (record, one) = try await cover(ProjectFolder.fixture(name))
    let (_, other) = try await cover(ProjectFolder.fixture(name), ["--no-deinterlace"])
    #expect(record.interlaced == false)
    #expect(one.bytes == other.bytes)
  }

  @Test("a cover made one way is not fresh for the other")
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

extension RawPixels {
  /// The share of samples that stand out from those above and below, to the same side and by more than 20 of 255.
  fileprivate var combedShare: Double {
    let stride = width * channels
    var combed = 0
    bytes.withUnsafeBufferPointer { bytes in
      for index in stride..<bytes.count - stride {
        let up = Int(bytes[index]) - Int(bytes[index - stride])
        let down = Int(bytes[index]) - Int(bytes[index + stride])
        if up * down > 0, min(abs(up), abs(down)) > 20 { combed += 1 }
      }
    }
    return Double(combed) / Double(bytes.count - 2 * stride)
  }
}
