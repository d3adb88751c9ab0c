import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Motion photos: pictures of phones that are followed by a video.
@Suite("--embedded-video")
struct EmbeddedVideoTests {
  private struct Probed: Decodable {
    struct Video: Decodable { let byte, bytes: Int }
    let status: String
    let embeddedVideo: Video?
  }

  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let size = withUnsafeBytes(of: UInt32(content.count + 8).bigEndian) { Array($0) }
    return size + Array(type.utf8) + content
  }

  /// Makes a video `v.mp4`, and a picture with the video at its byte; returns that byte and the size of the video.
  private func make(_ name: String, _ kind: String) async throws -> (byte: Int, bytes: Int) {
    let coding = [
      "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", kind == "faststart" ? "faststart" : "empty_moov",
    ]
    try await TestClip.make("v.mp4", inputs: ["testsrc2=s=320x240:r=25:d=2"], coding, in: scratch)
    try await TestClip.make("p.jpg", inputs: ["color=red:s=640x480"], ["-frames:v", "1"], in: scratch)
    let video = Array(try ScratchFolder.read(scratch("v.mp4")))
    let jpeg = Array(try ScratchFolder.read(scratch("p.jpg")))
    let heic = Self.box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)) + Self.box("mdat", jpeg)
    let before: [UInt8]
    var after: [UInt8] = []
    switch kind {
    case "heic": before = heic
    case "mpvd": before = heic + Self.box("mpvd", video).prefix(8)
    case "trailer": (before, after) = (jpeg + Array("MotionPhoto_Data".utf8), Array("SEFHe\0\0\0SEFT".utf8))
    default: before = jpeg
    }
    try scratch.write(before + video + after, as: name)
    return (before.count, video.count)
  }

  @Test(
    "The cover is that of the video after the picture, and probe lists it",
    arguments: Scope.cases(
      [
        ("p.jpg", "jpeg"), ("p.jpg", "faststart"), ("PXL_1.MP.jpg", "jpeg"), ("s.jpeg", "trailer"), ("i.heic", "heic"),
        ("i.HEIC", "mpvd"),
      ],
      quick: 2
    )
  )
  func covers(_ name: String, _ kind: String) async throws {
    let place = try await make("photo-\(name)", kind)
    let clip = "photo-\(name)"
    for at in ["first", "50%"] {
      let reference = ["cover", "--force", "--at", at, "-o", "w.png", "v.mp4"]
      let wanted = try await Program.run("clipcanvas", reference, in: scratch.path)
      try #require(wanted.exitStatus == 0, "\(wanted.errorOutput)")
      let words = ["cover", "--force", "--embedded-video", "--at", at, "-o", "c.png", clip]
      let result = try await Program.run("clipcanvas", words, in: scratch.path)
      #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
      let pixels = try await Oracle.pixels(ofPNG: scratch("c.png"), hasAlpha: false)
      #expect(try await pixels.bytes == Oracle.pixels(ofPNG: scratch("w.png"), hasAlpha: false).bytes)
    }
    // It is up to date, and the photo's own cover is another one.
    let words = ["cover", "--json", "--embedded-video", "--at", "50%", "-o", "c.png", clip]
    #expect(try CoverRecord.all(in: await Program.run("clipcanvas", words, in: scratch.path)).first?.status == "fresh")
    let own = try await Program.run("clipcanvas", ["cover", "-o", "own.png", clip], in: scratch.path)
    if name.lowercased().hasSuffix("heic") {
      #expect(own.errorOutput.hasSuffix("; use the video in it with --embedded-video\n"), "\(own.errorOutput)")
    } else {
      let pixels = try await Oracle.pixels(ofPNG: scratch("own.png"), hasAlpha: false)
      #expect(pixels.width == 640 && own.exitStatus == 0)
    }
    let probed = try await Program.run("clipcanvas", ["probe", "--json", clip], in: scratch.path)
    let video = try #require(try JSONDecoder().decode(Probed.self, from: Data(probed.output)).embeddedVideo)
    #expect(video.byte == place.byte && video.bytes == place.bytes)
    let text = try await Program.run("clipcanvas", ["probe", clip], in: scratch.path).text
    #expect(text.contains("a video of \(place.bytes) bytes begins at byte \(place.byte)"), "\(text)")
  }

  @Test("A file without such a video is used as it is", arguments: ["p.jpg", "v.mp4"])
  func none(_ name: String) async throws {
    _ = try await make("photo.jpg", "jpeg")
    let words = ["cover", "--json", "--embedded-video", "-o", "c.png", name]
    let result = try await Program.run("clipcanvas", words, in: scratch.path)
    #expect(try CoverRecord.all(in: result).first?.status == "cover", "\(result.errorOutput)")
    let probed = try await Program.run("clipcanvas", ["probe", "--json", name], in: scratch.path)
    #expect(try JSONDecoder().decode(Probed.self, from: Data(probed.output)).embeddedVideo == nil)
  }

  @Test("A photo and a video of one name are one clip of a gallery", arguments: [[], ["--all"]])
  func pair(_ options: [String]) async throws {
    _ = try await make("IMG_1.HEIC", "heic")
    try FileManager.default.moveItem(atPath: scratch("v.mp4").string, toPath: scratch("IMG_1.MOV").string)
    try FileManager.default.moveItem(atPath: scratch("p.jpg").string, toPath: scratch("IMG_2.JPG").string)
    try FileManager.default.copyItem(atPath: scratch("IMG_1.MOV").string, toPath: scratch("IMG_2.MOV").string)
    let words = ["batch", "--json", "--gallery", "g.html"] + options + ["."]
    let result = try await Program.run("clipcanvas", words, in: scratch.path)
    // The last line is the summary.
    let clips = try result.text.split(separator: "\n").dropLast().map {
      try JSONDecoder().decode(CoverRecord.self, from: Data($0.utf8)).clip.path
    }
    #expect(clips.sorted() == ["./IMG_1.MOV", "./IMG_2.MOV"], "\(result.errorOutput)")
    let gallery = String(decoding: try ScratchFolder.read(scratch("g.html")), as: UTF8.self)
    #expect(gallery.contains("IMG_1.MOV") && gallery.contains("IMG_2.MOV"))
    #expect(!gallery.contains("HEIC") && !gallery.contains("IMG_2.JPG"))
  }
}
