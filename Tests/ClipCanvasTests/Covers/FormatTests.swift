import SystemPackage
import TestSupport
import Testing

/// Covers as JPEG and WebP.
@Suite("Cover formats")
struct FormatTests {
  /// A lossy format and the first bytes of its files.
  struct Format: Sendable, CustomTestStringConvertible {
    let name: String
    let ending: String
    /// The first bytes of a file, with `nil` for any byte.
    let signature: [UInt8?]
    let demuxer: String

    var testDescription: String { name }
  }

  static let lossy = [
    Format(name: "jpeg", ending: "jpg", signature: [0xFF, 0xD8, 0xFF, 0xE0], demuxer: "jpeg_pipe"),
    Format(
      name: "webp",
      ending: "webp",
      signature: Array("RIFF".utf8) + [nil, nil, nil, nil] + Array("WEBPVP8X".utf8),
      demuxer: "webp_pipe"
    ),
  ]

  private func run(_ arguments: [String], in scratch: ScratchFolder) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["cover"] + arguments, in: scratch.path)
  }

  /// Creates a folder with a copy of the fixture.
  private func scratch(with fixture: String, as name: String = "a.mp4") throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture(fixture), as: name)
    return scratch
  }

  @Test(
    "The picture is that of the PNG, apart from compression loss",
    .enabled(if: Scope.isFull),
    arguments: lossy,
    ["1080p.mp4", "h264.mp4", "rotated-90.mp4", "vp9.webm"]
  )
  func pixels(_ format: Format, _ fixture: String) async throws {
    let scratch = try scratch(with: fixture)
    #expect(try await run(["a.mp4"], in: scratch).exitStatus == 0)
    let result = try await run(["--format", format.name, "a.mp4"], in: scratch)
    #expect(result.exitStatus == 0 && result.text.hasPrefix("a.mp4 → a.mp4.\(format.ending)  "), "\(result)")
    let cover = scratch("a.mp4.\(format.ending)")
    let bytes = try ScratchFolder.read(cover)
    #expect(zip(bytes, format.signature).allSatisfy { $1 == nil || $0 == $1 }, "\(bytes.prefix(16))")

    let reference = try await Oracle.pixels(ofPNG: scratch("a.mp4.png"), hasAlpha: false)
    let decoded = try await Oracle.pixels(of: cover, demuxer: format.demuxer, hasAlpha: false)
    let difference = try #require(PixelDifference(decoded, reference), "\(decoded.width)×\(decoded.height)")
    #expect(difference.decibels >= 35, "\(difference)")
  }

  @Test("Chroma subsampling in a JPEG averages each block of two by two pixels")
  func halvedColours() async throws {
    let scratch = try ScratchFolder()
    let quarters =
      "color=red:s=64x64:d=1:r=1,format=gbrp,drawbox=x=32:w=32:h=32:c=blue:t=fill"
      + ",drawbox=y=32:w=32:h=32:c=lime:t=fill,drawbox=x=32:y=32:w=32:h=32:c=white:t=fill"
    let made = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", quarters, "-c:v", "ffv1", scratch("a.mkv").string]
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    #expect(try await run(["-o", "a.jpg", "--quality", "89", "a.mkv"], in: scratch).exitStatus == 0)
    let pixels = try await Oracle.pixels(of: scratch("a.jpg"), demuxer: "jpeg_pipe", hasAlpha: false)
    for (x, y, colour) in [
      (30, 30, [255, 0, 0]), (33, 30, [0, 0, 255]), (30, 33, [0, 255, 0]), (33, 33, [255, 255, 255]),
    ] {
      let start = (y * pixels.width + x) * 3
      let found = pixels.bytes[start..<start + 3].map { Int($0) }
      #expect(zip(found, colour).allSatisfy { abs($0 - $1) <= 40 }, "\(found) at \(x), \(y)")
    }
  }

  @Test("A higher quality takes more bytes and is closer to the original", .enabled(if: Scope.isFull), arguments: lossy)
  func quality(_ format: Format) async throws {
    let scratch = try scratch(with: "1080p.mp4")
    #expect(try await run(["a.mp4"], in: scratch).exitStatus == 0)
    let reference = try await Oracle.pixels(ofPNG: scratch("a.mp4.png"), hasAlpha: false)
    var last = (bytes: 0, decibels: 0.0)
    for quality in ["1", "50", "85", "100"] {
      let cover = scratch("q\(quality).\(format.ending)")
      let result = try await run(["--quality", quality, "-o", cover.string, "a.mp4"], in: scratch)
      #expect(result.exitStatus == 0, "\(result)")
      let bytes = try ScratchFolder.read(cover).count
      let decoded = try await Oracle.pixels(of: cover, demuxer: format.demuxer, hasAlpha: false)
      let decibels = try #require(PixelDifference(decoded, reference)).decibels
      #expect(bytes > last.bytes && decibels > last.decibels, "quality \(quality)")
      last = (bytes, decibels)
    }
  }

  @Test(
    "The file extension given with -o sets the format",
    .enabled(if: Scope.isFull),
    arguments: ["x.jpg", "x.JPEG", "x.webp", "x.png", "x"]
  )
  func ending(_ name: String) async throws {
    let scratch = try scratch(with: "h264.mp4")
    #expect(try await run(["-o", name, "a.mp4"], in: scratch).exitStatus == 0)
    let start = Array(try ScratchFolder.read(scratch(name)).prefix(4))
    let expected: [UInt8] =
      switch name.lowercased() {
      case "x.jpg", "x.jpeg": [0xFF, 0xD8, 0xFF, 0xE0]
      case "x.webp": Array("RIFF".utf8)
      default: [0x89, 0x50, 0x4E, 0x47]
      }
    #expect(start == expected)
  }

  @Test(
    "A file extension of another format or of a clip is refused",
    .enabled(if: Scope.isFull),
    arguments: [
      (["-o", "x.jpg", "--format", "webp"], "'-o x.jpg' and '--format webp' name two formats; use one of them"),
      (["-o", "x.PNG", "--format", "jpeg"], "'-o x.PNG' and '--format jpeg' name two formats; use one of them"),
      (["-o", "x.avif"], "'-o x.avif' is not the name of a cover: use .png, .jpg or .webp"),
      (["-o", "x.mp4", "--force"], "'-o x.mp4' is not the name of a cover: use .png, .jpg or .webp"),
      (["-o", "x.TIFF", "--format", "png"], "'-o x.TIFF' is not the name of a cover: use .png, .jpg or .webp"),
    ]
  )
  func otherExtension(_ options: [String], _ words: String) async throws {
    let scratch = try scratch(with: "h264.mp4")
    let result = try await run(options + ["a.mp4"], in: scratch)
    #expect(result.exitStatus == 64 && result.errorOutput.contains(words), "\(result.errorOutput)")
    #expect(try scratch.names() == ["a.mp4"])
  }

  @Test("A file extension that is not a picture's does not matter", arguments: ["x", "x.tmp", "x.2"])
  func unknownExtension(_ name: String) async throws {
    let scratch = try scratch(with: "h264.mp4")
    #expect(try await run(["-o", name, "--format", "webp", "a.mp4"], in: scratch).exitStatus == 0)
    #expect(try ScratchFolder.read(scratch(name)).starts(with: Array("RIFF".utf8)))
  }

  @Test("A folder named like a picture does not set the format")
  func folder() async throws {
    let scratch = try scratch(with: "h264.mp4")
    #expect(try await run(["-o", "x.jpg/", "a.mp4"], in: scratch).exitStatus == 0)
    #expect(try await run(["-o", "x.jpg", "--format", "jpeg", "a.mp4"], in: scratch).exitStatus == 0)
    #expect(try ScratchFolder.names(in: scratch("x.jpg")) == ["a.mp4.jpg", "a.mp4.png"])
  }

  @Test("The same clip and request give the same bytes", .enabled(if: Scope.isFull), arguments: lossy)
  func sameBytes(_ format: Format) async throws {
    let scratch = try scratch(with: "1080p.mp4")
    let options = ["--format", format.name, "--force", "a.mp4"]
    #expect(try await run(options, in: scratch).exitStatus == 0)
    let first = try ScratchFolder.read(scratch("a.mp4.\(format.ending)"))
    #expect(try await run(options, in: scratch).exitStatus == 0)
    #expect(try ScratchFolder.read(scratch("a.mp4.\(format.ending)")) == first)
  }

  @Test("A cover of another quality and a truncated cover are not fresh", .enabled(if: Scope.isFull), arguments: lossy)
  func freshness(_ format: Format) async throws {
    let scratch = try scratch(with: "h264.mp4")
    let cover = "a.mp4.\(format.ending)"
    let options = ["--format", format.name, "a.mp4"]
    #expect(try await run(options, in: scratch).text == "a.mp4 → \(cover)  160×120  0.000 s\n")
    #expect(try await run(options, in: scratch).text == "a.mp4 → \(cover)  160×120  0.000 s  fresh\n")
    // The default quality, given explicitly.
    #expect(try await run(["--quality", "90"] + options, in: scratch).text.contains("fresh"))
    #expect(try await run(["--quality", "80"] + options, in: scratch).text.contains("0.000 s"))
    #expect(try await run(options, in: scratch).text.contains("0.000 s"))

    let whole = try ScratchFolder.read(scratch(cover))
    for cut in [1, 2, 40, whole.count / 4] {
      try scratch.write(whole.dropLast(cut), as: cover)
      #expect(try await run(options, in: scratch).text.contains("0.000 s"), "\(cut) bytes less")
      #expect(try ScratchFolder.read(scratch(cover)) == whole)
    }
  }

  @Test("A cover never gets a cover of its own", .enabled(if: Scope.isFull), arguments: lossy)
  func coverOfCover(_ format: Format) async throws {
    let scratch = try scratch(with: "h264.mp4")
    #expect(try await run(["--format", format.name, "a.mp4"], in: scratch).exitStatus == 0)
    let (record, _) = try await CoverRun.record(of: scratch("a.mp4.\(format.ending)"), to: scratch("x.png"))
    #expect(record.status == "failed" && record.reason == "isCover")
  }

  @Test("A foreign picture is not replaced", arguments: lossy)
  func foreign(_ format: Format) async throws {
    let scratch = try scratch(with: "h264.mp4")
    let picture = scratch("a.mp4.\(format.ending)")
    let made = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "color=c=red:s=16x16:d=0.04", "-frames:v", "1", picture.string]
    )
    #expect(made.exitStatus == 0, "\(made.errorOutput)")
    let (record, _) = try await CoverRun.record(of: scratch("a.mp4"), to: picture)
    #expect(record.status == "failed" && record.reason == "outputExists")
  }

  @Test("WebP keeps transparency, and JPEG is composited over black", .enabled(if: Scope.isFull))
  func transparency() async throws {
    let fixture = try #require(FixtureManifest.withCover.first { $0.file == "vp9-alpha.webm" })
    let scratch = try ScratchFolder()
    let (png, _) = try await CoverRun.record(of: fixture.path, to: scratch("x.png"))
    try #require(png.alpha == true)
    let reference = try await Oracle.pixels(ofPNG: scratch("x.png"), hasAlpha: true)

    let (webP, _) = try await CoverRun.record(of: fixture.path, to: scratch("x.webp"))
    #expect(webP.alpha == true)
    let kept = try await Oracle.pixels(of: scratch("x.webp"), demuxer: "webp_pipe", hasAlpha: true)
    #expect(kept.alphas.bytes == reference.alphas.bytes)
    // Fully transparent pixels may have any colour.
    let difference = try #require(PixelDifference(kept.composited(over: 0), reference.composited(over: 0)))
    #expect(difference.decibels >= 35, "\(difference)")

    let (jpeg, _) = try await CoverRun.record(of: fixture.path, to: scratch("x.jpg"))
    #expect(jpeg.alpha == false)
    let flat = try await Oracle.pixels(of: scratch("x.jpg"), demuxer: "jpeg_pipe", hasAlpha: false)
    let flatDifference = try #require(PixelDifference(flat, reference.composited(over: 0)))
    #expect(flatDifference.decibels >= 35, "\(flatDifference)")
  }

  @Test(
    "Covers with odd and tiny sizes are complete",
    .enabled(if: Scope.isFull),
    arguments: lossy,
    ["1", "2", "3", "17x5"]
  )
  func tiny(_ format: Format, _ size: String) async throws {
    let scratch = try scratch(with: "h264.mp4")
    let (record, errors) = try await CoverRun.record(
      of: scratch("a.mp4"),
      to: scratch("x.\(format.ending)"),
      ["--size", size]
    )
    #expect(record.status == "cover", "\(errors)")
    let decoded = try await Oracle.pixels(of: scratch("x.\(format.ending)"), demuxer: format.demuxer, hasAlpha: false)
    #expect(decoded.width == record.width && decoded.height == record.height)
  }

  @Test("`-o -` writes the format given with --format", arguments: lossy)
  func standardOutput(_ format: Format) async throws {
    let scratch = try scratch(with: "h264.mp4")
    let result = try await run(["--format", format.name, "-o", "-", "a.mp4"], in: scratch)
    #expect(result.exitStatus == 0)
    #expect(zip(result.output, format.signature).allSatisfy { $1 == nil || $0 == $1 } && result.output.count > 500)
  }

  @Test(
    "Invalid usage is refused",
    .enabled(if: Scope.isFull),
    arguments: [
      ["--quality", "80"], ["--quality", "80", "--format", "png"], ["--quality", "80", "-o", "x.png"],
      ["--quality", "0", "--format", "jpeg"], ["--quality", "101", "--format", "webp"], ["--format", "gif"],
      ["--format", ""], ["--quality", "high", "--format", "jpeg"],
    ]
  )
  func usage(_ options: [String]) async throws {
    let scratch = try scratch(with: "h264.mp4")
    let result = try await run(options + ["a.mp4"], in: scratch)
    #expect(result.exitStatus == 64)
    #expect(try scratch.names() == ["a.mp4"])
  }
}
