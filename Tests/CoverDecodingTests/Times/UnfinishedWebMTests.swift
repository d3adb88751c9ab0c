import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Clips as a browser's MediaRecorder writes them: without a duration, an index and a frame rate.
@Suite("WebM without a duration")
struct UnfinishedWebMTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// Returns a clip of 4 s that ffmpeg wrote to a pipe, without the frame rate in its header.
  private func clip(_ container: String, _ codec: [String], lacksFrameRate: Bool) async throws -> FileDescriptor {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=4", "-g", "25", "-c:v"] + codec
        + ["-f", container, "-"]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let defaultDuration = 0x23_E383
    let bytes =
      lacksFrameRate
      ? WebMElement.parse(result.output[...]).flatMap { element in
        var element = element
        element.edit { part in part.children.removeAll { $0.id == defaultDuration } }
        return element.bytes
      } : result.output
    return try FileDescriptor.open(try scratch.write(bytes, as: "clip"), .readOnly, options: .closeOnExec)
  }

  @Test(
    "The duration is that of the frames, and the frame rate is never that of the clock",
    .enabled(if: Scope.isFull),
    arguments: [false, true]
  )
  func facts(lacksFrameRate: Bool) async throws {
    for (container, codec) in [("webm", ["libvpx"]), ("webm", ["libvpx-vp9"]), ("matroska", ["libx264"])] {
      let file = try await clip(container, codec, lacksFrameRate: lacksFrameRate)
      try file.closeAfter {
        let facts = try CoverExtractor.probe(file.rawValue).facts
        #expect(abs((facts.durationSeconds ?? 0) - 4) < 0.1, "\(facts)")
        #expect((facts.framesPerSecond ?? 25).rounded() == 25, "\(facts)")
      }
    }
  }

  @Test("A percentage selects a frame", .enabled(if: Scope.isFull), arguments: [50.0, 75.0])
  func percent(_ share: Double) async throws {
    let file = try await clip("webm", ["libvpx"], lacksFrameRate: true)
    let output = try scratch.create("cover.png")
    try file.closeAfter {
      try output.closeAfter {
        var request = CoverRequest()
        request.time = .percent(share)
        let facts = try CoverExtractor.makeCover(of: file.rawValue, request: request, into: output.rawValue)
        #expect(abs((facts.actualTime ?? 0) - 4 * share / 100) < 0.1, "\(facts)")
        #expect(facts.warnings.isEmpty)
      }
    }
  }
}
