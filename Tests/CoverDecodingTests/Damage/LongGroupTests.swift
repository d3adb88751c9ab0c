import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Transport streams have no list of key frames: a seek ends somewhere inside a group of pictures.
@Suite("Frames inside groups of pictures, in containers without an index")
struct LongGroupTests {
  private static let clips = [
    ("clip.ts", ["-c:v", "libx264", "-bf", "2", "-sc_threshold", "0"]),
    ("clip.ts", ["-c:v", "libx265", "-x265-params", "scenecut=0:log-level=none"]),
    ("clip.ts", ["-c:v", "mpeg2video", "-bf", "2", "-sc_threshold", "1000000000"]),
  ]

  /// Makes a clip of numbered frames at 25 frames a second, with key frames at a distance.
  private func make(
    _ name: String,
    _ encoder: [String],
    seconds: Double,
    group: Int,
    in scratch: ScratchFolder
  ) async throws -> FilePath {
    let distance = ["-g", "\(group)", "-keyint_min", "\(group)"]
    try await GeneratedClips.make(scratch(name), NumberedFrames.source(seconds: seconds) + encoder + distance)
    return scratch(name)
  }

  // The key frame is 14.6 s before the frame, which is farther than the positions that decoding is tried from.
  @Test("A group of pictures of 20 s is decoded from its key frame on", .enabled(if: Scope.isFull), arguments: clips)
  func longGroup(_ name: String, _ encoder: [String]) async throws {
    let scratch = try ScratchFolder()
    let clip = try await make(name, encoder, seconds: 38, group: 500, in: scratch)
    try await NumberedFrames.expect(865, at: .seconds(34.6), of: clip, in: scratch)
    let decoded = try FrameSearch.work(on: clip, CoverRequest(time: .seconds(34.6))).framesDecoded
    #expect(decoded <= 370, "\(decoded)")
  }

  @Test("Nothing is decoded before the last key frame", .enabled(if: Scope.isFull), arguments: clips)
  func lastKeyFrame(_ name: String, _ encoder: [String]) async throws {
    let scratch = try ScratchFolder()
    let clip = try await make(name, encoder, seconds: 12, group: 50, in: scratch)
    for frame in [99, 100, 149, 230, 249] {
      let time = Double(frame) * 0.04 + 0.001
      try await NumberedFrames.expect(frame, at: .seconds(time), of: clip, in: scratch)
      let decoded = try FrameSearch.work(on: clip, CoverRequest(time: .seconds(time))).framesDecoded
      #expect(decoded <= frame % 50 + 5, "\(decoded) for frame \(frame)")
    }
  }

  // Each picture is more complete than the one before. Without the recovery point SEI messages that mark where this
  // begins, only the first picture is one to start from.
  @Test("Where no picture is a key frame, the decoder finds out when frames are complete")
  func withoutKeyFrames() async throws {
    let scratch = try ScratchFolder()
    let encoder = [
      "-c:v", "libx264", "-bf", "0", "-x264-params", "intra-refresh=1:keyint=25", "-bsf:v",
      "filter_units=remove_types=6",
    ]
    let clip = try await make("clip.ts", encoder, seconds: 12, group: 25, in: scratch)
    try await NumberedFrames.expect(230, at: .seconds(9.2), of: clip, in: scratch)
  }

  // In doubles, 0.533333 s are 533332.99… µs; the frame is shown from 0.533333… s on.
  @Test("A time is taken to the microsecond", .enabled(if: Scope.isFull), arguments: [8, 14, 16, 29, 31])
  func microseconds(_ frame: Int) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("clip.mp4")
    try await GeneratedClips.make(clip, NumberedFrames.source(seconds: 3, rate: "15") + ["-c:v", "libx264"])
    let time = Double(frame * 1_000_000 / 15) / 1e6
    try await NumberedFrames.expect(frame, at: .seconds(time), of: clip, in: scratch)
  }
}
