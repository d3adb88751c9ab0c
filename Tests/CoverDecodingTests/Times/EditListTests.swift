import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// What MP4 and QuickTime edit lists show, and what decoding needs although they do not show it.
@Suite("Edit lists")
struct EditListTests {
  /// Editors that cut a clip without encoding it leave out the key picture before the cut from the list of key frames.
  @Test(
    "A cut between key frames is shown from there on, although its key picture is not listed",
    .enabled(if: Scope.isFull),
    arguments: ["libx264", "libx265", "mpeg4"],
    [(3, 0), (10, 0), (10, 1), (10, 7), (20, 0), (20, 14)]
  )
  func unlistedKey(_ encoder: String, _ place: (cut: Int, later: Int)) async throws {
    let cut = place.cut
    let scratch = try ScratchFolder()
    let (whole, clip) = (scratch("whole.mp4"), scratch("clip.mp4"))
    try await GeneratedClips.make(
      whole,
      NumberedFrames.source(seconds: 2.8) + ["-c:v", encoder]
        + ["-video_track_timescale", "25000", "-bf", "2", "-g", "30", "-q:v", "2"]
        + (encoder == "libx265" ? ["-x265-params", "keyint=30:min-keyint=30:open-gop=0:log-level=none"] : [])
    )
    var boxes = MovieBox.parse(try ScratchFolder.read(whole)[...])
    let list = boxes["moov"]["trak"]["edts"]["elst"].fields
    let start = list[12..<16].bigEndian
    boxes["moov"]["trak"]["edts"]["elst"].fields =
      bigEndian(0) + bigEndian(1) + bigEndian(2000) + bigEndian(start + cut * 1000) + bigEndian(1 << 16)
    boxes["moov"]["trak"]["mdia"]["minf"]["stbl"]["stss"].fields =
      bigEndian(0) + bigEndian(2) + bigEndian(31) + bigEndian(61)
    try ScratchFolder.write(boxes.bytes, to: clip)
    for time in place.later == 0 ? [RequestedTime.first, .seconds(0.01)] : [.seconds(Double(place.later) / 25 + 0.01)] {
      var request = CoverRequest()
      request.time = time
      let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
      let shown = try await NumberedFrames.number(ofPNG: scratch("cover.png"))
      #expect(shown == cut + place.later && facts.degradation == nil, "\(time): \(shown), \(facts)")
    }
  }

  /// Some programs write a duration of 0 for "to the end", which is meant only for fragmented files.
  @Test(
    "A list that shows no frame is ignored",
    .enabled(if: Scope.isFull),
    arguments: [[(0, 0)], [(0, 5000)], [(1000, 9_999_000)], [(500, -1), (0, 0)]],
    ["first", "0.5", "50%", "best"]
  )
  func hidden(_ edits: [(duration: Int, start: Int)], _ time: String) async throws {
    let scratch = try ScratchFolder()
    let (whole, clip) = (scratch("whole.mp4"), scratch("clip.mp4"))
    try await GeneratedClips.make(whole, NumberedFrames.source(seconds: 2) + ["-c:v", "libx264"])
    var boxes = MovieBox.parse(try ScratchFolder.read(whole)[...])
    let entries = edits.flatMap { bigEndian($0.duration) + bigEndian($0.start) + bigEndian(1 << 16) }
    boxes["moov"]["trak"]["edts"]["elst"].fields = bigEndian(0) + bigEndian(edits.count) + entries
    try ScratchFolder.write(boxes.bytes, to: clip)
    var request = CoverRequest()
    request.time = try #require(RequestedTime(time))
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    #expect(facts.degradation == nil && facts.warnings.contains { $0.contains("edit list shows no frame") }, "\(facts)")
    let shown = try await NumberedFrames.number(ofPNG: scratch("cover.png"))
    let number = ["first": 0, "0.5": 12, "50%": 25][time]
    #expect(number == nil || shown == number)
  }
}
