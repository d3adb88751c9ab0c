import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// `--at key:…`, compared with the list of frames by ffprobe and with pictures by ffmpeg.
@Suite("Key frames at a time")
struct KeyFrameTests {
  /// A clip of 4 s with a key frame each second, after a video filter and with the arguments of an encoder.
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    /// The maximum number of frames to decode.
    let maximumFrames: Int

    var testDescription: String { name }

    init(_ name: String, _ maximumFrames: Int, _ arguments: String...) {
      (self.name, self.maximumFrames, self.arguments) = (name, maximumFrames, arguments)
    }
  }

  private static let h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25", "-sc_threshold", "0"]

  static let kinds = [
    Kind("h264.mp4", 1), Kind("h264.mov", 1), Kind("h264.mkv", 1), Kind("open.mkv", 1, "-x264-params", "open-gop=1"),
    Kind("open.mp4", 1, "-x264-params", "open-gop=1"), Kind("h264.ts", 30), Kind("h264.flv", 30),
    Kind("fragmented.mp4", 1, "-movflags", "frag_keyframe+empty_moov"), Kind("fields.ts", 30, "-flags", "+ilme+ildct"),
    Kind("fields.mp4", 1, "-flags", "+ilme+ildct"), Kind("mpeg2.ts", 30, "-c:v", "mpeg2video", "-bf", "2"),
    Kind("mpeg2.mpg", 30, "-c:v", "mpeg2video", "-bf", "2"), Kind("mpeg4.avi", 30, "-c:v", "mpeg4"),
    Kind("vp9.webm", 1, "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"),
    Kind("hevc.mp4", 1, "-c:v", "libx265", "-x265-params", "keyint=25:log-level=error"),
    Kind("mjpeg.avi", 3, "-c:v", "mjpeg"),
    Kind("wmv.wmv", 30, "-c:v", "wmv2"), Kind("shifted.ts", 30, "-output_ts_offset", "95443"),
  ]

  @Test(
    "A packet that is wrongly marked as a key frame, or is shown too late, is passed over for an earlier one",
    .enabled(if: Scope.isFull),
    arguments: [
      ("refresh.mkv", "1.5", 0.0, ["-c:v", "libx264", "-bf", "0", "-g", "30", "-x264-params", "intra-refresh=1"]),
      ("refresh.mp4", "1.5", 0.0, ["-c:v", "libx264", "-bf", "0", "-g", "30", "-x264-params", "intra-refresh=1"]),
      ("late.avi", "0.45", 0.0, ["-c:v", "mpeg4", "-bf", "2", "-g", "12"]),
    ]
  )
  func passedOver(_ clip: (name: String, time: String, key: Double, coding: [String])) async throws {
    let scratch = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2.4", "-pix_fmt", "yuv420p"]
    try await GeneratedClips.make(scratch(clip.name), source + clip.coding)
    let found = try cover(of: scratch(clip.name), at: "key:" + clip.time, in: scratch)
    #expect(found.facts.warnings == [], "\(found.facts)")
    #expect(abs((found.facts.actualTime ?? -1) - clip.key) < 0.0021, "\(found.facts)")
  }

  // FLV marks the end of H.264 with a packet of the time of the last frame.
  @Test("The last frame is found where all are key frames and a mark follows")
  func beforeMark() async throws {
    let scratch = try ScratchFolder()
    let coding = ["-c:v", "libx264", "-g", "1"]
    try await GeneratedClips.make(scratch("a.flv"), NumberedFrames.source(seconds: 0.75, rate: "120") + coding)
    let time = try #require(RequestedTime("key:0.747"))
    try await NumberedFrames.expect(89, at: time, of: scratch("a.flv"), in: scratch)
  }

  private struct Found {
    let facts: CoverFacts
    let work: ClipDecoder.Counters
  }

  private func cover(of clip: FilePath, at time: String, in scratch: ScratchFolder) throws -> Found {
    var request = CoverRequest()
    request.time = try #require(RequestedTime(time))
    let work = try FrameSearch.work(on: clip, request)
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    return Found(facts: facts, work: work)
  }

  private func make(_ kind: Kind, in scratch: ScratchFolder) async throws -> FilePath {
    let clip = scratch(kind.name)
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4"] + Self.h264 + kind.arguments
        + [clip.string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return clip
  }

  /// Returns the time of each frame from the first one, in presentation order, and whether it is a key frame.
  private func frames(of clip: FilePath) async throws -> [(time: Double, isKey: Bool)] {
    let result = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_entries", "frame=key_frame,best_effort_timestamp_time"]
        + ["-of", "csv=p=0", clip.string]
    )
    let frames = result.text.split(separator: "\n").compactMap { line -> (Double, Bool)? in
      let parts = line.split(separator: ",")
      return parts.count >= 2 ? Double(parts[1]).map { ($0, parts[0] == "1") } : nil
    }
    let start = try #require(frames.first).0
    return frames.map { ($0.0 - start, $0.1) }
  }

  @Test(
    "The last key frame at or before the time is taken, with few frames decoded",
    .enabled(if: Scope.isFull),
    arguments: kinds
  )
  func nearest(_ kind: Kind) async throws {
    let scratch = try ScratchFolder()
    let clip = try await make(kind, in: scratch)
    let frames = try await frames(of: clip)
    for seconds in [0.5, 1.02, 2.5, 3.8] {
      let index = try #require(frames.lastIndex { $0.isKey && $0.time <= seconds + 0.0005 })
      let found = try cover(of: clip, at: "key:\(seconds)", in: scratch)
      #expect(
        found.facts.actualTime.map { abs($0 - frames[index].time) < 0.0021 } == true,
        "\(seconds): \(found.facts)"
      )
      #expect(found.facts.warnings == [])
      #expect(found.work.framesDecoded <= kind.maximumFrames, "\(seconds): \(found.work)")
      guard seconds == 2.5, !kind.name.hasPrefix("fields") else { continue }
      let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      let difference = try #require(PixelDifference(cover, try await Oracle.cover(of: clip, frame: index)))
      #expect(difference.decibels >= 38, "\(difference)")
    }
  }

  @Test("The first picture of a transport stream may lack a DTS")
  func firstWithoutDecodingTime() async throws {
    let scratch = try ScratchFolder()
    let clip = try await make(Kind("a.ts", 30, "-bf", "1"), in: scratch)
    var bytes = try ScratchFolder.read(clip)
    // The header of the first video packet has both times; the second one becomes stuffing. (ISO/IEC 13818-1, 2.4.3.6)
    let header = try #require(bytes.firstRange(of: [0, 0, 1, 0xE0])).lowerBound
    try #require(bytes[header + 7] >> 6 == 3)
    bytes[header + 7] = bytes[header + 7] & 0x3F | 0x80
    bytes[header + 9] = bytes[header + 9] & 0x0F | 0x20
    for index in header + 14..<header + 19 { bytes[index] = 0xFF }
    try scratch.write(bytes, as: "b.ts")
    let found = try cover(of: scratch("b.ts"), at: "key:0.5", in: scratch)
    #expect(found.facts.actualTime == 0 && found.facts.warnings == [], "\(found.facts)")
  }

  @Test("The version of x264 at the beginning is heeded after a seek")
  func encoderBuild() async throws {
    let scratch = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-pix_fmt", "yuv444p"]
    try await GeneratedClips.make(
      scratch("a.mp4"),
      source + ["-c:v", "libx264", "-qp", "0", "-g", "10", "-x264-params", "cabac=0"]
    )
    var bytes = try ScratchFolder.read(scratch("a.mp4"))
    // Before version 151, lossless pictures like these were predicted differently.
    let version = try #require(bytes.firstRange(of: Array("x264 - core ".utf8))).upperBound
    bytes.replaceSubrange(version..<version + 3, with: Array("148".utf8))
    let clip = try scratch.write(bytes, as: "b.mp4")
    let found = try cover(of: clip, at: "key:1.25", in: scratch)
    #expect(found.facts.actualTime == 1.2 && found.work.framesDecoded == 1)
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let difference = try #require(PixelDifference(cover, try await Oracle.cover(of: clip, frame: 30)))
    #expect(difference.largest == 0, "\(difference)")
  }

  @Test("A percentage is one of the duration, and a time past the end gives the last key frame")
  func ends() async throws {
    let scratch = try ScratchFolder()
    let clip = try await make(Kind("a.mp4", 1), in: scratch)
    let frames = try await frames(of: clip)
    let last = try #require(frames.last { $0.isKey }).time
    for (time, seconds) in [("key:90%", 3.6), ("key:0%", 0), ("key:100%", 4)] {
      let expected = try #require(frames.last { $0.isKey && $0.time <= seconds }).time
      #expect(try cover(of: clip, at: time, in: scratch).facts.actualTime == expected)
    }
    let late = try cover(of: clip, at: "key:1h", in: scratch).facts
    #expect(late.actualTime == last && late.warnings == ["the clip ends before 3600 s; used the last key frame"])
    let long = try cover(of: ProjectFolder.fixture("audio-first.mkv"), at: "key:88.5%", in: scratch).facts
    #expect(long.actualTime == 0 && long.warnings == [], "\(long.warnings)")
  }

  @Test("Without a key frame, the frame at that time is taken, with a warning")
  func none() async throws {
    let scratch = try ScratchFolder()
    let clip = ProjectFolder.fixture("intra-refresh-cut.mkv")
    let plain = try cover(of: clip, at: "0.5", in: scratch).facts
    let found = try cover(of: clip, at: "key:0.5", in: scratch).facts
    #expect(found.actualTime == plain.actualTime)
    #expect(found.warnings == ["no key frame was found at or before that time; used the frame at that time"])
  }

  @Test(
    "Packets of one field are decoded with the next, also in containers that should hold whole pictures",
    .enabled(if: Scope.isFull),
    .enabled(if: SharedClips.areHere, Comment(rawValue: SharedClips.absence)),
    arguments: ["a.mkv", "a.mp4", "a.h264"]
  )
  func fields(_ name: String) async throws {
    let scratch = try ScratchFolder()
    let recording = SharedClips.path("awkward/fixture-raw.mts")
    try await GeneratedClips.make(scratch(name), ["-i", recording.string, "-map", "0:v:0", "-c", "copy"])
    for time in ["first", "0", "key:0", "key:0.5"] {
      let facts = try cover(of: scratch(name), at: time, in: scratch).facts
      #expect(facts.actualTime == 0 && facts.warnings == [], "\(time): \(facts)")
    }
  }
}
