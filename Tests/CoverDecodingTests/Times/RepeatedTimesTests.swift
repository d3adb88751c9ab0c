import CoverDecoding
import Covers
import TestSupport
import Testing

/// After two frames with the same time, FFmpeg uses the DTS of all that follow.
@Suite("Clips with two frames at the same time")
struct RepeatedTimesTests {
  /// The last of four frames is decoded first, and no other frame needs the three before it.
  private static let coding =
    ["-c:v", "libx264", "-g", "1000", "-bf", "3", "-b_strategy", "0", "-sc_threshold", "0"]
    + ["-x264-params", "b-pyramid=none"]

  /// Frame 20 is shown with frame 19, and frame 36 only 10 ms after frame 35.
  @Test(
    "A frame is shown at the time that its packet states",
    .enabled(if: Scope.isFull),
    arguments: [("a.mp4", 12.8), ("a.mkv", 1), ("a.flv", 1)]
  )
  func stated(_ name: String, _ ticksPerMillisecond: Double) async throws {
    let scratch = try ScratchFolder()
    let changes = "setts=pts=PTS-\(40 * ticksPerMillisecond)*eq(N\\,17)-\(30 * ticksPerMillisecond)*eq(N\\,33)"
    let source = NumberedFrames.source(seconds: 3) + Self.coding
    try await GeneratedClips.make(scratch(name), source + ["-bsf:v", changes])
    let times = [(0.65, 16), (0.73, 18), (0.77, 20), (0.83, 20), (0.85, 21), (1.37, 34), (1.405, 35)]
    for (time, number) in times + [(1.415, 36), (1.43, 36), (1.47, 36), (1.49, 37), (2.89, 72)] {
      try await NumberedFrames.expect(number, at: .seconds(time), of: scratch(name), in: scratch)
    }
  }
}
