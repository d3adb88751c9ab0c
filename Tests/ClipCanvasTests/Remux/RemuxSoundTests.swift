import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Sound whose every sample has to survive.
@Suite("clipcanvas remux keeps the sound")
struct RemuxSoundTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Clips whose decoder needs packets that are not heard: codecs, the clip and its copy.
  static let overlapping: [(options: [String], clip: String, copy: String)] = [
    (["-c:v", "libx264", "-c:a", "aac", "-aac_pns", "0"], "a.mp4", "b.mkv"),
    (["-c:v", "libx264", "-c:a", "aac", "-aac_pns", "0"], "a.mkv", "b.mp4"),
    (["-c:v", "libx264", "-c:a", "mp3"], "a.mp4", "b.mkv"), (["-c:v", "libx264", "-c:a", "ac3"], "a.mp4", "b.mkv"),
    (["-c:v", "libtheora", "-c:a", "libvorbis"], "a.ogv", "b.mkv"),
    (["-c:v", "libx264", "-c:a", "libopus"], "a.mp4", "b.mkv"),
    (["-c:v", "mpeg4", "-c:a", "truehd", "-strict", "-2"], "a.mkv", "b.mkv"),
    (["-c:v", "mpeg4", "-c:a", "flac"], "a.mkv", "b.mp4"),
  ]

  @Test(
    "Every sample that a decoder gives for the clip, it gives for the copy",
    .enabled(if: Scope.isFull),
    arguments: overlapping
  )
  func samples(_ codecs: (options: [String], clip: String, copy: String)) async throws {
    let inputs = ["testsrc2=s=64x48:d=1", "anoisesrc=c=pink:r=48000:d=1:seed=5"]
    try await TestClip.make(codecs.clip, inputs: inputs, codecs.options + ["-pix_fmt", "yuv420p"], in: scratch)
    let result = try await scratch.remux([codecs.clip, "-o", codecs.copy])
    try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    let wanted = try await RemuxedVideo(path: scratch(codecs.clip)).sound().flatMap(\.samples)
    let found = try await RemuxedVideo(path: scratch(codecs.copy)).sound().flatMap(\.samples)
    // A container that cannot mark samples as priming has them before the first audible one.
    let priming = found.count - wanted.count
    try #require((0...2048).contains(priming) && wanted.count > 47_000, "\(found.count) of \(wanted.count)")
    let fits = stride(from: 0, through: priming, by: 1).contains { start in
      zip(wanted, found.dropFirst(start)).allSatisfy { abs($0 - $1) < 0.0002 }
    }
    #expect(fits)
  }

  @Test(
    "Clips whose sound begins with samples that are not heard are joined",
    .enabled(if: Scope.isFull),
    arguments: ["mp4", "mkv", "mov"]
  )
  func priming(_ ending: String) async throws {
    let codecs = ["-c:v", "libx264", "-bf", "2", "-c:a", "mp3"]
    try await TestClip.flashing("a.mp4", seconds: 2, codecs, in: scratch)
    let result = try await scratch.remux(["a.mp4", "a.mp4", "a.mp4", "-o", "j.\(ending)"])
    try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    let joined = RemuxedVideo(path: scratch("j.\(ending)"))
    let (flashes, beeps) = (try await joined.flashes(), try await joined.beeps())
    try #require(flashes.count == 12 && beeps.count == 12, "\(flashes) \(beeps)")
    for (flash, beep) in zip(flashes, beeps) { #expect(abs(flash - beep) < 0.03, "\(flash) \(beep)") }
  }

  @Test("Sound of any length is joined", .enabled(if: Scope.isFull), arguments: [95688, 95712, 95736, 95760, 95808])
  func lengths(_ samples: Int) async throws {
    let inputs = ["testsrc2=s=64x48:d=1.9", "sine=r=48000:d=3"]
    let options = ["-af", "atrim=end_sample=\(samples)", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "libopus"]
    try await TestClip.make("a.mp4", inputs: inputs, options, in: scratch)
    for copy in ["j.mp4", "j.mkv"] {
      let result = try await scratch.remux(["a.mp4", "a.mp4", "a.mp4", "-o", copy])
      #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
      let times = try await RemuxedVideo(path: scratch(copy)).decodingTimes(ofStream: 1)
      #expect(times.count > 200 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(copy)")
    }
  }

  @Test(
    "Recordings in FLAC are joined, and every sample is there",
    .enabled(if: Scope.isFull),
    arguments: ["mkv", "mp4"]
  )
  func flac(_ ending: String) async throws {
    for (name, seconds) in [("a", 1.0), ("b", 0.7)] {
      let inputs = ["testsrc2=s=64x48:d=\(seconds)", "anoisesrc=c=pink:r=48000:d=\(seconds):seed=5"]
      let codecs = ["-c:v", "mpeg4", "-c:a", "flac", "-strict", "-2"]
      try await TestClip.make("\(name).\(ending)", inputs: inputs, codecs, in: scratch)
    }
    let result = try await scratch.remux(["a.\(ending)", "b.\(ending)", "-o", "j.\(ending)"])
    try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    let a = try await RemuxedVideo(path: scratch("a.\(ending)")).sound().flatMap(\.samples)
    let b = try await RemuxedVideo(path: scratch("b.\(ending)")).sound().flatMap(\.samples)
    #expect(try await RemuxedVideo(path: scratch("j.\(ending)")).sound().flatMap(\.samples) == a + b)
  }

  @Test("Sound whose sample rate changes in the middle is refused", arguments: ["mp4", "mkv"])
  func changingRate(_ ending: String) async throws {
    for (name, options) in [("a", ["-ar", "48000"]), ("b", ["-ar", "44100", "-ac", "1", "-output_ts_offset", "2"])] {
      let inputs = ["testsrc2=s=64x48:d=2", "sine=r=48000:d=2"]
      let codecs = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
      try await TestClip.make("\(name).ts", inputs: inputs, codecs + options, in: scratch)
    }
    let both = try ScratchFolder.read(scratch("a.ts")) + ScratchFolder.read(scratch("b.ts"))
    try scratch.write(both, as: "both.ts")
    let result = try await scratch.remux(["both.ts", "-o", "copy.\(ending)"])
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("the sample rate or the channels of its sound change"), "\(result.errorOutput)")
  }

  @Test("A gap is filled with silence where a container loses gaps, but not without limit", .enabled(if: Scope.isFull))
  func silence() async throws {
    let inputs = ["testsrc2=s=64x48:d=2", "sine=r=48000:d=2"]
    try await TestClip.make("a.mkv", inputs: inputs, ["-c:v", "mjpeg", "-c:a", "pcm_s16le"], in: scratch)
    for (seconds, isFilled) in [(0, true), (20, true), (600, false), (1_000_000, false)] {
      let shift = "setts=ts='TS+if(gt(N,40),\(seconds * 1000),0)'"
      let words = ["-v", "error", "-y", "-i", "a.mkv", "-c", "copy", "-bsf:a", shift, "gap.mkv"]
      try #require(try await Program.runTool("ffmpeg", words, in: scratch.path).exitStatus == 0)
      let result = try await scratch.remux(["gap.mkv", "-o", "b.mov", "--force"])
      #expect(result.exitStatus == (isFilled ? 0 : 1), "\(result.errorOutput)")
      if isFilled {
        let samples = try await RemuxedVideo(path: scratch("b.mov")).sound().reduce(0) { $0 + $1.samples.count }
        #expect(abs(samples - (2 + seconds) * 48_000) <= 48, "\(samples)")
      } else {
        let message = "the container cannot hold the gaps in its sound; .mkv can; name such a file with -o"
        #expect(result.errorOutput.contains(message))
      }
    }
  }
}
