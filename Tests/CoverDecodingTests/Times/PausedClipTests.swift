import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// In MP4, the frame after a pause is decoded long before it is shown, since frames are reordered.
@Suite("Clips whose picture stands still")
struct PausedClipTests {
  private static let source = [
    "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=8", "-vf", "setpts=PTS+gte(N\\,100)*6/TB", "-fps_mode",
    "passthrough",
    "-pix_fmt", "yuv420p",
  ]

  @Test(
    "The frame before a pause is in all tiles of it, and is not called damaged",
    .enabled(if: Scope.isFull),
    arguments: [
      ("a.mp4", ["-c:v", "libx264", "-g", "50"]), ("a.mov", ["-c:v", "libx264", "-g", "50"]),
      ("f.mp4", ["-c:v", "libx264", "-g", "50", "-movflags", "frag_keyframe+empty_moov"]),
      ("h.mp4", ["-c:v", "libx265", "-x265-params", "keyint=50:log-level=none"]), ("a.mkv", ["-c:v", "libx264"]),
    ]
  )
  func tiles(_ kind: (name: String, coding: [String])) async throws {
    let scratch = try ScratchFolder()
    try await GeneratedClips.make(scratch(kind.name), Self.source + kind.coding)
    for usesKeyFrames in [true, false] {
      var plan = SheetPlan(columns: 4, rows: 4, interval: 1)
      plan.usesKeyFrames = usesKeyFrames
      var request = CoverRequest()
      request.sheet = plan
      let facts = try CoverExtractor.makeCover(of: scratch(kind.name), request, in: scratch)
      let tiles = try #require(facts.tiles)
      #expect(facts.degradation == nil && facts.warnings == [] && tiles.damaged == 0, "\(facts)")
      try #require(tiles.times.count == 14)
      for number in 4..<10 { #expect(abs((tiles.times[number] ?? 0) - 3.96) < 0.0021, "\(number): \(tiles.times)") }
    }
  }
}
