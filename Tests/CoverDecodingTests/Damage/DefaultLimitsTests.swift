import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Default limits on a clip")
struct DefaultLimitsTests {
  private func cause(of clip: FilePath) throws -> CoverFailure.Cause? {
    do {
      _ = try CoverExtractor.makeCover(of: clip, in: ScratchFolder())
      return nil
    } catch let error as CoverFailure {
      return error.cause
    }
  }

  // The pictures have only a few bytes of pixels, so they are damaged, but only the decoder can notice that.
  @Test(
    "A frame may have 64 Mi pixels and no more",
    .enabled(if: Scope.isFull),
    arguments: [(8192, true), (8193, false)]
  )
  func pixels(width: UInt32, isAllowed: Bool) throws {
    let scratch = try ScratchFolder()
    var bytes = try ScratchFolder.read(ProjectFolder.fixture("huge.png"))
    // The sides follow the signature, and the length and the name of the header.
    bytes.replaceSubrange(16..<24, with: [width, 8192].flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) })
    let cause = try cause(of: scratch.write(bytes, as: "large.png"))
    #expect(cause != nil && (cause != .tooLarge) == isAllowed)
  }

  @Test(
    "A container may have 64 streams; with more, it is refused, or they are left out",
    arguments: [(64, true), (65, false)]
  )
  func streams(count: Int, isAllowed: Bool) async throws {
    let scratch = try ScratchFolder()
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", ProjectFolder.fixture("h264-faststart.mov").string]
        + Array(repeating: ["-map", "0:v:0"], count: count).flatMap(\.self)
        + ["-c", "copy", "-frames:v", "1", scratch("clip.mkv").string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    if try cause(of: scratch("clip.mkv")) != nil {
      #expect(!isAllowed)
    } else {
      // The demuxer of FFmpeg 7.1 leaves the others out.
      let file = try FileDescriptor.open(scratch("clip.mkv"), .readOnly)
      let streams = try file.closeAfter { try CoverExtractor.probe(file.rawValue).facts.videoStreams }
      #expect(streams == 64)
    }
  }
}
