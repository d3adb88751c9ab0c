import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// In program streams, only the first packet of H.264 or HEVC in each pack has a time.
@Suite("H.264 and HEVC in program streams")
struct ProgramStreamTests {
  private static let hevc = ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=50:bframes=3"]
  private static let avc = ["-c:v", "libx264", "-g", "24", "-bf", "3"]

  @Test("Frames without a time are shown when they are due", .enabled(if: Scope.isFull), arguments: [avc, hevc])
  func times(_ coding: [String]) async throws {
    let scratch = try ScratchFolder()
    let (clip, whole) = (scratch("a.mpg"), scratch("a.mp4"))
    let source = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=8", "-pix_fmt", "yuv420p"] + coding
    try await GeneratedClips.make(whole, source)
    try await GeneratedClips.make(clip, source)
    let frames = try await ReferenceFrame.all(of: whole, size: PixelSize(width: 320, height: 240))
    var before = -1
    for step in 0..<15 {
      var request = CoverRequest()
      request.time = .seconds(Double(step) / 2 + 0.02)
      let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
      let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      let differences = frames.map { PixelDifference(cover, $0.pixels)?.decibels ?? 0 }
      let number = try #require(differences.indices.max { differences[$0] < differences[$1] })
      // A frame or two, because the decoding delay is not stored.
      let wanted = Double(step) * 12.5
      #expect(abs(Double(number) - wanted) <= 4 && number > before && facts.degradation == nil, "\(number): \(facts)")
      before = number
    }
  }

  // The packets are small, so a unit of the container begins inside a picture, and has the time of a later one.
  @Test(
    "Units that begin inside a key picture do not give it their time",
    .enabled(if: Scope.isFull),
    arguments: [avc, hevc, ["-c:v", "libx264", "-bf", "0", "-g", "9"]]
  )
  func units(_ coding: [String]) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("a.mpg")
    try await GeneratedClips.make(clip, NumberedFrames.source(seconds: 3) + coding)
    for number in 0..<75 {
      try await NumberedFrames.expect(number, at: .seconds(Double(number) / 25 + 0.012), of: clip, in: scratch)
    }
  }

  @Test(
    "Key frames without a time are found, if no frame is shown before an earlier one",
    .enabled(if: Scope.isFull),
    arguments: [
      ["-c:v", "libx264", "-bf", "0", "-g", "9", "-sc_threshold", "0"],
      ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=9:min-keyint=9:scenecut=0:bframes=0"],
    ]
  )
  func keys(_ coding: [String]) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("a.mpg")
    try await GeneratedClips.make(clip, NumberedFrames.source(seconds: 3) + coding)
    for number in [3, 8, 9, 10, 17, 18, 40, 44, 45, 62, 71, 72, 74] {
      let time = try #require(RequestedTime("key:\(Double(number) / 25 + 0.012)"))
      try await NumberedFrames.expect(number / 9 * 9, at: time, of: clip, in: scratch)
    }
  }
}

/// Several pictures of MPEG-1 or MPEG-2 may share a unit of a program stream, which has a time for the first only.
@Suite("MPEG video in program streams")
struct SharedUnitTests {
  @Test(
    "Frames without a time are found after a seek",
    .enabled(if: Scope.isFull),
    arguments: [
      ("a.vob", ["-c:v", "mpeg2video", "-bf", "2"]), ("b.vob", ["-c:v", "mpeg2video", "-bf", "0"]),
      ("a.mpg", ["-c:v", "mpeg1video", "-bf", "2"]),
    ]
  )
  func times(_ clip: (name: String, coding: [String])) async throws {
    let scratch = try ScratchFolder()
    let options = ["-g", "12", "-sc_threshold", "1000000000", "-b:v", "2M"]
    try await GeneratedClips.make(scratch(clip.name), NumberedFrames.source(seconds: 6) + clip.coding + options)
    for number in [0, 3, 10, 12, 24, 37, 51, 58, 73, 82, 97, 110, 125, 133] {
      var request = CoverRequest()
      request.time = .seconds(Double(number) / 25 + 0.012)
      let facts = try CoverExtractor.makeCover(of: scratch(clip.name), request, in: scratch)
      #expect(try await NumberedFrames.number(ofPNG: scratch("cover.png")) == number, "\(facts)")
      #expect(abs((facts.actualTime ?? -1) - Double(number) / 25) < 0.001 && facts.warnings == [], "\(facts)")
    }
  }

