import ClipService
import SystemPackage
import TestSupport
import Testing

@Suite("Recognition of clips by name and content")
struct ClipKindTests {
  @Test(
    "A clip's file extension is recognised, ignoring case",
    arguments: [
      "a.mp4", "a.MP4", "a.Mkv", "-x.webm", "a b.mov", "a..avi", "a.mp4.mxf", "a.dvr-ms", "a.m2ts", "ü.3gpp", "..mp4",
    ]
  )
  func clip(_ name: String) {
    #expect(ClipExtension(ofName: Array(name.utf8)) == .clip)
  }

  @Test(
    "A shared extension is uncertain",
    arguments: ["a.ts", "a.TS", "VTS.dat", "a.dv", "a.mod", "a.360", "a.mts", "a.MP"]
  )
  func perhaps(_ name: String) {
    #expect(ClipExtension(ofName: Array(name.utf8)) == .perhaps)
  }

  @Test(
    "Other extensions are not recognised",
    arguments: [
      "", ".", "..", "mp4", ".mp4", "a.", "a.mp4.", "a.mp4 ", "a.mp4~", "a.mp4.png", "a.mp4.part", "a.m3u8", "a.jpg",
      "a.mp3", "a.mp4\n", "a.xmp4", "a.m", "a.mp44", "a.webmwebm", "a.ｍｐ４",
    ]
  )
  func none(_ name: String) {
    #expect(ClipExtension(ofName: Array(name.utf8)) == nil)
  }

  @Test("Bytes before the extension are ignored, and bytes that are not UTF-8 do not form one")
  func bytes() {
    #expect(ClipExtension(ofName: [0xFF, 0xFE] + Array(".mp4".utf8)) == .clip)
    #expect(ClipExtension(ofName: Array("a.mp4".utf8) + [0xFF]) == nil)
    #expect(ClipExtension(ofName: Array("a.mp4".utf8) + [0xCC, 0x81]) == nil)
  }

  @Test(
    "A picture in any format written by ffmpeg is recognised",
    .enabled(if: Scope.isFull),
    arguments: [["p.png"], ["p.jpg"], ["p.bmp"], ["p.tiff"], ["p.jp2"], ["-c:v", "libwebp", "p.webp"]]
  )
  func picture(_ arguments: [String]) async throws {
    let scratch = try ScratchFolder()
    let made = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1"] + arguments,
      in: scratch.path
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    let bytes = try ScratchFolder.read(scratch(arguments[arguments.count - 1]))
    #expect(PictureSignature.isPicture(Array(bytes.prefix(PictureSignature.maximumBytes))))
    // A prefix shorter than a signature is not recognised.
    #expect((0..<2).allSatisfy { !PictureSignature.isPicture(Array(bytes.prefix($0))) })
  }

  @Test("No clip counts as a picture", arguments: FixtureManifest.withCover.filter { !$0.file.hasSuffix(".png") })
  func noPicture(_ fixture: Fixture) throws {
    #expect(
      !PictureSignature.isPicture(Array(try ScratchFolder.read(fixture.path).prefix(PictureSignature.maximumBytes)))
    )
  }

  @Test(
    "A HEIF picture is recognised by its brands, but not AVIF, sequences and movies",
    arguments: [
      ("heic", ["mif1", "heic"], true), ("heix", [], true), ("avci", [], true), ("mif1", ["heic"], true),
      ("mif1", ["avif"], false),
      ("avif", ["mif1", "miaf"], false), ("hevc", ["msf1"], false), ("isom", ["mp42"], false), ("qt  ", [], false),
    ]
  )
  func heif(_ major: String, _ others: [String], _ isPicture: Bool) {
    let size = UInt8(16 + 4 * others.count)
    let start = [0, 0, 0, size] + Array("ftyp\(major)\0\0\0\0\(others.joined())".utf8) + Array("\0\0\0\u{8}meta".utf8)
    #expect(PictureSignature.isPicture(start) == isPicture)
  }

  @Test("A transport stream is recognised by its packets of any size; texts and tables in columns are not one")
  func transportStream() {
    /// Rows that each start with the bytes that a function returns, at an offset that is not a multiple of their size.
    func rows(_ count: UInt8, of size: Int, _ start: (UInt8) -> [UInt8]) -> [UInt8] {
      [1, 2, 3] + (0..<count).flatMap { start($0) + Array(repeating: 0, count: size - start($0).count) }
    }
    func packet(_ number: UInt8) -> [UInt8] { [0x47, 0x01, 0x00, 0x10 + number % 16] }
    func noise(_ number: UInt8) -> [UInt8] { [number | 0x80] }
    for size in [188, 192, 204] {
      #expect(StreamSignature.isTransportStream(rows(4, of: size, packet)))
      #expect(!StreamSignature.isTransportStream(rows(3, of: size, packet)))
      #expect(StreamSignature.isTransportStream(rows(40, of: size) { $0 < 20 ? noise($0) : packet($0) }))
      #expect(!StreamSignature.isTransportStream(rows(40, of: size) { $0 < 22 ? noise($0) : packet($0) }))
      // The same part of addresses.
      #expect(!StreamSignature.isTransportStream(rows(40, of: size) { _ in [0x47, 0x02, 0x00, 0x00] }))
    }
    let line = Array("G\(String(repeating: "x", count: 186))\n".utf8)
    #expect(!StreamSignature.isTransportStream((0..<9).flatMap { _ in line }))
  }

  @Test("A RIFF file other than WebP is not a picture")
  func riff() {
    #expect(!PictureSignature.isPicture(Array("RIFF\u{1}\u{2}\u{3}\u{4}AVI ".utf8)))
    #expect(!PictureSignature.isPicture(Array("RIFF".utf8)))
  }
}
