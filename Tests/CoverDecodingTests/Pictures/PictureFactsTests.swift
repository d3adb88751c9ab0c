import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Facts of pictures")
struct PictureFactsTests {
  /// Makes a grey picture whose extension determines the kind, and probes it.
  private static func probe(
    _ name: String,
    side: Int = 64,
    limits: ClipDecoder.Limits = ClipDecoder.Limits()
  ) async throws -> ClipFacts {
    let scratch = try ScratchFolder()
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=gray:s=\(side)x\(side)", "-frames:v", "1"]
        + [scratch(name).string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let file = try FileDescriptor.open(scratch(name), .readOnly, options: .closeOnExec)
    return try file.closeAfter { try CoverExtractor.probe(file.rawValue, limits: limits).facts }
  }

  // The types are those of the shared MIME database.
  @Test(
    "A picture has the type of a picture",
    .enabled(if: Scope.isFull),
    arguments: [
      ("a.png", "image/png"), ("a.jpg", "image/jpeg"), ("a.webp", "image/webp"), ("a.bmp", "image/bmp"),
      ("a.tif", "image/tiff"), ("a.jp2", "image/jp2"), ("a.gif", "image/gif"),
    ]
  )
  func types(_ name: String, _ type: String) async throws {
    #expect(try await Self.probe(name).mimeType == type)
  }

  @Test(
    "A picture with too many pixels has a size nevertheless",
    arguments: ["a.png", "a.jpg", "a.webp", "a.bmp", "a.tif"]
  )
  func refusedSize(_ name: String) async throws {
    let facts = try await Self.probe(name, side: 100, limits: ClipDecoder.Limits(maximumPixels: 99 * 100))
    #expect(facts.storedWidth == 100 && facts.storedHeight == 100)
    #expect(facts.shownWidth == 100 && facts.shownHeight == 100)
  }
}
