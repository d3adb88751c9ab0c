import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Clips that are joined, and clips that cannot be.
@Suite("clipcanvas remux joins clips")
struct RemuxJoinTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// How recorders write their segments: the file extension, the frame rate and ffmpeg's options.
  static let recorders: [(ending: String, rate: String, options: [String])] = [
    ("mp4", "25", ["-c:v", "libx264", "-bf", "2", "-c:a", "aac"]),
    ("mp4", "30000/1001", ["-c:v", "libx264", "-bf", "0", "-movflags", "frag_keyframe+empty_moov", "-c:a", "aac"]),
    ("mkv", "25", ["-c:v", "libx264", "-bf", "3", "-c:a", "libopus"]),
    ("webm", "30", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus", "-live", "1"]),
    ("mov", "24", ["-c:v", "mjpeg", "-c:a", "pcm_s16le"]),
    ("ts", "25", ["-c:v", "libx264", "-bf", "2", "-c:a", "aac", "-muxdelay", "0"]),
    ("mp4", "25", ["-c:v", "libx265", "-x265-params", "log-level=error", "-c:a", "ac3"]),
  ]

  @Test(
    "Sound and picture stay together across all joins, and durations add up",
    .enabled(if: Scope.isFull),
    arguments: recorders
  )
  func flashes(_ recorder: (ending: String, rate: String, options: [String])) async throws {
    let lengths = [1.96, 1.08, 2.0, 0.92]
    var sum = 0.0
    var offsets: [Double] = []
    for (number, seconds) in lengths.enumerated() {
      let name = "\(number).\(recorder.ending)"
      try await TestClip.flashing(name, seconds: seconds, rate: recorder.rate, recorder.options, in: scratch)
      let part = RemuxedVideo(path: scratch(name))
      offsets += try await Self.offsets(in: part)
    }
    let output = recorder.ending == "ts" ? "joined.mp4" : "joined.\(recorder.ending)"
    let parts = lengths.indices.map { "\($0).\(recorder.ending)" }
    let result = try await scratch.remux(["--json"] + parts + ["-o", output])
    try #require(result.exitStatus == 0, "\(result.errorOutput)\(result.text)")
    let record = try JSONDecoder().decode(RemuxTests.Record.self, from: Data(result.output))
    for part in record.parts ?? [] { sum += part.durationSeconds }
    let joined = RemuxedVideo(path: scratch(output))
    let found = try await Self.offsets(in: joined)
    #expect(found.count == offsets.count && found.count >= 10)
    for (offset, wanted) in zip(found, offsets) {
      #expect(abs(offset - wanted) < 0.005, "a beep is \(offset) s after its flash, not \(wanted)")
    }
    let duration = try #require(try await joined.duration())
    #expect(abs(duration - sum) < 0.04 && abs(sum - lengths.reduce(0, +)) < 0.04 * Double(lengths.count))
    for stream in 0...1 {
      let times = try await joined.decodingTimes(ofStream: stream)
      #expect(times.count > 10 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  /// How long after each flash its beep begins.
  private static func offsets(in video: RemuxedVideo) async throws -> [Double] {
    let (flashes, beeps) = (try await video.flashes(), try await video.beeps())
    try #require(flashes.count == beeps.count, "\(flashes) \(beeps)")
    return zip(flashes, beeps).map { $1 - $0 }
  }

  @Test("All frames of all clips are in the joined video, in order")
  func frames() async throws {
    var wanted: [String] = []
    for (number, source) in ["testsrc=s=96x64:d=0.6", "testsrc2=s=96x64:d=0.44", "mandelbrot=s=96x64"].enumerated() {
      let options = ["-t", "0.6", "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p"]
      try await TestClip.make("\(number).mp4", inputs: [source], options, in: scratch)
      wanted += try await RemuxedVideo(path: scratch("\(number).mp4")).frames().map(\.hash)
    }
    for ending in ["mp4", "mkv"] {
      #expect(try await scratch.remux(["0.mp4", "1.mp4", "2.mp4", "-o", "j.\(ending)"]).exitStatus == 0)
      #expect(try await RemuxedVideo(path: scratch("j.\(ending)")).frames().map(\.hash) == wanted)
    }
  }

  @Test("Streams are joined by their types, in whatever order a recorder wrote them", .enabled(if: Scope.isFull))
  func orders() async throws {
    let inputs = ["testsrc=s=64x48:d=0.4", "sine=r=48000:d=0.4"]
    let usual = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    try await TestClip.make("a.mkv", inputs: inputs, usual + ["-map", "0", "-map", "1"], in: scratch)
    try await TestClip.make("b.mkv", inputs: inputs, usual + ["-map", "1", "-map", "0"], in: scratch)
    let result = try await scratch.remux(["a.mkv", "b.mkv", "a.mkv", "-o", "j.mp4"])
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(try await RemuxedVideo(path: scratch("j.mp4")).frames().count == 30)
  }

  /// Differences between two clips: what changes, and how the message names it.
  static let differences: [(options: [String], message: String)] = [
    (["-c:v", "mpeg4"], "its video codec is mpeg4, not h264"),
    (["-s", "80x60"], "its size is 80x60, not 64x48"),
    (["-pix_fmt", "yuv444p"], "its pixel format is yuv444p, not yuv420p"),
    (["-bf", "0", "-refs", "1"], "its decoder configuration (h264) differs"),
    (["-c:a", "libmp3lame"], "its sound codec is mp3, not aac"),
    (["-ar", "44100"], "its sample rate is 44100, not 48000"),
    (["-ac", "1"], "its number of channels is 1, not 2"),
    (["-an"], "its number of streams is 1, not 2"),
    // FFmpeg 7.1 takes it from the frames.
    (
      ["-vf", "setparams=color_trc=smpte2084", "-color_trc", "smpte2084"],
      "its transfer function is smpte2084, not unknown"
    ),
    (["-aspect", "2:1"], "its pixel aspect ratio is 3:2, not 1:1"),
  ]

  @Test(
    "Clips that cannot be joined to one another are refused with the difference",
    .enabled(if: Scope.isFull),
    arguments: differences
  )
  func different(_ difference: (options: [String], message: String)) async throws {
    let inputs = ["testsrc=s=64x48:d=0.4", "sine=r=48000:d=0.4"]
    let usual = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", "2"]
    try await TestClip.make("a.mp4", inputs: inputs, usual, in: scratch)
    try await TestClip.make("b.mp4", inputs: inputs, usual + difference.options, in: scratch)
    let result = try await scratch.remux(["a.mp4", "a.mp4", "b.mp4", "-o", "j.mp4"])
    #expect(result.exitStatus == 1)
    #expect(
      result.errorOutput.hasPrefix("b.mp4: cannot be joined to a.mp4: \(difference.message)"),
      "\(result.errorOutput)"
    )
    #expect(try scratch.names().sorted() == ["a.mp4", "b.mp4"])
  }

  @Test("A clip with another rotation cannot be joined to")
  func rotation() async throws {
    let clip = ProjectFolder.fixture("rotated-180.mp4").string
    var bytes = try ScratchFolder.read(ProjectFolder.fixture("rotated-180.mp4"))
    try TrackMatrix.replace(with: TrackMatrix.identity, in: &bytes)
    try scratch.write(bytes, as: "straight.mp4")
    let result = try await scratch.remux(["straight.mp4", clip, "-o", "j.mp4"])
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("its rotation is 180, not 0"), "\(result.errorOutput)")
  }

  @Test("A clip with hidden frames cannot be joined to another")
  func hidden() async throws {
    let clip = ProjectFolder.fixture("edit-list.mp4").string
    let hidden = try await scratch.remux([clip, clip, "-o", "j.mp4"])
    #expect(hidden.exitStatus == 1 && hidden.errorOutput.contains("its edit list hides"), "\(hidden.errorOutput)")
    #expect(try scratch.names().isEmpty)
  }

  @Test(
    "Sound that ends long before or after the picture stays at its place",
    .enabled(if: Scope.isFull),
    arguments: ["mkv", "mp4"]
  )
  func unequalLengths(_ ending: String) async throws {
    // Without delay, so that ffmpeg writes the picture next to the sound.
    let codecs = ["-c:v", "libx264", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    for (name, video, sound) in [("a.mkv", 20, 1), ("b.mkv", 1, 20)] {
      let inputs = ["color=red:s=64x48:r=25:d=\(video)", "aevalsrc='sin(2000*PI*t)/4':s=48000:d=\(sound)"]
      try await TestClip.make(name, inputs: inputs, codecs, in: scratch)
    }
    let result = try await scratch.remux(["a.mkv", "b.mkv", "-o", "j.\(ending)"])
    try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    let joined = RemuxedVideo(path: scratch("j.\(ending)"))
    #expect(abs(try #require(try await joined.duration()) - 40) < 0.1)
    let times = try await joined.frames().map(\.time)
    #expect(times.count == 525 && abs(times[500] - 20) < 0.05)
    let loud = try await joined.sound().filter { $0.samples.contains { abs($0) > 0.1 } }.map(\.time)
    #expect(loud.allSatisfy { $0 < 1.1 || $0 > 19.9 })
    #expect(loud.contains { $0 < 0.1 } && loud.contains { 19.9...20.1 ~= $0 } && loud.contains { $0 > 39.8 })
  }

  @Test("While a clip has no more sound, its picture is not kept in memory", .enabled(if: Scope.isFull))
  func memory() async throws {
    // 173 MB of video; a muxer keeps at most ten seconds of it until other streams follow.
    let inputs = ["color=red:s=320x240:r=25:d=60", "sine=d=1"]
    try await TestClip.make("a.mkv", inputs: inputs, ["-c:v", "rawvideo", "-pix_fmt", "yuv420p"], in: scratch)
    // The largest of the processes that have ended, as the kernel counted it.
    let measuring = """
      import resource, subprocess, sys
      status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
      print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let result = try await Program.runTool(
      "python3",
      ["-c", measuring, ProjectFolder.program("clipcanvas").string, "remux", "a.mkv", "-o", "b.mkv"],
      in: scratch.path
    )
    let numbers = result.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 2 && numbers[0] == 0, "\(result.text) \(result.errorOutput)")
    #expect(numbers[1] > 10 << 10 && numbers[1] < 110 << 10, "\(numbers[1] >> 10) MiB")
  }

  @Test("Two hundred clips are joined", .enabled(if: Scope.isFull))
  func many() async throws {
    let options = ["-t", "0.04", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
    try await TestClip.make("a.mp4", inputs: ["testsrc=s=64x48"], options, in: scratch)
    let result = try await scratch.remux(Array(repeating: "a.mp4", count: 200) + ["-o", "j.mp4"])
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(try await RemuxedVideo(path: scratch("j.mp4")).frames().count == 200)
    let tooMany = try await scratch.remux(Array(repeating: "a.mp4", count: 257) + ["-o", "k.mp4"])
    #expect(tooMany.exitStatus == 64 && tooMany.errorOutput.contains("remux joins at most 256 clips, not 257"))
  }
}
