import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Causes and words of failures")
struct FailureWordsTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func failure(of clip: FilePath, _ request: CoverRequest = CoverRequest()) throws -> CoverFailure? {
    #expect(throws: CoverFailure.self) { try CoverExtractor.makeCover(of: clip, request, in: scratch) }
  }

  private func make(_ name: String, _ arguments: [String]) async throws -> FilePath {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=0.6"] + arguments
        + [scratch(name).string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return scratch(name)
  }

  @Test("Artwork is suggested only if the clip has some")
  func artwork() throws {
    let suggestion = "use its artwork with --embedded fallback"
    #expect(try failure(of: ProjectFolder.fixture("artwork-only.m4a"))?.advice == suggestion)
    #expect(try failure(of: ProjectFolder.fixture("sound-only.m4a"))?.advice == "use a clip with video")
    // Sheets and animations show none.
    var (sheet, animation) = (CoverRequest(), CoverRequest())
    sheet.sheet = SheetPlan(columns: 2, rows: 2, interval: 1)
    animation.animation = AnimationPlan()
    for request in [sheet, animation] {
      let failure = try failure(of: ProjectFolder.fixture("artwork-only.m4a"), request)
      #expect(failure?.cause == .noVideoStream && failure?.advice == "use a clip with video")
    }
  }

  @Test(
    "A missing stream is reported together with the stream that has the video",
    arguments: [
      (9, "there is no stream 9; the clip's video is stream 0"),
      (1, "stream 1 is not video; the clip's video is stream 0"),
    ]
  )
  func stream(_ index: Int, _ message: String) throws {
    var request = CoverRequest()
    request.stream = index
    let failure = try failure(of: ProjectFolder.fixture("h264.mp4"), request)
    #expect(failure?.message == message && failure?.cause == .noVideoStream)
  }

  @Test("Frames in another file are reported as such")
  func external() throws {
    let failure = try failure(of: ProjectFolder.fixture("external-samples.mov"))
    #expect(
      failure?.cause == .refused && failure?.message == "the clip's frames are in another file, which is not opened"
    )
  }

  @Test(
    "A HEIF picture or sequence without a track is a picture",
    arguments: ["heic", "mif1", "msf1", "hevc", "avci", "jpgs"]
  )
  func picture(_ brand: String) throws {
    let bytes =
      MovieBox("ftyp", Array(brand.utf8) + bigEndian(0) + Array("mif1heic".utf8)).bytes
      + MovieBox("meta", bigEndian(0)).bytes + MovieBox("mdat", [UInt8](repeating: 7, count: 500)).bytes
    let failure = try failure(of: try scratch.write(bytes, as: "clip"))
    #expect(failure?.cause == .isPicture && failure?.message == "it is a HEIF picture, not a clip")
  }

  @Test(
    "A picture that FFmpeg cannot read has no index that could be missing",
    arguments: ["avif", "jp2 "]
  )
  func unreadable(_ brand: String) throws {
    // Without a list of items, FFmpeg does not find the picture.
    let bytes =
      MovieBox("ftyp", Array(brand.utf8) + bigEndian(0) + Array(("mif1" + brand).utf8)).bytes
      + MovieBox("meta", bigEndian(0)).bytes + MovieBox("mdat", [UInt8](repeating: 7, count: 500)).bytes
    let whole = try failure(of: try scratch.write(bytes, as: "whole"))
    #expect(whole?.cause == .unsupportedCodec && whole?.message == "the installed FFmpeg cannot read this picture")
    for count in [20, 30, 200] {
      #expect(try failure(of: try scratch.write(bytes.prefix(count), as: "cut"))?.cause == .truncated, "\(count)")
    }
  }

  @Test("FFmpeg cannot read an AVIF picture without the location of its data", .enabled(if: Scope.isFull))
  func unreadableAVIF() async throws {
    let clip = try await make("a.avif", ["-frames:v", "1", "-c:v", "libaom-av1", "-still-picture", "1"])
    #expect(try CoverExtractor.makeCover(of: clip, in: scratch).storedWidth == 160)
    var bytes = try ScratchFolder.read(clip)
    bytes.replaceSubrange(try #require(bytes.firstRange(of: Array("iloc".utf8))), with: Array("free".utf8))
    let failure = try failure(of: try scratch.write(bytes, as: "b.avif"))
    #expect(failure?.cause == .unsupportedCodec && failure?.message == "the installed FFmpeg cannot read this picture")
  }

  @Test("IVF whose only frame has a wrong size is damaged")
  func wrongFrameSize() async throws {
    let clip = try await make("a.ivf", ["-frames:v", "1", "-c:v", "libaom-av1", "-cpu-used", "8"])
    var bytes = try ScratchFolder.read(clip)
    // The highest byte of the size, after the header of the file.
    bytes[32 + 3] = 0xEB
    let failure = try failure(of: try scratch.write(bytes, as: "wrong.ivf"))
    #expect(failure?.cause == .damaged && failure?.message.hasPrefix("no frame can be read: the container") == true)
  }

  @Test("A segment of a stream needs the stream's header", arguments: ["moof", "styp", "sidx"])
  func segment(_ first: String) async throws {
    let clip = try await make("a.mp4", ["-c:v", "mpeg4", "-g", "5", "-movflags", "frag_keyframe+empty_moov"])
    let bytes = try ScratchFolder.read(clip)
    let fragment = try #require(bytes.firstRange(of: Array("moof".utf8))).lowerBound - 4
    let start = first == "moof" ? [] : MovieBox(first, Array("msdh".utf8) + bigEndian(0) + Array("msdh".utf8)).bytes
    let segment = try failure(of: try scratch.write(start + bytes[fragment...], as: "segment.m4s"))
    #expect(segment?.cause == .refused && segment?.message.contains("segment of a stream") == true)
    #expect(segment?.advice == "join them first, as in 'cat init.mp4 segment.m4s > clip.mp4'")
    let header = try failure(of: try scratch.write(bytes[..<fragment], as: "init.mp4"))
    #expect(header?.cause == .truncated && header?.message.contains("initialization segment") == true)
    // Following the advice results in a clip.
    let joined = try scratch.write(bytes[..<fragment] + start + bytes[fragment...], as: "joined.mp4")
    #expect(try CoverExtractor.makeCover(of: joined, in: scratch).storedWidth == 160)
  }

  @Test("JSON is never treated as captions")
  func json() throws {
    let text = #"{"captions":[{"duration":1000,"content":"hello","startOfParagraph":true,"startTime":0}]}"#
    #expect(try failure(of: try scratch.write(Array(text.utf8), as: "a.mp4"))?.cause == .unrecognised)
  }

  @Test("High-Throughput JPEG 2000 is named rather than shown as noise", .enabled(if: Scope.isFull))
  func highThroughput() async throws {
    let clip = try await make("a.mov", ["-c:v", "jpeg2000"])
    var bytes = try ScratchFolder.read(clip)
    // The style of the code blocks, in the coding style of each frame.
    for start in bytes.indices.dropLast(13) where bytes[start] == 0xFF && bytes[start + 1] == 0x52 {
      guard bytes[start + 2] == 0, bytes[start + 3] == 12 else { continue }
      bytes[start + 12] |= 0x40
    }
    let marked = try scratch.write(bytes, as: "b.mov")
    let words = ["-nostdin", "-v", "warning", "-i", marked.string, "-f", "null", "-"]
    guard try await Program.runTool("ffmpeg", words).errorOutput.contains("extra cblk styles") else {
      // FFmpeg reads it since 6.1.
      _ = try CoverExtractor.makeCover(of: marked, CoverRequest(), in: scratch)
      return
    }
    let failure = try failure(of: marked)
    #expect(failure?.cause == .unsupportedCodec && failure?.message.hasSuffix("High-Throughput JPEG 2000") == true)
  }

  @Test("The code of an unknown codec is given")
  func unknownCodec() async throws {
    let bytes = try ScratchFolder.read(try await make("a.mp4", ["-c:v", "libx264"]))
    let failure = try failure(of: try scratch.write(with(sampleEntry: "vvc9", in: bytes), as: "b.mp4"))
    #expect(failure?.message == "the installed FFmpeg does not know the video codec with the code vvc9")
  }

  /// Returns a movie with another code of its codec.
  private func with(sampleEntry code: String, in movie: [UInt8]) throws -> [UInt8] {
    var bytes = movie
    // Behind the type of the table: two numbers, and the size of the first entry.
    let place = try #require(bytes.firstRange(of: Array("stsd".utf8))).upperBound + 12
    bytes.replaceSubrange(place..<place + 4, with: Array(code.utf8))
    return bytes
  }

  @Test("AV1 with Dolby Vision is decoded by its other code")
  func dolbyVisionAV1() async throws {
    let bytes = try ScratchFolder.read(try await make("a.mp4", ["-c:v", "libaom-av1", "-cpu-used", "8"]))
    _ = try CoverExtractor.makeCover(of: scratch("a.mp4"), in: scratch)
    let cover = try ScratchFolder.read(scratch("cover.png"))
    let clip = try scratch.write(with(sampleEntry: "dav1", in: bytes), as: "b.mp4")
    _ = try CoverExtractor.makeCover(of: clip, in: scratch)
    #expect(try ScratchFolder.read(scratch("cover.png")) == cover)
  }

  @Test("A picture with too many pixels is not cut off because its data ends with zeros")
  func large() async throws {
    // Twice 128 zeros are padding of the last chunk.
    var bytes = try ScratchFolder.read(try await make("a.webp", ["-frames:v", "1", "-c:v", "libwebp"]))
    bytes += [UInt8](repeating: 0, count: 256)
    bytes.replaceSubrange(4..<8, with: withUnsafeBytes(of: UInt32(bytes.count - 8).littleEndian, Array.init))
    // The width and height of VP8, of 14 bits each, follow a start code.
    let size = try #require(bytes.firstRange(of: [0x9D, 0x01, 0x2A])).upperBound
    bytes.replaceSubrange(size..<size + 4, with: [0xFF, 0x3F, 0xFF, 0x3F])
    let failure = try failure(of: try scratch.write(bytes, as: "large.webp"))
    #expect(failure?.cause == .tooLarge, "\(String(describing: failure))")
  }

  @Test("An animated WebP is decoded, or named, and not a clip that is still being recorded")
  func animatedWebP() async throws {
    let clip = try await make("a.webp", ["-frames:v", "3", "-c:v", "libwebp_anim", "-lossless", "1"])
    guard try await !Program.runTool("ffmpeg", ["-v", "error", "-decoders"]).text.contains(" webp_anim ") else {
      // FFmpeg reads it since 9.0.
      let facts = try CoverExtractor.makeCover(of: clip, CoverRequest(), in: scratch)
      #expect(facts.width == 160 && facts.height == 120 && facts.warnings == [], "\(facts)")
      return
    }
    let failure = try failure(of: clip)
    #expect(failure?.cause == .unsupportedCodec && failure?.message.hasSuffix("cannot decode animated WebP") == true)
  }

  @Test("A damaged WebP with a transparent picture, which has the header of animated ones, is not called animated")
  func transparentWebP() async throws {
    let picture = ["-frames:v", "1", "-vf", "format=yuva420p,colorchannelmixer=aa=0.5", "-c:v", "libwebp"]
    let clip = try await make("a.webp", picture)
    var bytes = try ScratchFolder.read(clip)
    try #require(bytes[12..<16].elementsEqual("VP8X".utf8))
    let startCode = try #require(bytes.firstRange(of: [0x9D, 0x01, 0x2A]))
    bytes.replaceSubrange(startCode, with: [0, 0, 0])
    let failure = try failure(of: try scratch.write(bytes, as: "damaged.webp"))
    #expect(failure?.cause == .damaged, "\(String(describing: failure))")
  }

  @Test(
    "A picture that is cut off or damaged is not called incomplete",
    .enabled(if: Scope.isFull),
    arguments: [("webp", "libwebp"), ("png", "png"), ("gif", "gif"), ("bmp", "bmp"), ("tiff", "tiff")]
      + [("jpg", "mjpeg"), ("jp2", "jpeg2000")]
  )
  func picture(_ ending: String, _ encoder: String) async throws {
    let clip = try await make("a." + ending, ["-frames:v", "1", "-c:v", encoder])
    var bytes = try ScratchFolder.read(clip)
    let cut = try failure(of: try scratch.write(bytes.prefix(100), as: "cut"))
    #expect(cut?.isIncomplete == false, "\(String(describing: cut))")
    for index in 60..<bytes.count - 400 { bytes[index] = UInt8(truncatingIfNeeded: index &* 89) }
    let file = try scratch.write(bytes, as: "damaged")
    do {
      _ = try CoverExtractor.makeCover(of: file, in: scratch)
    } catch let failure as CoverFailure {
      #expect(!failure.isIncomplete, "\(failure)")
    }
  }

  @Test(
    "An archive or a compressed file is named as such",
    .enabled(if: Scope.isFull),
    arguments: [
      ("ZIP", [0x50, 0x4B, 3, 4, 20, 0]), ("gzip", [0x1F, 0x8B, 8, 0]), ("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
      ("RAR", [0x52, 0x61, 0x72, 0x21, 0x1A, 7, 1]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
      ("Zstandard", [0x28, 0xB5, 0x2F, 0xFD]), ("bzip2", [0x42, 0x5A, 0x68, 0x39]),
    ] as [(String, [UInt8])]
  )
  func archive(_ name: String, _ start: [UInt8]) throws {
    var state: UInt32 = 7
    let noise = (0..<300_000).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    for size in [1000, 300_000] {
      let failure = try failure(of: try scratch.write(start + noise.prefix(size), as: "clip.mp4"))
      #expect(failure?.cause == .refused && failure?.message == "a compressed file (\(name)), not a clip")
      #expect(failure?.advice == "unpack it first")
    }
  }

  @Test("A short file that starts with zeros is not a clip that is being written")
  func shortFiles() async throws {
    let picture = try await make("a.tga", ["-frames:v", "1", "-c:v", "targa"])
    try scratch.write(try ScratchFolder.read(picture).prefix(1500), as: "b.tga")
    #expect(try failure(of: scratch("b.tga"))?.cause == .unrecognised)
  }

  @Test("A playlist without a format of FFmpeg's own is not called lyrics")
  func playlist() throws {
    let text = "[playlist]\nNumberOfEntries=1\nFile1=a.mp3\nTitle1=A\nLength1=-1\nVersion=2\n"
    let failure = try failure(of: try scratch.write(Array(text.utf8), as: "clip.pls"))
    #expect(failure?.cause == .unrecognised && failure?.advice == "check that it is a video")
    #expect(failure?.message.contains("lrc") == false, "\(String(describing: failure))")
  }

  @Test("A transport stream that consists of tables has no frame")
  func tables() async throws {
    let clip = try await make("a.ts", ["-c:v", "mpeg2video"])
    // The first three packets are the tables.
    try scratch.write(try ScratchFolder.read(clip).prefix(3 * 188), as: "tables.ts")
    let failure = try failure(of: scratch("tables.ts"))
    #expect(failure?.cause == .noFrame, "\(String(describing: failure))")
  }

  @Test("A picture without a size is damaged, not too large")
  func noSize() async throws {
    var bytes = try ScratchFolder.read(try await make("a.avi", ["-c:v", "mjpeg"]))
    // The height and width in each frame header of JPEG, and in the header of the AVI.
    let start: [UInt8] = [0xFF, 0xC0, 0x00, 0x11, 0x08]
    for index in bytes.indices.dropLast(9) where bytes[index...].starts(with: start) {
      bytes.replaceSubrange(index + 5..<index + 9, with: [0, 0, 0, 0])
    }
    let failure = try failure(of: try scratch.write(bytes, as: "b.avi"))
    #expect(failure?.cause == .damaged, "\(String(describing: failure))")
  }

  @Test("No message contains advice about FFmpeg's own options", arguments: FixtureManifest.withoutCover)
  func words(_ fixture: Fixture) throws {
    // Takes gigabytes where no limit applies.
    guard fixture.file != "huge-index.mp4" else { return }
    let message = try failure(of: fixture.path)?.message ?? ""
    for words in ["Invalid data", "onsider", "documentation", "0x", "Input/output", "End of file", "codec none"] {
      #expect(!message.contains(words), "\(message)")
    }
  }
}
