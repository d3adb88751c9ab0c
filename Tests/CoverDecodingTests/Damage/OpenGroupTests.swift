import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// After a seek, the frames that lead the key frame of an open group of pictures cannot be decoded, and
/// FFmpeg reports that.
@Suite("Open groups of pictures")
struct OpenGroupTests {
  @Test(
    "The frames after the key frame are found, whatever is reported about those that lead it",
    .enabled(if: Scope.isFull),
    arguments: ["a.mp4", "a.mkv", "a.flv", "a.ts"],
    [12, 25]
  )
  func trailing(_ name: String, _ distance: Int) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch(name)
    let options = "open-gop=1:keyint=\(distance):bframes=3:b-adapt=0:b-pyramid=normal"
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "70", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
        + ["-x264opts", options]
    )
    let frames = try await ReferenceFrame.all(of: clip, size: PixelSize(width: 160, height: 120))
    for number in [25, 31, 37, 43, 49, 55, 61, 65, 69] {
      var request = CoverRequest()
      request.time = .seconds(Double(number) / 25 + 0.02)
      let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
      let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      let difference = try #require(PixelDifference(cover, frames[number].pixels))
      #expect(facts.degradation == nil && difference.decibels > 38, "frame \(number): \(difference)")
    }
  }

  // The frames that lead the key picture are decoded, too, although they are not shown.
  @Test(
    "After a cut without encoding, the frames after a key picture that is not shown are intact",
    .enabled(if: Scope.isFull),
    arguments: [18, 31, 36, 41, 61]
  )
  func cut(_ start: Int) async throws {
    let scratch = try ScratchFolder()
    let (whole, clip) = (scratch("whole.mp4"), scratch("cut.mp4"))
    let coding = ["-c:v", "libx264", "-preset", "fast", "-g", "15"]
    let options = ["-x264-params", "open-gop=1:bframes=3:b-pyramid=normal"]
    try await GeneratedClips.make(whole, NumberedFrames.source(seconds: 5) + coding + options)
    let time = "\(Double(start) / 25 - 0.02)"
    try await GeneratedClips.make(clip, ["-ss", time, "-i", whole.string, "-c", "copy"])
    for number in 0..<5 {
      let time = RequestedTime.seconds(Double(number) / 25 + 0.012)
      try await NumberedFrames.expect(start + number, at: time, of: clip, in: scratch)
    }
  }

  /// FFmpeg does not notice that a seek overshoots where an edit list leaves out a part, and its decoder does not
  /// report missing frames.
  @Test(
    "An edit list that leaves out the middle shows no broken frames",
    .enabled(if: Scope.isFull),
    arguments: [[(1.0, 0.0), (1.0, 1.4)], [(0.8, 0.4), (0.8, 1.2)], [(0.6, 0.0), (1.2, 1.2)]]
  )
  func edited(_ edits: [(seconds: Double, from: Double)]) async throws {
    let scratch = try ScratchFolder()
    let (whole, cut) = (scratch("whole.mp4"), scratch("cut.mp4"))
    try await GeneratedClips.make(
      whole,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "70", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
        + ["-x264opts", "open-gop=1:keyint=12:bframes=2:b-adapt=0"]
    )
    let frames = try await ReferenceFrame.all(of: whole, size: PixelSize(width: 160, height: 120))
    var boxes = MovieBox.parse(try ScratchFolder.read(whole)[...])
    let scale = 12_800
    let entries = edits.flatMap { edit in
      bigEndian(Int(edit.seconds * 1000)) + bigEndian(Int((edit.from + 0.08) * Double(scale))) + bigEndian(1 << 16)
    }
    try #require(boxes["moov"]["trak"]["mdia"]["mdhd"].fields[12..<16] == bigEndian(scale)[...])
    boxes["moov"]["trak"]["edts"]["elst"].fields = bigEndian(0) + bigEndian(edits.count) + entries
    try ScratchFolder.write(boxes.bytes, to: cut)
    for step in 0..<45 {
      var request = CoverRequest()
      request.time = .seconds(Double(step) / 25 + 0.01)
      let facts = try CoverExtractor.makeCover(of: cut, request, in: scratch)
      let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      let best = frames.compactMap { PixelDifference(cover, $0.pixels)?.decibels }.max() ?? 0
      #expect(facts.degradation == nil && best > 38, "\(step): \(best) dB, \(facts)")
    }
  }
}
