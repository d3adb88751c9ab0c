import CoverDecoding
import Covers
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Artwork is one picture without a time.
@Suite("Covers from artwork")
struct ArtworkTests {
  private static let size = (width: 64, height: 48)

  /// Makes twenty seconds of sound with a picture.
  private func make(_ name: String, in scratch: ScratchFolder) async throws -> FilePath {
    let (clip, picture) = (scratch(name), scratch("picture.png"))
    try await GeneratedClips.make(
      picture,
      ["-f", "lavfi", "-i", "testsrc2=s=\(Self.size.width)x\(Self.size.height)", "-frames:v", "1", "-pix_fmt", "rgb24"]
    )
    let sound = ["-f", "lavfi", "-i", "sine=d=20"]
    switch clip.extension {
    case "mka":
      try await GeneratedClips.make(clip, sound + ["-attach", picture.string, "-metadata:s:t", "mimetype=image/png"])
    case "ogg", "opus":
      let codec = clip.extension == "ogg" ? "libvorbis" : "libopus"
      let tag = "METADATA_BLOCK_PICTURE=" + Data(block(of: try ScratchFolder.read(picture))).base64EncodedString()
      try await GeneratedClips.make(clip, sound + ["-c:a", codec, "-metadata:s:a:0", tag])
    default:
      let picture = ["-i", picture.string, "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic"]
      try await GeneratedClips.make(clip, sound + picture)
    }
    return clip
  }

  /// Returns the metadata block of FLAC that holds a PNG.
  private func block(of picture: [UInt8]) -> [UInt8] {
    let type = Array("image/png".utf8)
    return bigEndian(3) + bigEndian(type.count) + type + bigEndian(0) + bigEndian(Self.size.width)
      + bigEndian(Self.size.height) + bigEndian(24) + bigEndian(0)
      + bigEndian(picture.count) + picture
  }

  @Test(
    "One picture is the answer to every time",
    .enabled(if: Scope.isFull),
    arguments: ["a.mp3", "a.m4a", "a.mka", "a.flac", "a.ogg", "a.opus"]
  )
  func times(_ name: String) async throws {
    let scratch = try ScratchFolder()
    let clip = try await make(name, in: scratch)
    let wanted = try await Oracle.pixels(ofPNG: scratch("picture.png"), hasAlpha: false)
    for time in ["first", "0", "1", "50%", "best", "key:1", "key:50%"] {
      var request = CoverRequest()
      (request.time, request.artwork) = (try #require(RequestedTime(time)), .fallback)
      let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
      #expect(facts.warnings == [] && facts.actualTime == nil && facts.degradation == nil, "\(time): \(facts)")
      #expect(try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false).bytes == wanted.bytes, "\(time)")
    }
  }

  @Test("Sheets of a stream that is artwork have one tile", .enabled(if: Scope.isFull), arguments: ["a.mp3", "a.ogg"])
  func sheets(_ name: String) async throws {
    let scratch = try ScratchFolder()
    var request = CoverRequest()
    (request.sheet, request.stream) = (SheetPlan(.spread(8)), 1)
    let facts = try CoverExtractor.makeCover(of: try await make(name, in: scratch), request, in: scratch)
    #expect(facts.tiles?.times.count == 1 && facts.degradation == nil && facts.warnings == [], "\(facts)")
  }

  @Test("The sound is not read", .enabled(if: Scope.isFull))
  func work() async throws {
    let scratch = try ScratchFolder()
    let clip = try await make("a.flac", in: scratch)
    let sound = try ScratchFolder.read(clip).count
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    defer { try? file.close() }
    var request = CoverRequest()
    request.artwork = .fallback
    var search = try FrameSearch(in: file.rawValue, for: request, limits: ClipDecoder.Limits())
    try search.find()
    #expect(search.work.packetsRead == 1 && search.work.bytesRead < sound / 2, "\(search.work) of \(sound)")
  }
}
