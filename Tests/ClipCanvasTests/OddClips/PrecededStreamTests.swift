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

  @Test(
    "The stream is found after up to 1 MiB, and is the same as without what precedes it",
    arguments: Scope.cases(streams, quick: 1),
    Scope.cases([100, 20_000, 65_600, 188 * 1000, 900_000], quick: 2)
  )
  func found(_ coding: [String], _ count: Int) async throws {
    let scratch = try ScratchFolder()
    let inputs = ["testsrc2=s=320x240:r=25:d=3", "sine=r=48000:d=3"]
    try await TestClip.make("a.ts", inputs: inputs, coding + ["-pix_fmt", "yuv420p", "-c:a", "mp2"], in: scratch)
    let stream = Array(try ScratchFolder.read(scratch("a.ts")))
    for before in Scope.cases([[UInt8](repeating: 0, count: count), Self.random(count)], quick: 1) {
      try scratch.write(before + stream, as: "b.ts")
      var durations: [Double?] = []
      for name in ["a.ts", "b.ts"] {
        let result = try await Program.run("clipcanvas", ["probe", "--json", name], in: scratch.path)
        let facts = try JSONDecoder().decode(Facts.self, from: Data(result.output))
        #expect(facts.container == "mpegts", "\(name): \(facts)")
        durations.append(facts.durationSeconds)
      }
      #expect(durations[0] != nil && durations[0] == durations[1], "\(durations)")
      for at in ["first", "1.5", "50%", "key:2.9"] {
        for name in ["a", "b"] {
          let words = ["cover", "--force", "--at", at, "-o", "\(name).png", "\(name).ts"]
          let result = try await Program.run("clipcanvas", words, in: scratch.path)
          #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(at), \(name): \(result.errorOutput)")
        }
        let (one, other) = (scratch("a.png"), scratch("b.png"))
        #expect(
          try await Oracle.pixels(ofPNG: one, hasAlpha: false).bytes
            == Oracle.pixels(ofPNG: other, hasAlpha: false).bytes,
          "\(at)"
        )
      }
      let copied = try await scratch.remux(["b.ts", "-o", "c.mkv", "--force"])
      #expect(copied.exitStatus == 0, "\(copied.errorOutput)")
      let hashes = try await RemuxedVideo(path: scratch("c.mkv")).hashes()
      #expect(try await hashes == RemuxedVideo(path: scratch("a.ts")).hashes())
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
