import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// With such an index, a demuxer reads the packets of a fragment only when it is needed.
@Suite("MP4 with an index of its fragments")
struct FragmentIndexTests {
  private static let movies = [
    ["-bf", "2"], ["-bf", "0"], ["-bf", "2", "-movflags", "+dash+global_sidx+negative_cts_offsets"],
  ]

  /// Makes a clip of 100 numbered frames in fragments of 0.7 s; most do not begin with a key frame.
  private func make(_ options: [String], group: Int, in scratch: ScratchFolder) async throws -> FilePath {
    let coding = ["-c:v", "libx264", "-g", "\(group)", "-keyint_min", "\(group)", "-sc_threshold", "0"]
    let fragments = ["-movflags", "+dash+global_sidx", "-frag_duration", "700000"]
    try await GeneratedClips.make(
      scratch("clip.mp4"),
      NumberedFrames.source(seconds: 4) + coding + fragments + options
    )
    return scratch("clip.mp4")
  }

  @Test("No fragment between the key frame and the frame is left out", .enabled(if: Scope.isFull), arguments: movies)
  func frames(_ options: [String]) async throws {
    let scratch = try ScratchFolder()
    let clip = try await make(options, group: 24, in: scratch)
    for number in [99, 2, 20, 47, 60, 71, 72, 95] {
      for (prefix, wanted) in [("", number), ("key:", number / 24 * 24)] {
        let time = try #require(RequestedTime("\(prefix)\(Double(number) / 25 + 0.012)"))
        try await NumberedFrames.expect(wanted, at: time, of: clip, in: scratch)
      }
    }
  }

  @Test("The key frame is found after several fragments without one", .enabled(if: Scope.isFull))
  func longGroup() async throws {
    let scratch = try ScratchFolder()
    let clip = try await make([], group: 75, in: scratch)
    for number in [99, 74, 70] {
      try await NumberedFrames.expect(number, at: .seconds(Double(number) / 25 + 0.012), of: clip, in: scratch)
    }
    let decoded = try FrameSearch.work(on: clip, CoverRequest(time: .seconds(3.98))).framesDecoded
    #expect(decoded <= 30, "\(decoded)")
  }
}
