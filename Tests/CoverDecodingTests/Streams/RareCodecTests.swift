import CoverDecoding
import Covers
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Clips of codecs that hardly any program writes today, made by `Tests/CCoverFuzz/rare_codecs.py`.
@Suite("Codecs of screen recorders and old cameras")
struct RareCodecTests {
  /// Makes the clips in a folder.
  private func makeClips(in scratch: ScratchFolder) async throws {
    let script = ProjectFolder.top.appending("Tests/CCoverFuzz/rare_codecs.py")
    let result = try await Program.runTool("python3", [script.string, scratch.path.string])
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }

  /// Returns the pixels of a clip's cover, which the ffmpeg command line reads.
  private func cover(of clip: FilePath, in scratch: ScratchFolder) async throws -> RawPixels {
    _ = try CoverExtractor.makeCover(of: clip, in: scratch)
    return try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
  }

  @Test("Frames written by hand have the pixels that were written", .enabled(if: Scope.isFull))
  func writtenFrames() async throws {
    let scratch = try ScratchFolder()
    try await makeClips(in: scratch)
    for (name, tolerance) in [
      ("msrle.avi", 0), ("tscc-8.avi", 0), ("tscc-24.avi", 0), ("tscc-16.avi", 8), ("vmnc.avi", 0), ("fraps.avi", 0),
    ] {
      let pixels = try await cover(of: scratch(name), in: scratch)
      #expect(pixels.width == 64 && pixels.height == 48, "\(name)")
      // Bars that rise to the right, half as bright in the lower half.
      let wrong = pixels.bytes.indices.filter { index in
        let (x, y) = (index / 3 % 64, index / 3 / 64)
        return abs(Int(pixels.bytes[index]) - (x / 8 * 32 + 16) / (y < 24 ? 1 : 2)) > tolerance
      }
      #expect(wrong.isEmpty, "\(name): \(wrong.count) samples differ")
    }
  }

  @Test("Frames that ffmpeg encoded have the pixels that ffmpeg decodes", .enabled(if: Scope.isFull))
  func encodedFrames() async throws {
    let scratch = try ScratchFolder()
    try await makeClips(in: scratch)
    for name in ["msvideo1.avi", "hap.mov", "hap_q.mov", "speedhq.avi", "camera.dav"] {
      let pixels = try await cover(of: scratch(name), in: scratch)
      let reference = try await Oracle.pixels(of: scratch(name), ["-map", "0:V:0"])
      let difference = try #require(PixelDifference(pixels, reference), "\(name)")
      #expect(difference.decibels >= 38, "\(name): \(difference)")
    }
  }
}
