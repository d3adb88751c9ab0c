import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Which frames of AV1 are left out on the way to a frame.
@Suite("References of AV1 frames")
struct AV1ReferenceTests {
  private static let encoders = [
    ["-c:v", "libsvtav1", "-preset", "8", "-g", "100"],
    ["-c:v", "libsvtav1", "-preset", "10", "-g", "20", "-svtav1-params", "pred-struct=1"],
    ["-c:v", "libsvtav1", "-preset", "10", "-svtav1-params", "scm=1:hierarchical-levels=3"],
    ["-c:v", "libaom-av1", "-cpu-used", "8", "-g", "100", "-lag-in-frames", "16"],
    ["-c:v", "libaom-av1", "-cpu-used", "8", "-g", "100", "-aom-params", "error-resilient=1", "-usage", "realtime"],
    ["-c:v", "libaom-av1", "-cpu-used", "8", "-aom-params", "enable-order-hint=0"],
  ]

  /// Makes a clip of 60 numbered frames.
  private func makeClip(_ name: String, _ encoder: [String], in scratch: ScratchFolder) async throws -> FilePath {
    let source = NumberedFrames.source(seconds: 2.4)
    try await GeneratedClips.make(scratch(name), source + encoder + ["-pix_fmt", "yuv420p"])
    return scratch(name)
  }

  @Test("The frame at a time is the right one", arguments: encoders, ["mp4", "mkv", "webm", "ivf"])
  func numbers(_ encoder: [String], _ container: String) async throws {
    let scratch = try ScratchFolder()
    let clip = try await makeClip("clip.\(container)", encoder, in: scratch)
    for number in [0, 1, 7, 18, 19, 20, 21, 41, 54, 58, 59] {
      let time = RequestedTime.seconds(Double(number) / 25 + 0.01)
      try await NumberedFrames.expect(number, at: time, of: clip, in: scratch)
    }
  }

  /// Returns how many of the last packets hold a frame that is kept nowhere, and no other, as ffmpeg describes them.
  private func countUnreferenced(inLast packets: Int, of clip: FilePath) async throws -> Int {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "trace", "-i", clip.string, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"]
    )
    var counts: [(frames: Int, unreferenced: Int)] = []
    for line in result.errorOutput.split(separator: "\n") where line.contains("trace_headers") {
      if line.contains("Packet: ") {
        counts.append((0, 0))
      } else if let last = counts.indices.last, line.contains(" show_existing_frame ") {
        counts[last].frames += 1
      } else if let last = counts.indices.last, line.contains(" refresh_frame_flags ") {
        counts[last].unreferenced += line.hasSuffix("= 0") ? 1 : 0
      }
    }
    try #require(counts.count == 60)
    return counts.suffix(packets).count { $0 == (1, 1) }
  }

  @Test("Frames that are kept nowhere are not decoded", arguments: encoders, ["mp4", "mkv"])
  func work(_ encoder: [String], _ container: String) async throws {
    let scratch = try ScratchFolder()
    let clip = try await makeClip("clip.\(container)", encoder + ["-g", "100"], in: scratch)
    let work = try FrameSearch.work(on: clip, CoverRequest(time: .seconds(59.0 / 25 + 0.01)))
    let unreferenced = try await countUnreferenced(inLast: work.packetsRead, of: clip)
    // The last frame is shown.
    let expected = work.packetsRead - unreferenced...work.packetsRead - unreferenced + 1
    #expect(expected.contains(work.framesDecoded), "\(unreferenced), \(work)")
    if encoder.contains("libsvtav1") { #expect(unreferenced > 10) }
  }

  @Test("The first frame behind an edit list is the right one", arguments: encoders.prefix(2), 40...47)
  func editList(_ encoder: [String], _ first: Int) async throws {
    let scratch = try ScratchFolder()
    let whole = try await makeClip("whole.mp4", encoder, in: scratch)
    try await GeneratedClips.make(
      scratch("cut.mp4"),
      ["-ss", "\(Double(first) / 25)", "-i", whole.string, "-c", "copy"]
    )
    try await NumberedFrames.expect(first, at: .first, of: scratch("cut.mp4"), in: scratch)
  }
}
