import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Covers of turned clips")
struct TurnedCoverTests {
  private func cover(of clip: FilePath, _ size: SizeLimit, in scratch: ScratchFolder) async throws -> RawPixels {
    _ = try CoverExtractor.makeCover(of: clip, CoverRequest(size: size), in: scratch)
    return try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
  }

  /// Returns a movie with the matrix of an upright picture.
  private func unturned(_ movie: FilePath) throws -> [UInt8] {
    var bytes = try ScratchFolder.read(movie)
    try TrackMatrix.replace(with: TrackMatrix.identity, in: &bytes)
    return bytes
  }

  @Test(
    "The cover of a turned clip is the turned cover of the same clip as stored",
    arguments: ["rotated-90.mp4", "rotated-270.mp4"],
    ["160", "80", "50"]
  )
  func turned(_ fixture: String, _ side: String) async throws {
    let scratch = try ScratchFolder()
    let size = try #require(SizeLimit(side))
    let clip = ProjectFolder.fixture(fixture)
    let turned = try await cover(of: clip, size, in: scratch)
    let stored = try await cover(of: scratch.write(unturned(clip), as: "stored.mp4"), size, in: scratch)
    try #require(turned.width == stored.height && turned.height == stored.width && turned.channels == 3)
    let expected = (0..<turned.height).flatMap { y in
      (0..<turned.width).flatMap { x in
        fixture == "rotated-90.mp4" ? stored.pixel(y, stored.height - 1 - x) : stored.pixel(stored.width - 1 - y, x)
      }
    }
    #expect(zip(turned.bytes, expected).count { Int($0) != $1 } == 0)
  }
}