  // The last unit has several pictures, so its time is long before the end.
  @Test(
    "A percentage is a share of the whole duration",
    .enabled(if: Scope.isFull),
    arguments: [("a.mpg", "mpeg1video"), ("a.vob", "mpeg2video"), ("b.mpg", "libx264"), ("a.ts", "mpeg2video")]
  )
  func percentages(_ name: String, _ encoder: String) async throws {
    let scratch = try ScratchFolder()
    let threshold = encoder == "libx264" ? "0" : "1000000000"
    let coding = ["-c:v", encoder, "-bf", "0", "-g", "25", "-sc_threshold", threshold, "-b:v", "100k"]
    try await GeneratedClips.make(scratch(name), NumberedFrames.source(seconds: 4) + coding)
    let whole = try CoverExtractor.makeCover(of: scratch(name), in: scratch)
    #expect(abs((whole.durationSeconds ?? 0) - 4) < 0.021, "\(whole)")
    for (share, number) in [(10.5, 10), (37.5, 37), (90.5, 90), (100.0, 99)] {
      try await NumberedFrames.expect(number, at: .frame(at: .percent(share)), of: scratch(name), in: scratch)
    }
    try await NumberedFrames.expect(75, at: .keyFrame(before: .percent(90)), of: scratch(name), in: scratch)
    var sheet = CoverRequest()
    sheet.sheet = SheetPlan(.spread(4))
    #expect(
      try CoverExtractor.makeCover(of: scratch(name), sheet, in: scratch).durationSeconds == whole.durationSeconds
    )
  }

  // Several pictures share a unit of the container, so the last one may have no time. On the way to it, those that are
  // predicted from both sides are left out.
  @Test(
    "The last frame is found, however many precede it",
    .enabled(if: Scope.isFull),
    arguments: ["a.mpg", "a.vob"],
    ["300k", "600k"]
  )
  func lastFrame(_ name: String, _ rate: String) async throws {
    let scratch = try ScratchFolder()
    let encoder = name == "a.mpg" ? "mpeg1video" : "mpeg2video"
    for count in 60..<72 {
      let coding = ["-c:v", encoder, "-bf", "2", "-sc_threshold", "1000000000", "-b:v", rate]
      let source = NumberedFrames.source(seconds: Double(count) / 25)
      try await GeneratedClips.make(scratch(name), ["-y"] + source + ["-vf", "noise=alls=20:allf=t"] + coding)
      try await NumberedFrames.expect(count - 1, at: .frame(at: .percent(100)), of: scratch(name), in: scratch)
    }
  }

  @Test("The last of many key frames is found")
  func lastKey() async throws {
    let scratch = try ScratchFolder()
    let source = NumberedFrames.source(seconds: 3.6)
    try await GeneratedClips.make(scratch("a.mpg"), source + ["-c:v", "mpeg2video", "-g", "1"])
    for number in [89, 88, 60, 1] {
      let time = try #require(RequestedTime("key:\(Double(number) / 25 + 0.012)"))
      try await NumberedFrames.expect(number, at: time, of: scratch("a.mpg"), in: scratch)
    }
  }

  @Test("The last key frame before a time is one of those without a time")
  func keys() async throws {
    let scratch = try ScratchFolder()
    let coding = ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-sc_threshold", "1000000000", "-b:v", "2M"]
    try await GeneratedClips.make(scratch("a.vob"), NumberedFrames.source(seconds: 6) + coding)
    for (time, number) in [("0.3", 0), ("0.5", 12), ("1.02", 24), ("2.5", 60), ("3.8", 84)] {
      var request = CoverRequest()
      request.time = try #require(RequestedTime("key:" + time))
      let facts = try CoverExtractor.makeCover(of: scratch("a.vob"), request, in: scratch)
      #expect(try await NumberedFrames.number(ofPNG: scratch("cover.png")) == number, "\(facts)")
      #expect(abs((facts.actualTime ?? -1) - Double(number) / 25) < 0.001 && facts.warnings == [], "\(facts)")
    }
  }
}
