import SystemPackage
import TestSupport
import Testing

/// Copies of parts of streams, which were cut at a key picture.
@Suite("clipcanvas remux keeps the start of a clip")
struct RemuxStartTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let sound = ["-c:a", "aac"]
  private static let lead = "keyint=24:min-keyint=24:bframes=3:scenecut=0:log-level=none"
  /// Frames before a key picture that only require that picture.
  private static let whole = ["-c:v", "libx265", "-x265-params", "\(lead):open-gop=0:radl=2"]

  /// Cuts a transport stream of five seconds into segments.
  private func makeSegments(_ options: [String], rate: String = "25", sound: Bool) async throws {
    let inputs = ["testsrc2=s=160x120:r=\(rate):d=5"] + (sound ? ["sine=r=48000:d=5"] : [])
    let format = ["-f", "segment", "-segment_format", "mpegts", "-segment_time", "0.9"]
    try await TestClip.make("a-%d.ts", inputs: inputs, options + (sound ? Self.sound : []) + format, in: scratch)
  }

  /// The presentation times of the packets of a stream, in the order of the file.
  private func times(of name: String, _ stream: String) async throws -> [Double?] {
    let words = ["-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0", name]
    return try await Program.runTool("ffprobe", words, in: scratch.path).text.split(separator: "\n")
      .filter { !$0.isEmpty && !$0.hasPrefix("side_data") }.map { Double($0.split(separator: ",").first ?? "") }
  }

  /// libavformat's muxer hides them in MP4 and MOV, and its demuxer starts with the key picture.
  @Test(
    "Frames that are shown before the first one stored are copied if they are whole",
    .enabled(if: Scope.isFull),
    arguments: [(sound: false, rate: "25"), (true, "25"), (false, "30000/1001"), (true, "30000/1001")]
  )
  func leading(_ clip: (sound: Bool, rate: String)) async throws {
    try await makeSegments(Self.whole, rate: clip.rate, sound: clip.sound)
    let shown = try await times(of: "a-1.ts", "v").map { try #require($0) }
    let earliest = try #require(shown.min())
    try #require(shown[0] - earliest > 0.06)
    let start = min(earliest, try await times(of: "a-1.ts", "a").first.flatMap { $0 } ?? earliest)
    let wanted = try await RemuxedVideo(path: scratch("a-1.ts")).hashes()
    #expect(wanted.count == shown.count)
    for (copy, options) in [("b.mp4", []), ("b.mov", []), ("c.mp4", ["--faststart"]), ("b.mkv", [])] {
      let result = try await scratch.remux(["a-1.ts", "-o", copy] + options)
      try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
      let frames = try await RemuxedVideo(path: scratch(copy)).frames()
      #expect(frames.map(\.hash) == wanted, "\(copy): \(frames.count)")
      for (frame, time) in zip(frames, shown.sorted()) {
        #expect(abs(frame.time - (time - start)) < 0.0021, "\(copy): \(frame.time)")
      }
      #expect(try await times(of: copy, "v").allSatisfy { ($0 ?? -1) >= 0 }, "\(copy)")
      // Until the end of the last frame.
      let end = try #require(shown.max()) - start + (clip.rate == "25" ? 0.04 : 0.0334)
      let duration = try #require(try await RemuxedVideo(path: scratch(copy)).duration())
      #expect(clip.sound || abs(duration - end) < 0.0021, "\(copy): \(duration), not \(end)")
      // The copy of a copy, which has such an edit list or none.
      let again = try await scratch.remux([copy, "-o", "again.mp4", "--force"])
      try #require(again.exitStatus == 0, "\(again.errorOutput)")
      #expect(try await RemuxedVideo(path: scratch("again.mp4")).hashes() == wanted, "\(copy)")
    }
  }

  // Movies for Smooth Streaming count their times in units of 100 ns.
  @Test(
    "The first frame is shown although its time is between two microseconds",
    .enabled(if: Scope.isFull),
    arguments: ["mp4", "mov", "mkv"]
  )
  func fineTimes(_ ending: String) async throws {
    let options = ["-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv420p", "-video_track_timescale", "10000000"]
    let fragments = ["-use_editlist", "0", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"]
    try await TestClip.make("a.mp4", inputs: ["testsrc2=s=160x120:r=24000/1001:d=2"], options + fragments, in: scratch)
    let copy = "b.\(ending)"
    for clips in [["a.mp4"], ["a.mp4", "a.mp4"]] {
      let result = try await scratch.remux(clips + ["-o", copy, "--force"])
      try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
      let frames = try await RemuxedVideo(path: scratch(copy)).frames()
      let wanted = try await RemuxedVideo(path: scratch("a.mp4")).hashes()
      #expect(frames.map(\.hash) == clips.flatMap { _ in wanted }, "\(copy): \(frames.count)")
      for (number, frame) in frames.enumerated() {
        #expect(abs(frame.time - Double(number) * 1001 / 24000) < 0.0021, "\(copy): \(frame.time)")
      }
    }
  }

  /// Frames before a key picture that require frames before the cut.
  static let cut = [
    ["-c:v", "libx265", "-x265-params", "\(lead):open-gop=1:b-adapt=0"],
    ["-c:v", "mpeg2video", "-g", "24", "-bf", "2"],
  ]

  @Test(
    "Frames that cannot be decoded get no times before the start, and are not shown",
    .enabled(if: Scope.isFull),
    arguments: cut
  )
  func broken(_ options: [String]) async throws {
    try await makeSegments(options, sound: false)
    let shown = try await times(of: "a-1.ts", "v").map { try #require($0) }
    let leading = shown.filter { $0 < shown[0] }.count
    try #require(leading > 1)
    // ffmpeg shows some of MPEG-2.
    let wanted = try await RemuxedVideo(path: scratch("a-1.ts")).hashes().suffix(shown.count - leading)
    let first = try await RemuxedVideo(path: scratch("a-0.ts")).hashes()
    for ending in ["mkv", "mp4"] {
      for (clips, frames) in [(["a-1.ts"], Array(wanted)), (["a-0.ts", "a-1.ts"], first + wanted)] {
        let result = try await scratch.remux(clips + ["-o", "b.\(ending)", "--force"])
        try #require(result.exitStatus == 0, "\(result.errorOutput)")
        #expect(try await RemuxedVideo(path: scratch("b.\(ending)")).hashes() == frames, "\(clips) \(ending)")
        let times = try await times(of: "b.\(ending)", "v")
        #expect(ending == "mp4" || times.allSatisfy { ($0 ?? -1) >= 0 }, "\(times)")
      }
    }
  }

  /// libavformat knows no start of a stream with a single packet, or takes that of another.
  @Test(
    "A clip of one frame starts with it and lasts as long as it",
    .enabled(if: Scope.isFull),
    arguments: ["libx264", "mpeg2video"]
  )
  func single(_ encoder: String) async throws {
    let coding = ["-c:v", encoder, "-pix_fmt", "yuv420p", "-bf", "0"]
    let frame = "testsrc2=s=160x120:r=25:d=0.04"
    try await TestClip.make("a.ts", inputs: [frame], coding, in: scratch)
    let late = ["-af", "asetpts=PTS+0.05/TB", "-c:a", "pcm_s16le"]
    try await TestClip.make("b.mkv", inputs: [frame, "sine=d=1"], coding + late, in: scratch)
    for (clip, seconds) in [("a.ts", 0.04), ("b.mkv", 1.05)] {
      for ending in ["mov", "mkv"] {
        let result = try await scratch.remux([clip, "-o", "copy.\(ending)", "--force"])
        try #require(result.exitStatus == 0, "\(result.errorOutput)")
        let copy = RemuxedVideo(path: scratch("copy.\(ending)"))
        #expect(try await copy.frames().map(\.time) == [0], "\(clip) \(ending)")
        let duration = try #require(try await copy.duration())
        #expect(abs(duration - seconds) < 0.03, "\(clip) \(ending): \(duration)")
      }
    }
  }
}
