import SystemPackage
import TestSupport
import Testing

/// Clips whose video begins long after their sound, compared with the same video alone.
@Suite("Clips whose video begins late")
struct LateVideoTests {
  /// How a codec is encoded, and the containers that can hold it.
  struct Kind: CustomTestStringConvertible, Sendable {
    let codec: String
    let options: [String]
    let containers: [String]
    var testDescription: String { codec }
  }

  static let kinds = [
    Kind(codec: "h264", options: ["-c:v", "libx264", "-bf", "2"], containers: ["mkv", "mp4", "ts", "flv"]),
    Kind(
      codec: "hevc",
      options: ["-c:v", "libx265", "-x265-params", "log-level=none"],
      containers: ["mkv", "mp4", "ts"]
    ),
    Kind(codec: "vp9", options: ["-c:v", "libvpx-vp9", "-cpu-used", "8"], containers: ["mkv", "webm", "mp4"]),
    Kind(codec: "av1", options: ["-c:v", "libaom-av1", "-cpu-used", "8"], containers: ["mkv", "webm", "mp4"]),
    // Without the headers in the stream, a transport stream could not be decoded.
    Kind(
      codec: "mpeg4",
      options: ["-c:v", "mpeg4", "-bf", "2", "-flags:v", "-global_header"],
      containers: ["mkv", "ts"]
    ),
    Kind(codec: "mpeg4", options: ["-c:v", "mpeg4", "-bf", "2"], containers: ["mp4"]),
    Kind(codec: "mpeg2", options: ["-c:v", "mpeg2video", "-bf", "2"], containers: ["mkv", "mp4", "ts", "mpg"]),
  ]

  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func ffmpeg(_ words: [String]) async throws {
    let result = try await Program.runTool("ffmpeg", ["-v", "error", "-y"] + words, in: scratch.path)
    try #require(result.exitStatus == 0, "\(words): \(result.errorOutput)")
  }

  /// Makes the video alone, `video.nut`, and sound of 45 seconds for each container.
  private func makeParts(_ kind: Kind) async throws {
    try await ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-pix_fmt", "yuv420p"] + kind.options + ["video.nut"]
    )
    for (codec, name) in [("aac", "mp4"), ("libopus", "webm"), ("mp2", "mpg")] {
      try await ffmpeg(["-f", "lavfi", "-i", "sine=r=48000:d=45", "-c:a", codec, "-f", "nut", "sound.\(name)"])
    }
  }

  /// Makes a clip whose video begins the given number of seconds after the sound.
  private func makeClip(_ name: String, container: String, delay: Int) async throws {
    let sound = ["webm", "mpg"].contains(container) ? "sound.\(container)" : "sound.mp4"
    let inputs = ["-itsoffset", "\(delay)", "-i", "video.nut", "-i", sound]
    try await ffmpeg(inputs + ["-map", "0:v", "-map", "1:a", "-c", "copy", name])
  }

  @Test(
    "The cover is the first frame of the video, or the one at a time counted from there",
    .enabled(if: Scope.isFull),
    arguments: Scope.mixed(kinds, [10, 30])
  )
  func cover(_ kind: Kind, delay: Int) async throws {
    try await makeParts(kind)
    let frames = [
      (time: "first", pixels: try await Oracle.cover(of: scratch("video.nut"))),
      (time: "1", pixels: try await Oracle.cover(of: scratch("video.nut"), frame: 25)),
    ]
    for container in kind.containers {
      try await makeClip("late.\(container)", container: container, delay: delay)
      for (time, pixels) in frames {
        let words = ["cover", "--force", "--at", time, "-o", "cover.png", "late.\(container)"]
        let result = try await Program.run("clipcanvas", words, in: scratch.path)
        try #require(result.exitStatus == 0, "\(container) at \(time): \(result.errorOutput)")
        let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
        let difference = try #require(PixelDifference(cover, pixels))
        #expect(difference.decibels > 40, "\(container) at \(time): \(difference)")
      }
    }
  }

  @Test("A copy has the frames at their late times", .enabled(if: Scope.isFull), arguments: kinds)
  func copy(_ kind: Kind) async throws {
    try await makeParts(kind)
    let wanted = try await RemuxedVideo(path: scratch("video.nut")).frames()
    for container in kind.containers {
      try await makeClip("late.\(container)", container: container, delay: 10)
      for ending in ["mkv", "mp4"] {
        let result = try await scratch.remux(["--force", "late.\(container)", "-o", "copy.\(ending)"])
        guard result.exitStatus == 0 else {
          Issue.record("\(container) to \(ending): \(result.errorOutput)")
          continue
        }
        let frames = try await RemuxedVideo(path: scratch("copy.\(ending)")).frames(limits: Self.farAhead)
        #expect(frames.map(\.hash) == wanted.map(\.hash), "\(container) to \(ending)")
        for (index, frame) in frames.enumerated() {
          // The encoder's delay of the sound may be counted from its first packet or from its first sample.
          let time = 10 + Double(index) / 25
          #expect(abs(frame.time - time) < 0.05, "\(container) to \(ending): frame \(index) at \(frame.time)")
        }
      }
    }
  }

  /// Options that let ffmpeg and ffprobe read up to the video.
  private static let farAhead = ["-analyzeduration", "60M", "-probesize", "64M"]

  @Test("An export is as long as the video", .enabled(if: Scope.isFull), arguments: [kinds[0], kinds[6]])
  func export(_ kind: Kind) async throws {
    try await makeParts(kind)
    for container in kind.containers {
      try await makeClip("late.\(container)", container: container, delay: 10)
      let output = "\(container).out.mp4"
      for words in [["new"], ["clip", "import", "c1", "late.\(container)"], ["export", "-o", output]] {
        let arguments = ["board"] + words + ["--board", "\(container).json"]
        let result = try await Program.run("clipcanvas", arguments, in: scratch.path)
        #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(container) \(words): \(result.errorOutput)")
      }
      let duration = try await RemuxedVideo(path: scratch(output)).duration()
      #expect(duration.map { abs($0 - 2) < 0.1 } == true, "\(container): \(duration ?? -1)")
    }
  }
}
