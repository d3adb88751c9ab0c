import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Transport streams after other data, such as the zeros that a broken recording begins with.
@Suite("Transport streams after other data")
struct PrecededStreamTests {
  private struct Facts: Decodable {
    let container: String?
    let durationSeconds: Double?
    let reason, message: String?
  }

  static let streams = [
    ["-c:v", "libx264", "-bf", "2", "-g", "20"], ["-c:v", "mpeg2video"], ["-c:v", "libx264", "-mpegts_m2ts_mode", "1"],
  ]

  private static func random(_ count: Int) -> [UInt8] {
    var state: UInt64 = 7
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 40)
    }
  }

  /// What is seen of a stream: its duration, and the pixels of its covers at several times.
  private func view(_ name: String, in scratch: ScratchFolder) async throws -> (duration: Double, covers: [[UInt8]]) {
    let result = try await Program.run("clipcanvas", ["probe", "--json", name], in: scratch.path)
    let facts = try JSONDecoder().decode(Facts.self, from: Data(result.output))
    #expect(facts.container == "mpegts", "\(name): \(facts)")
    var covers: [[UInt8]] = []
    for at in ["first", "1.5", "50%", "key:2.9"] {
      let words = ["cover", "--force", "--at", at, "-o", "c.png", name]
      let result = try await Program.run("clipcanvas", words, in: scratch.path)
      #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(at), \(name): \(result.errorOutput)")
      covers.append(try await Oracle.pixels(ofPNG: scratch("c.png"), hasAlpha: false).bytes)
    }
    return (try #require(facts.durationSeconds), covers)
  }

  @Test(
    "The stream is found after up to 1 MiB, and is the same as without what precedes it",
    arguments: Scope.cases(streams, quick: 1)
  )
  func found(_ coding: [String]) async throws {
    let scratch = try ScratchFolder()
    let inputs = ["testsrc2=s=320x240:r=25:d=3", "sine=r=48000:d=3"]
    try await TestClip.make("a.ts", inputs: inputs, coding + ["-pix_fmt", "yuv420p", "-c:a", "mp2"], in: scratch)
    let stream = Array(try ScratchFolder.read(scratch("a.ts")))
    let expected = try await view("a.ts", in: scratch)
    let hashes = try await RemuxedVideo(path: scratch("a.ts")).hashes()
    let sizes = [100, 20_000, 65_600, 188 * 1000, 900_000]
    for (count, isRandom) in Scope.cases(Scope.mixed(sizes, [false, true]), quick: 2) {
      let before = isRandom ? Self.random(count) : [UInt8](repeating: 0, count: count)
      try scratch.write(before + stream, as: "b.ts")
      let seen = try await view("b.ts", in: scratch)
      #expect(seen == expected, "\(count), \(isRandom): \(seen.duration), not \(expected.duration)")
      let copied = try await scratch.remux(["b.ts", "-o", "c.mkv", "--force"])
      #expect(copied.exitStatus == 0, "\(copied.errorOutput)")
      #expect(try await RemuxedVideo(path: scratch("c.mkv")).hashes() == hashes)
    }
  }

  @Test("After more, it is not a recording in progress")
  func tooFar() async throws {
    let scratch = try ScratchFolder()
    let coding = ["-c:v", "mpeg2video", "-pix_fmt", "yuv420p"]
    try await TestClip.make("a.ts", inputs: ["testsrc2=s=320x240:r=25:d=1"], coding, in: scratch)
    let stream = Array(try ScratchFolder.read(scratch("a.ts")))
    try scratch.write([UInt8](repeating: 0, count: 3 << 20) + stream, as: "b.ts")
    let result = try await Program.run("clipcanvas", ["cover", "--json", "b.ts"], in: scratch.path)
    let facts = try JSONDecoder().decode(Facts.self, from: Data(result.output))
    #expect(facts.reason == "unrecognised", "\(facts)")
  }
}
