import Covers
import SystemPackage
import TestSupport
import Testing

/// The options that choose and convert the picture of a cover.
@Suite("Picture options")
struct PictureOptionsTests {
  private func cover(
    _ fixture: String,
    _ options: [String],
    hasAlpha: Bool = false
  ) async throws -> (record: CoverRecord, pixels: RawPixels) {
    let scratch = try ScratchFolder()
    let (record, errors) = try await CoverRun.record(
      of: ProjectFolder.fixture(fixture),
      to: scratch("cover.png"),
      options
    )
    try #require(record.cover != nil, "\(record) \(errors)")
    return (record, try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: hasAlpha))
  }

  // MARK: - Size

  @Test(
    "--fill makes a cover of exactly that size, from the middle of the frame",
    .enabled(if: Scope.isFull),
    arguments: ["1080p.mp4", "rotated-90.mp4", "anamorphic.mp4", "h264.mp4", "odd-size.mkv", "bgr0.mkv"],
    ["64", "300x100", "50x400"]
  )
  func fill(_ fixture: String, _ box: String) async throws {
    let (record, pixels) = try await cover(fixture, ["--fill", box, "--exact"])
    let size = try #require(SizeLimit(box))
    #expect(record.width == size.width && record.height == size.height && record.requestedFill == size.description)
    #expect(pixels.width == size.width && pixels.height == size.height)
    let reference = try await Oracle.cover(
      of: ProjectFolder.fixture(fixture),
      // In RGB, ffmpeg can cut off an odd number of pixels.
      filter:
        ",format=gbrp,scale=\(size.width):\(size.height):force_original_aspect_ratio=increase:flags=bicubic+accurate_rnd,"
        + "crop=\(size.width):\(size.height):floor((iw-ow)/2):floor((ih-oh)/2)"
    )
    let difference = try #require(PixelDifference(pixels, reference))
    // An offset of one pixel would give less than 25 dB.
    #expect(difference.decibels >= 28, "\(difference)")
  }

  @Test(
    "--fill is bounded, and not combined with --size",
    arguments: [
      (["--fill", "4097"], "with sides of 1 to 4096 pixels"), (["--fill", "0x5"], "is not a size to fill"),
      (["--fill", "64", "--size", "64"], "'--size' and '--fill' both decide the size of the cover"),
    ]
  )
  func fillUsage(_ options: [String], _ message: String) async throws {
    let result = try await Program.run("clipcanvas", ["cover"] + options + ["a.mp4"])
    #expect(result.exitStatus == 64 && result.errorOutput.contains(message), "\(result.errorOutput)")
  }

  // MARK: - Streams and artwork

  @Test(
    "--embedded and --stream select the same picture as ffmpeg's -map",
    .enabled(if: Scope.isFull),
    arguments: [
      ("artwork.mp4", ["--embedded", "never"], "0:V:0"), ("artwork.mp4", ["--embedded", "fallback"], "0:V:0"),
      ("artwork.mp4", ["--embedded", "prefer"], "0:v:1"), ("artwork-first.mp4", ["--embedded", "prefer"], "0:v:0"),
      ("artwork-first.mp4", [], "0:V:0"), ("artwork.mkv", ["--embedded", "prefer"], "0:v:1"),
      ("artwork-only.m4a", ["--embedded", "fallback"], "0:v:0"),
      ("artwork-only.mp3", ["--embedded", "prefer"], "0:v:0"), ("two-videos.mkv", [], "0:0"),
      ("two-videos.mkv", ["--stream", "0"], "0:0"), ("two-videos.mkv", ["--stream", "1"], "0:1"),
    ]
  )
  func stream(_ fixture: String, _ options: [String], _ map: String) async throws {
    let (_, pixels) = try await cover(fixture, options)
    let reference = try await Oracle.pixels(of: ProjectFolder.fixture(fixture), ["-map", map])
    let difference = try #require(PixelDifference(pixels, reference))
    #expect(difference.decibels >= 40, "\(difference)")
  }

  @Test("A missing stream is reported with advice")
  func missingStream() async throws {
    let scratch = try ScratchFolder()
    let clip = ProjectFolder.fixture("two-videos.mkv").string
    let result = try await Program.run(
      "clipcanvas",
      ["cover", "--stream", "7", "-o", scratch("cover.png").string, clip]
    )
    #expect(result.exitStatus == 1)
    #expect(
      result.errorOutput.contains("there is no stream 7; the clip's video is stream 0; 'clipcanvas probe' lists")
    )
    #expect(try scratch.names().isEmpty)
  }

  // MARK: - Shape

  @Test(
    "--storage-size keeps the stored pixels but turns them upright",
    arguments: ["anamorphic.mp4", "anamorphic-turned.mp4", "sar-container-wins.mp4", "h264.mp4"]
  )
  func storageSize(_ fixture: String) async throws {
    let (record, pixels) = try await cover(fixture, ["--storage-size"])
    // ffmpeg rotates frames automatically, and without a scale filter it does not resize them.
    let reference = try await Oracle.pixels(of: ProjectFolder.fixture(fixture), ["-map", "0:V:0"])
    #expect(
      [record.storedWidth, record.storedHeight].compactMap(\.self).sorted() == [pixels.width, pixels.height].sorted()
    )
    let difference = try #require(PixelDifference(pixels, reference))
    #expect(difference.decibels >= 40, "\(difference)")
  }

  // MARK: - Colours

  @Test(
    "--background composites transparent parts over a colour",
    .enabled(if: Scope.isFull),
    arguments: ["vp9-alpha.webm", "png-alpha.mov"]
  )
  func background(_ fixture: String) async throws {
    let (transparent, layers) = try await cover(fixture, [], hasAlpha: true)
    let (flattened, flat) = try await cover(fixture, ["--background", "#102030"])
    #expect(transparent.alpha == true && flattened.alpha == false)
    let ground = [0x10, 0x20, 0x30]
    var largest = 0
    for pixel in 0..<flat.width * flat.height {
      let alpha = Double(layers.bytes[pixel * 4 + 3]) / 255
      for channel in 0..<3 {
        let wanted = Double(layers.bytes[pixel * 4 + channel]) * alpha + Double(ground[channel]) * (1 - alpha)
        largest = max(largest, abs(Int(flat.bytes[pixel * 3 + channel]) - Int(wanted.rounded())))
      }
    }
    #expect(largest <= 1)
    #expect(Set(layers.bytes.indices.filter { $0 % 4 == 3 }.map { layers.bytes[$0] }).count > 1)
  }

  @Test("--bit-depth 16 keeps more than 8 bits", arguments: ["h264-10bit.mp4", "prores-4444.mov", "gray16.mkv"])
  func bitDepth(_ fixture: String) async throws {
    let scratch = try ScratchFolder()
    let clip = ProjectFolder.fixture(fixture)
    _ = try await CoverRun.record(of: clip, to: scratch("cover.png"), ["--bit-depth", "16"])
    func raw(_ arguments: [String]) async throws -> [UInt16] {
      let result = try await Program.runTool(
        "ffmpeg",
        ["-nostdin", "-v", "error"] + arguments + ["-frames:v", "1", "-pix_fmt", "rgb48le", "-f", "rawvideo", "-"]
      )
      return result.output.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    }
    let head = try ScratchFolder.read(scratch("cover.png"))
    #expect(head[24] == 16)
    let cover = try await raw(["-f", "png_pipe", "-i", scratch("cover.png").string])
    let reference = try await raw(["-i", clip.string, "-map", "0:V:0"])
    try #require(cover.count == reference.count && !cover.isEmpty)
    let squares = zip(cover, reference).reduce(0.0) { sum, pair in
      let difference = Double(pair.0) - Double(pair.1)
      return sum + difference * difference
    }
    // 40 dB at 16 bits is a root mean square of 655 steps.
    #expect((squares / Double(cover.count)).squareRoot() <= 655)
    #expect(Set(cover.map { $0 & 0xFF }).count > 1)
  }

  @Test("An assumed matrix is reported", .enabled(if: Scope.isFull))
  func assumedMatrix() async throws {
    for (fixture, assumed) in [
      ("untagged.mp4", "bt601"), ("reserved-colour.mp4", "bt601"), ("rgb-tag-on-yuv.mp4", "bt601"), ("bt709.mp4", nil),
      ("h264-rgb.mkv", nil),
    ] as [(String, String?)] {
      #expect(try await cover(fixture, []).record.assumedMatrix == assumed, "\(fixture)")
    }
  }

  // MARK: - Dark starts

  @Test("The first frame is used by default, and its brightness is reported", .enabled(if: Scope.isFull))
  func luma() async throws {
    for fixture in ["black-start.mp4", "white-start.mp4", "h264.mp4", "vp9-alpha.webm"] {
      let (record, pixels) = try await cover(fixture, [])
      var (sum, squares) = (0.0, 0.0)
      for pixel in 0..<pixels.width * pixels.height {
        let values = pixels.bytes[pixel * 3..<pixel * 3 + 3].map { Double($0) }
        let luma = 0.2126 * values[0] + 0.7152 * values[1] + 0.0722 * values[2]
        sum += luma
        squares += luma * luma
      }
      let mean = sum / Double(pixels.width * pixels.height)
      let variance = squares / Double(pixels.width * pixels.height) - mean * mean
      #expect(record.actualTime == 0)
      #expect(record.meanLuma.map { abs($0 - mean) < 0.01 } == true, "\(record) \(mean)")
      #expect(record.lumaVariance.map { abs($0 - variance) < 0.1 + variance / 1000 } == true, "\(record) \(variance)")
    }
  }

  @Test(
    "--at best reports the score of the frame it chose, and its parts",
    .enabled(if: Scope.isFull),
    arguments: ["h264.mp4", "black.mp4"]
  )
  func best(_ fixture: String) async throws {
    let (record, _) = try await cover(fixture, ["--at", "best"])
    let score = try #require(record.score)
    #expect(record.status == "cover" && record.warnings == [])
    #expect((0...1).contains(score.total) && (score.total > 0.5) == (fixture == "h264.mp4"), "\(record)")
  }

  // MARK: - Invalid usage

  @Test(
    "Invalid values are refused with the valid ones",
    .enabled(if: Scope.isFull),
    arguments: [
      (["--bit-depth", "12"], "is not a bit depth: use 8 or 16"), (["--stream", "x"], "--stream"),
      (["--stream=-1"], "takes the number of a stream, from 0"),
      (["--background", "greenish"], "use #rrggbb, #rgb or a basic name"), (["--embedded", "yes"], "never"),
    ]
  )
  func usage(_ options: [String], _ words: String) async throws {
    let result = try await Program.run("clipcanvas", ["cover"] + options + ["a.mp4"])
    #expect(result.exitStatus == 64 && result.errorOutput.contains(words), "\(result.errorOutput)")
  }
}
