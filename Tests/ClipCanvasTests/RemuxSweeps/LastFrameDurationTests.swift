import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// The durations of clips whose container does not state them.
@Suite("Durations include the last frame")
struct LastFrameDurationTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private struct Facts: Decodable {
    let durationSeconds, actualTime: Double?
  }

  /// Checks how long a clip lasts for `probe` and `cover`, and the time of the frame that is shown at a share of that.
  private func expect(_ name: String, lasts end: Double, shows time: Double, at share: String) async throws {
    for command in [["probe"], ["cover", "-o", "c.png"], ["cover", "-o", "d.png", "--at", share]] {
      let result = try await Program.run("clipcanvas", command + ["--json", name], in: scratch.path)
      let facts = try JSONDecoder().decode(Facts.self, from: Data(result.output))
      let duration = try #require(facts.durationSeconds, "\(command): \(result.text)")
      #expect(abs(duration - end) < 0.0025, "\(command): \(duration), not \(end)")
      guard command.contains(share) else { continue }
      #expect(abs(try #require(facts.actualTime) - time) < 0.0025, "\(facts)")
    }
  }

  /// Recordings without a duration: the extension, ffmpeg's options, the frame rate, and whether there is sound.
  static let recordings: [(ending: String, options: [String], rate: Int, hasSound: Bool)] = [
    ("webm", ["-c:v", "libvpx", "-deadline", "realtime", "-live", "1"], 25, false),
    ("webm", ["-c:v", "libvpx", "-deadline", "realtime", "-live", "1", "-c:a", "libopus"], 25, true),
    ("webm", ["-c:v", "libvpx", "-deadline", "realtime", "-live", "1"], 5, false),
    ("mkv", ["-c:v", "libx264", "-bf", "3", "-g", "20", "-live", "1"], 25, false),
    ("mkv", ["-c:v", "mpeg4", "-live", "1", "-cluster_time_limit", "40"], 25, false),
    ("mkv", ["-c:v", "mjpeg", "-live", "1", "-c:a", "pcm_s16le"], 10, true),
    ("flv", ["-c:v", "flv1", "-flvflags", "no_duration_filesize+no_metadata"], 25, false),
    ("flv", ["-c:v", "flv1", "-flvflags", "no_duration_filesize", "-c:a", "mp3"], 10, true),
    ("flv", ["-c:v", "libx264", "-bf", "2", "-flvflags", "no_duration_filesize", "-c:a", "aac"], 25, true),
    ("asf", ["-c:v", "wmv2"], 25, false), ("mxf", ["-c:v", "mpeg2video", "-s", "720x576"], 25, false),
    // These muxers reserve space for the duration, which then seems to be hours.
    ("avi", ["-c:v", "mpeg4"], 25, false), ("avi", ["-c:v", "mjpeg", "-c:a", "pcm_s16le"], 10, true),
    ("ivf", ["-c:v", "libvpx"], 25, false), ("rm", ["-c:v", "rv20"], 25, false),
  ]

  @Test(
    "Probe and cover agree that a recording ends with its last frame, and half of it is half",
    arguments: Scope.cases(recordings, quick: 2)
  )
  func ends(_ recording: (ending: String, options: [String], rate: Int, hasSound: Bool)) async throws {
    let name = "a.\(recording.ending)"
    // Written to a pipe, so that the muxer cannot return to its header.
    let inputs = ["testsrc2=s=160x120:r=\(recording.rate):d=4"] + (recording.hasSound ? ["sine=r=44100:d=4"] : [])
    let sources = inputs.flatMap { ["-f", "lavfi", "-i", $0] }
    let format = ["webm": "webm", "mkv": "matroska", "flv": "flv"][recording.ending] ?? recording.ending
    let words = ["-v", "error"] + sources + ["-pix_fmt", recording.options.contains("mjpeg") ? "yuvj420p" : "yuv420p"]
    let made = try await Program.runTool("ffmpeg", words + recording.options + ["-f", format, "-"], in: scratch.path)
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    try scratch.write(made.output, as: name)
    let frames = try await RemuxedVideo(path: scratch(name)).frames().map(\.time)
    let (first, last) = (try #require(frames.first), try #require(frames.last))
    let end = last - first + 1 / Double(recording.rate)
    // The frame that is shown at half of the duration.
    let wanted = try #require(frames.last { $0 - first <= end / 2 + 0.0005 }) - first
    try await expect(name, lasts: end, shows: wanted, at: "50%")
  }

  /// What selects the frames of three seconds, and how they are stored.
  ///
  /// The frame after two seconds of stillness is decoded before others, and libavformat counts the time of decoding.
  static let reordered: [(name: String, select: String, options: [String])] = [
    ("a.mp4", "lt(n,24)+eq(n,74)", ["-c:v", "libx264"]),
    ("sound.mp4", "lt(n,24)+eq(n,74)", ["-c:v", "libx264", "-c:a", "aac"]),
    ("a.mov", "lt(n,24)+eq(n,74)", ["-c:v", "libx264", "-video_track_timescale", "600"]),
    ("late.mp4", "lt(n,24)+eq(n,74)", ["-c:v", "libx264", "-output_ts_offset", "2"]),
    ("a.m4v", "lt(n,24)+eq(n,74)", ["-c:v", "mpeg4"]),
    // The edit list of fragments has no end.
    (
      "fragments.mp4", "1",
      ["-c:v", "libx264", "-output_ts_offset", "2", "-use_editlist", "1", "-movflags", "frag_keyframe+delay_moov"]
    ),
    ("hevc.mp4", "lt(n,24)+eq(n,74)", ["-c:v", "libx265", "-x265-params", "log-level=none"]),
    ("even.mp4", "1", ["-c:v", "libx264", "-r", "30000/1001"]), ("even.flv", "1", ["-c:v", "libx264"]),
    ("sound.flv", "1", ["-c:v", "libx264", "-c:a", "aac"]), ("simple.flv", "1", ["-c:v", "flv1", "-bf", "0"]),
  ]

  @Test(
    "Frames that are decoded early are counted by when they are shown",
    arguments: Scope.cases(reordered, quick: 3)
  )
  func early(_ clip: (name: String, select: String, options: [String])) async throws {
    let seconds = clip.name == "sound.mp4" ? 5 : 3
    let inputs = ["testsrc2=s=160x120:r=25:d=3"] + (clip.options.contains("-c:a") ? ["sine=d=\(seconds)"] : [])
    let filter = ["-vf", "select='\(clip.select)'", "-fps_mode", clip.select == "1" ? "cfr" : "vfr", "-bf", "2"]
    try await TestClip.make(clip.name, inputs: inputs, filter + ["-pix_fmt", "yuv420p"] + clip.options, in: scratch)
    let frames = try await RemuxedVideo(path: scratch(clip.name)).frames().map(\.time)
    let (first, last) = (try #require(frames.first), try #require(frames.last))
    let end = last - first + (clip.options.contains("-r") ? 1.001 / 30 : 0.04)
    try await expect(clip.name, lasts: end, shows: last - first, at: "100%")
  }

  @Test("A movie whose edit list leaves out its end lasts as long as what is shown", arguments: ["libx264", "mpeg4"])
  func trimmed(_ codec: String) async throws {
    let inputs = ["testsrc2=s=160x120:r=25:d=4", "sine=d=6"]
    let coding = ["-c:v", codec, "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    try await TestClip.make("a.mp4", inputs: inputs, coding, in: scratch)
    var bytes = try ScratchFolder.read(scratch("a.mp4"))
    // The length of the video's first edit, in milliseconds, follows the type, the version and the number of edits.
    let type = try #require(bytes.firstRange(of: Array("elst".utf8)))
    bytes.replaceSubrange(type.upperBound + 8..<type.upperBound + 12, with: [0, 0, 0x07, 0xD0])
    try scratch.write(bytes, as: "a.mp4")
    let frames = try await RemuxedVideo(path: scratch("a.mp4")).frames().map(\.time)
    try #require(abs(try #require(frames.last) - (frames.first ?? 0) - 1.96) < 0.0025)
    try await expect("a.mp4", lasts: 2, shows: 1.96, at: "100%")
  }

  @Test(
    "Space that was reserved at the end does not hide the duration",
    arguments: Scope.cases(
      [
        ("a.ogv", ["-c:v", "libtheora"]), ("a.asf", ["-c:v", "wmv2"]), ("b.asf", ["-c:v", "msmpeg4"]),
        ("a.apng", ["-c:v", "apng", "-plays", "0"]), ("a.mkv", ["-c:v", "libx264", "-live", "1"]),
      ],
      quick: 2
    )
  )
  func reserved(_ clip: (name: String, options: [String])) async throws {
    try await TestClip.make(clip.name, inputs: ["testsrc2=s=160x120:r=25:d=2.4"], clip.options, in: scratch)
    let frames = try await RemuxedVideo(path: scratch(clip.name)).frames().map(\.time)
    let end = try #require(frames.last) - (frames.first ?? 0) + 0.04
    let space = [UInt8](repeating: 0, count: 200_000)
    try scratch.write(try ScratchFolder.read(scratch(clip.name)) + space, as: clip.name)
    try await expect(clip.name, lasts: end, shows: end - 0.04, at: "100%")
  }

  @Test(
    "A fragmented MP4 that was cut off lasts to its last whole frame",
    arguments: Scope.cases(
      ["frag_keyframe", "frag_keyframe+empty_moov", "frag_keyframe+empty_moov+default_base_moof", "dash+global_sidx"],
      quick: 1
    )
  )
  func cut(_ flags: String) async throws {
    let inputs = ["testsrc2=s=160x120:r=25:d=4", "sine=r=48000:d=4"]
    let coding = ["-c:v", "libx264", "-bf", "2", "-g", "20", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", flags]
    try await TestClip.make("a.mp4", inputs: inputs, coding, in: scratch)
    let whole = try ScratchFolder.read(scratch("a.mp4"))
    for share in [0.5, 0.6, 0.75] {
      let size = Int(Double(whole.count) * share)
      try scratch.write(whole[..<size], as: "cut.mp4")
      let words = [
        "-v", "quiet", "-select_streams", "v", "-show_entries", "packet=pts_time,size,pos", "-of", "csv=p=0",
      ]
      let list = try await Program.runTool("ffprobe", words + ["cut.mp4"], in: scratch.path)
      let packets = list.text.split(separator: "\n").compactMap { line -> (time: Double, end: Int)? in
        let values = line.split(separator: ",")
        guard values.count >= 3, let time = Double(values[0]), let bytes = Int(values[1]) else { return nil }
        return Int(values[2]).map { (time, $0 + bytes) }
      }
      let times = packets.filter { $0.end < size }.map(\.time).sorted()
      let (first, last) = (try #require(times.first), try #require(times.last))
      let end = last - first + 0.04
      for command in [["probe"], ["cover", "-o", "c.png"], ["cover", "-o", "d.png", "--at", "50%"]] {
        let result = try await Program.run("clipcanvas", command + ["--json", "cut.mp4"], in: scratch.path)
        let facts = try JSONDecoder().decode(Facts.self, from: Data(result.output))
        let duration = try #require(facts.durationSeconds)
        #expect(abs(duration - end) < 0.002, "\(share), \(command): \(duration), not \(end)")
      }
    }
  }
}
