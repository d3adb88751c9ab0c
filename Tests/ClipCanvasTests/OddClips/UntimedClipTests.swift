import SystemPackage
import TestSupport
import Testing

/// Clips whose frames have no times, or are not marked as key frames, compared with frames that
/// ffmpeg decodes in order.
@Suite("Raw streams, and containers that give some of the times or marks of key frames")
struct UntimedClipTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Four seconds with a key frame each second, unless the codec's options set something else.
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let options: [String]
    var framesPerSecond = 25
    var size = "176x144"
    var testDescription: String { name }
  }

  private static let hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params"]
  private static let openGroups = ["-x264-params", "open-gop=1"]
  private static let avc = ["-c:v", "libx264", "-bf", "3", "-g", "25"]

  static let raw = [
    Kind(name: "a.h264", options: avc),
    Kind(name: "b.h264", options: ["-c:v", "libx264", "-bf", "2", "-g", "15"] + openGroups, framesPerSecond: 30),
    Kind(name: "c.h264", options: ["-c:v", "libx264", "-g", "1000"]),
    Kind(name: "a.hevc", options: hevc + ["log-level=none:keyint=25:bframes=3:open-gop=1"]),
    Kind(name: "b.hevc", options: hevc + ["log-level=none:keyint=15:bframes=2:open-gop=0"], framesPerSecond: 30),
    Kind(name: "a.drc", options: ["-c:v", "vc2", "-pix_fmt", "yuv420p"]),
    Kind(name: "a.mjpeg", options: ["-q:v", "3"]),
    Kind(name: "b.mjpg", options: ["-q:v", "3", "-f", "mjpeg"], size: "640x480"),
    Kind(name: "a.obu", options: ["-c:v", "libaom-av1", "-cpu-used", "8", "-g", "25"]),
  ]

  /// Streams whose packets libavformat all marks as key frames, or none of them.
  static let unmarked = [
    Kind(name: "raw.h261", options: ["-c:v", "h261", "-r", "30000/1001"], framesPerSecond: 30),
    Kind(name: "h261.mkv", options: ["-c:v", "h261"]),
    Kind(name: "rpza.mkv", options: ["-c:v", "rpza"]),
    Kind(name: "video1.wtv", options: ["-c:v", "msvideo1", "-pix_fmt", "rgb555le"]),
    Kind(name: "vc2.mkv", options: ["-c:v", "vc2", "-pix_fmt", "yuv420p"]),
  ]

  static let programs = [
    Kind(name: "avc.mpg", options: avc),
    Kind(name: "avc.vob", options: avc + ["-f", "vob"]),
    Kind(name: "video.m2ts", options: ["-c:v", "mpeg1video", "-bf", "2", "-mpegts_m2ts_mode", "1"]),
    Kind(name: "part2.m2ts", options: ["-c:v", "mpeg4", "-bf", "2", "-mpegts_m2ts_mode", "1"]),
  ]

  private func make(_ kind: Kind, seconds: Int = 4) async throws {
    let source = "testsrc2=s=\(kind.size):r=\(kind.framesPerSecond):d=\(seconds)"
    try await scratch.makeClip(kind.name, of: source, kind.options)
  }

  @Test("Any frame of a raw stream is found by its time or percentage", .enabled(if: Scope.isFull), arguments: raw)
  func rawStream(_ kind: Kind) async throws {
    try await make(kind)
    let rate = kind.framesPerSecond
    let (middle, last) = (rate * 2, rate * 4 - 1)
    for (time, frame) in [("first", 0), ("0", 0), ("1", rate), ("2.5", rate * 5 / 2), ("50%", middle), ("100%", last)] {
      try await scratch.expectCover(of: kind.name, at: time, frame: frame)
    }
  }

  @Test("Fields in separate packets count as half a frame each")
  func fields() async throws {
    let options = ["-vf", "interlace", "-c:v", "libx264", "-flags", "+ilme+ildct", "-x264-params", "tff=1", "-g", "25"]
    try await make(Kind(name: "fields.h264", options: options, framesPerSecond: 50))
    let result = try await Program.run("clipcanvas", ["probe", "--json", "fields.h264"], in: scratch.path)
    #expect(result.text.contains(#""durationSeconds":4"#), "\(result)")
  }

  @Test("A stream without times gives its first frame, with a warning", arguments: ["cover", "animate", "sheet"])
  func noTimes(_ command: String) async throws {
    try await make(Kind(name: "timed.ts", options: Self.avc))
    var bytes = try ScratchFolder.read(scratch("timed.ts"))
    try #require(removeTimes(fromTransportStream: &bytes) == 100)
    try ScratchFolder.write(bytes, to: scratch("a.ts"))
    let output = ["--json", "-o", command == "animate" ? "a.webp" : "a.png"]
    let time = command == "cover" ? ["--at", "1"] : []
    let result = try await Program.run("clipcanvas", [command] + output + time + ["a.ts"], in: scratch.path)
    #expect(result.exitStatus == 0 && result.text.contains("first frame\"]"), "\(result)")
    #expect(!result.text.contains("actualTime"), "\(result.text)")
  }

  /// Turns the times in the headers of elementary packets of video into stuffing, and returns the number of headers.
  private func removeTimes(fromTransportStream bytes: inout [UInt8]) -> Int {
    let (packet, header) = (188, 4)
    var count = 0
    for start in stride(from: 0, to: bytes.count, by: packet) where bytes[start + 1] & 0x40 != 0 {
      let at = start + header + (bytes[start + 3] & 0x20 != 0 ? 1 + Int(bytes[start + header]) : 0)
      guard bytes[at...].starts(with: [0, 0, 1, 0xe0]) else { continue }
      bytes[at + 7] &= 0x3f
      for stuffing in at + 9..<at + 9 + Int(bytes[at + 8]) { bytes[stuffing] = 0xff }
      count += 1
    }
    return count
  }

  @Test(
    "A stream whose key frames are not marked has its first frame and any other one",
    .enabled(if: Scope.isFull),
    arguments: unmarked
  )
  func unmarkedKeyFrames(_ kind: Kind) async throws {
    try await make(kind)
    let rate = kind.framesPerSecond
    for (time, frame) in [("first", 0), ("1.01", rate), ("2.01", rate * 2)] {
      try await scratch.expectCover(of: kind.name, at: time, frame: frame)
    }
  }

  @Test(
    "Frames without a time are found in program streams, and rare codecs in transport streams",
    .enabled(if: Scope.isFull),
    arguments: programs
  )
  func program(_ kind: Kind) async throws {
    try await make(kind)
    for (time, frame) in [("first", 0), ("0", 0), ("1", 25), ("3.5", 87)] {
      try await scratch.expectCover(of: kind.name, at: time, frame: frame)
    }
  }

  @Test(
    "A picture that is shown for seconds is found at each percentage of them",
    .enabled(if: Scope.isFull),
    arguments: ["mp4", "webm", "gif"]
  )
  func heldFrames(_ container: String) async throws {
    let clip = "slides.\(container)"
    let words = ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=1/5:d=20", clip]
    let made = try await Program.runTool("ffmpeg", words, in: scratch.path)
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    for (time, frame) in [("20%", 0), ("50%", 2), ("76%", 3), ("90%", 3), ("99%", 3), ("100%", 3), ("19.5", 3)] {
      try await scratch.expectCover(of: clip, at: time, frame: frame)
    }
  }
}
