import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// AVI stores when frames are decoded, not when they are shown.
///
/// The references are the numbers that the frames show.
@Suite("Clips without times of presentation")
struct DecodingTimesTests {
  private static let source = NumberedFrames.source(seconds: 4)
  private static let pyramid = "b-pyramid=normal:open-gop=1:keyint=24:b-adapt=0:scenecut=0"

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// Expects the cover of a clip at a time to be a frame that is shown at its number.
  ///
  /// - Parameter late: By how many frames the clip shows it later than that.
  private func expect(_ clip: FilePath, at time: String, shows number: Int, late: Int = 0) async throws {
    var request = CoverRequest()
    request.time = try #require(RequestedTime(time))
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    #expect(try await NumberedFrames.number(ofPNG: scratch("cover.png")) == number, "\(time): \(facts)")
    #expect(
      abs((facts.actualTime ?? -1) - Double(number + late) / 25) < 0.001 && facts.warnings == [],
      "\(time): \(facts)"
    )
  }

  @Test(
    "Frames are shown in their order, not later by what the decoder holds back",
    .enabled(if: Scope.isFull),
    arguments: [
      ("a.avi", ["-c:v", "mpeg4", "-g", "12"]), ("b.avi", ["-c:v", "mpeg4", "-bf", "2", "-g", "12"]),
      ("mpeg2.avi", ["-c:v", "mpeg2video", "-bf", "2", "-g", "12"]),
      ("h264.avi", ["-c:v", "libx264", "-bf", "2", "-g", "12"]),
      ("pyramid.avi", ["-c:v", "libx264", "-bf", "3", "-x264-params", pyramid]),
      ("h264.mxf", ["-c:v", "libx264", "-bf", "2", "-g", "12"]),
      ("one.mxf", ["-c:v", "libx264", "-bf", "1", "-g", "12"]),
      ("none.mxf", ["-c:v", "libx264", "-bf", "0", "-g", "12"]),
      ("mpeg2.mxf", ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-sc_threshold", "1000000000"]),
      ("mpeg2-none.mxf", ["-c:v", "mpeg2video", "-bf", "0", "-g", "12", "-sc_threshold", "1000000000"]),
    ]
  )
  func times(_ clip: (name: String, coding: [String])) async throws {
    try await GeneratedClips.make(scratch(clip.name), Self.source + clip.coding)
    for (time, number) in [("first", 0), ("0", 0), ("0.012", 0), ("50%", 50), ("100%", 99)] {
      try await expect(scratch(clip.name), at: time, shows: number)
    }
    for number in [3, 10, 12, 13, 24, 37, 60, 97, 98] {
      try await expect(scratch(clip.name), at: "\(Double(number) / 25 + 0.012)", shows: number)
    }
  }

  // In the second clip, the last frame is a key frame. The two before it are stored after it, and need an earlier one.
  @Test("The last frames have their times, also if one is a key frame", .enabled(if: Scope.isFull), arguments: 24...27)
  func lastFrames(_ count: Int) async throws {
    let clip = scratch("a.avi")
    let coding = ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-sc_threshold", "1000000000"]
    try await GeneratedClips.make(clip, NumberedFrames.source(seconds: Double(count) / 25) + coding)
    for number in count - 4..<count {
      try await expect(clip, at: "\(Double(number) / 25 + 0.012)", shows: number)
    }
  }

  /// ffmpeg then stores a tick for each field, and leaves every second one empty.
  @Test(
    "Frames copied from another container are shown in their order",
    .enabled(if: Scope.isFull),
    arguments: [
      ["libx264", "-bf", "2"], ["libx264", "-bf", "0"], ["libx264", "-bf", "3", "-x264-params", pyramid],
      ["mpeg4", "-bf", "2"], ["mpeg2video", "-bf", "2"],
    ]
  )
  func copied(_ coding: [String]) async throws {
    let clip = scratch("a.avi")
    try await GeneratedClips.make(scratch("a.mp4"), Self.source + ["-g", "12", "-c:v"] + coding)
    try await GeneratedClips.make(clip, ["-i", scratch("a.mp4").string, "-c", "copy"])
    for (time, number) in [("first", 0), ("0", 0), ("key:0", 0), ("0.04", 1), ("0.08", 2), ("50%", 50), ("100%", 99)] {
      try await expect(clip, at: time, shows: number)
    }
    for number in [3, 10, 12, 13, 24, 37, 60, 97, 98] {
      try await expect(clip, at: "\(Double(number) / 25 + 0.012)", shows: number)
    }
  }

  /// Two frames in one packet are followed by a packet that stands for the second.
  @Test("Packed frames are shown with their packets")
  func packed() async throws {
    let clip = scratch("a.avi")
    try await GeneratedClips.make(clip, Self.source + ["-c:v", "libxvid", "-bf", "2", "-g", "12"])
    // Two of the encoder's first packets are empty, so that it is two frames late up to the end, where it has none.
    for number in [10, 12, 13, 24, 37, 60, 61, 90] {
      try await expect(clip, at: "\(Double(number + 2) / 25 + 0.012)", shows: number, late: 2)
    }
  }

  @Test(
    "A key frame is found whose packet comes before its time",
    .enabled(if: Scope.isFull),
    arguments: ["mpeg4", "mpeg2video"]
  )
  func keys(_ encoder: String) async throws {
    let clip = scratch("a.avi")
    let coding = ["-c:v", encoder, "-bf", "2", "-g", "12", "-sc_threshold", "1000000000"]
    try await GeneratedClips.make(clip, Self.source + coding)
    let list = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "frame=pict_type", "-of", "csv=p=0", clip.string]
    )
    let types = list.text.split(separator: "\n").map { $0.prefix(1) }
    for time in [0.1, 0.45, 0.5, 1.02, 2.5, 3.8] {
      let key = try #require(types.indices.last { types[$0] == "I" && Double($0) / 25 <= time })
      try await expect(clip, at: "key:\(time)", shows: key)
    }
  }

  @Test(
    "Frames shown for longer, as empty packets, have their times",
    .enabled(if: Scope.isFull),
    arguments: ["mpeg4", "libx264"]
  )
  func pauses(_ encoder: String) async throws {
    let clip = scratch("a.avi")
    let pause = ["-vf", "select=not(between(mod(n\\,25)\\,5\\,14))", "-fps_mode", "passthrough"]
    let coding = ["-enc_time_base", "1/25", "-c:v", encoder, "-bf", "2", "-g", "12"]
    try await GeneratedClips.make(clip, Self.source + pause + coding)
    for (number, shown) in [(0, 0), (4, 4), (6, 4), (13, 4), (15, 15), (29, 29), (37, 29), (60, 54), (97, 97)] {
      try await expect(clip, at: "\(Double(number) / 25 + 0.012)", shows: shown)
    }
  }

  @Test("A single frame has a time", .enabled(if: Scope.isFull), arguments: ["libx264", "mpeg4"])
  func single(_ encoder: String) async throws {
    let clip = scratch("a.avi")
    try await GeneratedClips.make(clip, NumberedFrames.source(seconds: 0.04) + ["-c:v", encoder, "-bf", "2"])
    for time in ["first", "0", "50%", "100%"] { try await expect(clip, at: time, shows: 0) }
  }
}
