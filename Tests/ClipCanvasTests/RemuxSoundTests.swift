import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Sound of which every sample has to survive.
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

  @Test("Every sample that a decoder gives for the clip, it gives for the copy", arguments: overlapping)
  func samples(_ codecs: (options: [String], clip: String, copy: String)) async throws {
    let inputs = ["testsrc2=s=64x48:d=1", "anoisesrc=c=pink:r=48000:d=1:seed=5"]
    try await TestClip.make(codecs.clip, inputs: inputs, codecs.options + ["-pix_fmt", "yuv420p"], in: scratch)
    let result = try await scratch.remux([codecs.clip, "-o", codecs.copy])
    try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    let wanted = try await RemuxedVideo(path: scratch(codecs.clip)).sound().flatMap(\.samples)
    let found = try await RemuxedVideo(path: scratch(codecs.copy)).sound().flatMap(\.samples)
    // A container that cannot say that samples are not heard has them before the first one.
    let priming = found.count - wanted.count
    try #require((0...2048).contains(priming) && wanted.count > 47_000, "\(found.count) of \(wanted.count)")
    let fits = stride(from: 0, through: priming, by: 1).contains { start in
      zip(wanted, found.dropFirst(start)).allSatisfy { abs($0 - $1) < 0.0002 }
    }
    #expect(fits)
  }

  @Test("Clips whose sound begins with samples that are not heard are joined", arguments: ["mp4", "mkv", "mov"])
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

  @Test("A gap is filled with silence where a container loses gaps, but not without limit")
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
        let message = "the container cannot hold the gaps in its sound; use a file that ends in .mkv"
        #expect(result.errorOutput.contains(message))
      }
    }
  }
}
