import CoverService
import SystemPackage
import TestSupport
import Testing

@Suite("what names and first bytes tell of a file")
struct ClipKindTests {
  @Test(
    "a clip's ending, in capitals too",
    arguments: ["a.mp4", "a.MP4", "a.Mkv", "-x.webm", "a b.mov", "a..avi", "a.mp4.mxf", "a.m2ts", "ü.3gpp", "..mp4"]
  )
  func clip(_ name: String) {
    #expect(ClipEnding(ofName: Array(name.utf8)) == .clip)
  }

  @Test("one that other files have too", arguments: ["a.ts", "a.TS", "VTS.dat", "a.dv", "a.mod", "a.360"])
  func perhaps(_ name: String) {
    #expect(ClipEnding(ofName: Array(name.utf8)) == .perhaps)
  }

  @Test(
    "none of a clip's",
    arguments: [
      "", ".", "..", "mp4", ".mp4", "a.", "a.mp4.", "a.mp4 ", "a.mp4~", "a.mp4.png", "a.mp4.part", "a.m3u8", "a.jpg",
      "a.mp3", "a.mp4\n", "a.xmp4", "a.mp", "a.mp44", "a.webmwebm", "a.ｍｐ４",
    ]
  )
  func none(_ name: String) {
    #expect(ClipEnding(ofName: Array(name.utf8)) == nil)
  }

  @Test("bytes before the ending do not matter, and none that are no UTF-8 make one")
  func bytes() {
    #expect(ClipEnding(ofName: [0xFF, 0xFE] + Array(".mp4".utf8)) == .clip)
    #expect(ClipEnding(ofName: Array("a.mp".utf8) + [0xFF]) == nil)
    #expect(ClipEnding(ofName: Array("a.mp4".utf8) + [0xCC, 0x81]) == nil)
  }

  @Test(
    "a picture, of every kind that ffmpeg writes here",
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
    #expect(PictureSignature.isPicture(Array(bytes.prefix(PictureSignature.mostBytes))))
    // Less than a signature is none.
    #expect((0..<2).allSatisfy { !PictureSignature.isPicture(Array(bytes.prefix($0))) })
  }

  @Test("no clip is a picture", arguments: FixtureManifest.withCover.filter { !$0.file.hasSuffix(".png") })
  func noPicture(_ fixture: Fixture) throws {
    #expect(!PictureSignature.isPicture(Array(try ScratchFolder.read(fixture.path).prefix(PictureSignature.mostBytes))))
  }

  @Test("a RIFF file that is no WebP is no picture")
  func riff() {
    #expect(!PictureSignature.isPicture(Array("RIFF\u{1}\u{2}\u{3}\u{4}AVI ".utf8)))
    #expect(!PictureSignature.isPicture(Array("RIFF".utf8)))
  }
}
