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

  @Test("The frames of a sheet are spread over the spans where the picture changes", .enabled(if: Scope.isFull))
  func longPause() async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("still.mkv")
    let pause = ["-vf", "setpts=PTS+gte(N\\,50)*3600/TB", "-fps_mode", "passthrough", "-pix_fmt", "yuv420p"]
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4"] + pause + ["-c:v", "libx264", "-g", "25"]
    )
    var request = CoverRequest()
    request.sheet = SheetPlan(.spread(12))
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    let times = try #require(facts.tiles).times.compactMap { $0 }
    #expect(times.count == 12 && times.allSatisfy { $0 < 2 || $0 >= 3602 } && facts.degradation == nil, "\(times)")
    #expect(zip(times, times.dropFirst()).allSatisfy { (0.2...0.5).contains($1 - $0) || $1 - $0 > 3600 }, "\(times)")
  }

  struct Interruption: CustomTestStringConvertible {
    let name: String
    let coding: [String]
    /// The size of a packet of the transport stream.
    let packet: Int
    /// The time between both parts, in seconds.
    let gap: Int
    /// The share of the first part that was received.
    let share: Double

    var testDescription: String { "\(coding[1]) in \(name), \(gap) s after \(share) of 4 s" }

    static let all: [Interruption] = [
      ["-c:v", "libx264", "-g", "25"], ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-q:v", "3"],
      ["-c:v", "libx265", "-x265-params", "keyint=25:log-level=none"],
    ].flatMap { coding in
      [("a.ts", 188, 10, 1), ("a.ts", 188, 3600, 1), ("a.ts", 188, 3600, 0.7), ("a.m2ts", 192, 600, 0.45)]
        .map { Interruption(name: $0.0, coding: coding, packet: $0.1, gap: $0.2, share: $0.3) }
    }
  }

  @Test(
    "The frame before an interruption of a transport stream is held, and is not called damaged",
    .enabled(if: Scope.isFull),
    arguments: Interruption.all
  )
  func interrupted(_ one: Interruption) async throws {
    let scratch = try ScratchFolder()
    var bytes: [UInt8] = []
    for (part, start) in [0, 4 + one.gap].enumerated() {
      let file = scratch("\(part)-\(one.name)")
      let source = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-pix_fmt", "yuv420p"]
      let offset = [
        "-f", "mpegts", "-mpegts_m2ts_mode", one.packet == 192 ? "1" : "0", "-output_ts_offset", "\(start)",
      ]
      try await GeneratedClips.make(file, source + one.coding + offset)
      let content = try ScratchFolder.read(file)
      let packets = content.count / one.packet
      bytes += part == 0 ? content[..<(Int(Double(packets) * one.share) * one.packet)] : content[...]
    }
    let clip = scratch(one.name)
    try ScratchFolder.write(bytes, to: clip)
    var request = CoverRequest()
    request.sheet = SheetPlan(.spread(12))
    let sheet = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    #expect(sheet.degradation == nil && sheet.tiles?.damaged == 0, "\(sheet)")
    // If most times are in the gap, others are taken.
    #expect(sheet.tiles?.times.count ?? 0 >= (one.gap > 60 ? 9 : 5), "\(sheet)")
    request.sheet = nil
    // In the short interruption, a segment begins where the last packet ends, and needs the frame in it.
    if one.gap > 60 {
      request.animation = AnimationPlan()
      let animation = try CoverExtractor.makeCover(of: clip, request, in: scratch)
      #expect(animation.degradation == nil && animation.warnings == [], "\(animation)")
      request.animation = nil
    }
    request.time = .seconds(4 + Double(one.gap) / 2)
    let cover = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    #expect(cover.warnings == [] && cover.degradation == nil, "\(cover)")
    let shown = try #require(cover.actualTime)
    #expect((4 * one.share - 0.6...4).contains(shown), "\(shown)")
  }
}
