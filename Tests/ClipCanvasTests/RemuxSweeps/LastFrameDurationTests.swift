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
    for command in [["probe"], ["cover", "-o", "c.png"], ["cover", "-o", "d.png", "--at", "50%"]] {
      let result = try await Program.run("clipcanvas", command + ["--json", name], in: scratch.path)
      let facts = try JSONDecoder().decode(Facts.self, from: Data(result.output))
      let duration = try #require(facts.durationSeconds)
      #expect(abs(duration - end) < 0.0025, "\(command): \(duration), not \(end)")
      guard command.contains("50%") else { continue }
      // The frame that is shown at half of the duration.
      let wanted = try #require(frames.last { $0 - first <= end / 2 + 0.0005 }) - first
      #expect(abs(try #require(facts.actualTime) - wanted) < 0.0025)
    }
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
