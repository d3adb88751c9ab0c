import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("The best frame")
struct BestFrameTests {
  /// A clip with good and bad parts, each with its length in seconds and an ffmpeg source for the size and rate below.
  struct Mixture: CustomTestStringConvertible {
    let name: String
    let parts: [(seconds: Double, source: String, isGood: Bool)]

    var testDescription: String { name }

    /// The number of seconds before the good part, and its length.
    var good: ClosedRange<Double> {
      let index = parts.firstIndex { $0.isGood } ?? 0
      let start = parts[..<index].reduce(0) { $0 + $1.seconds }
      return start...(start + parts[index].seconds)
    }
  }

  private static let shape = "s=320x180:r=10"
  // A scene that changes slowly, so that no part of it is much better than another.
  private static let scene = "mandelbrot=\(shape):start_scale=0.006:end_scale=0.005:end_pts=200"
  private static let black = "color=black:\(shape)"
  // Rows of letters that are as large as those of credits.
  private static let credits =
    "color=black:\(shape),drawgrid=w=40:h=30:t=3:c=white,drawbox=x=0:w=80:h=180:c=black:t=fill,"
    + "drawbox=x=240:w=80:h=180:c=black:t=fill"

  static let mixtures = [
    Mixture(name: "a black lead of 15 s", parts: [(15, black, false), (5, scene, true)]),
    Mixture(name: "a slow fade", parts: [(10, scene + ",fade=in:d=10", false), (10, scene, true)]),
    Mixture(name: "a white flash in the middle", parts: [(8, scene, true), (12, "color=white:\(shape)", false)]),
    Mixture(name: "a slate", parts: [(6, "smptebars=\(shape)", false), (6, scene, true)]),
    Mixture(name: "a blurred start", parts: [(10, scene + ",gblur=sigma=9", false), (5, scene, true)]),
    Mixture(name: "credits", parts: [(5, scene, true), (15, credits, false)]),
    Mixture(
      name: "a letterbox after plain gray",
      parts: [
        (10, "color=gray:\(shape)", false), (10, scene + ",crop=320:90,pad=320:180:0:45", true),
      ]
    ),
    Mixture(
      name: "a good second in a minute of black",
      parts: [(41.3, black, false), (1, scene, true), (18, black, false)]
    ),
  ]

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func make(_ mixture: Mixture, _ name: String, _ codec: [String]) async throws -> FilePath {
    let inputs = mixture.parts.flatMap { part in ["-f", "lavfi", "-t", "\(part.seconds)", "-i", part.source] }
    let streams = mixture.parts.indices.map { "[\($0)]format=yuv420p,setsar=1[v\($0)];" }.joined()
    let names = mixture.parts.indices.map { "[v\($0)]" }.joined()
    let graph = streams + names + "concat=n=\(mixture.parts.count)"
    try await GeneratedClips.make(scratch(name), inputs + ["-filter_complex", graph] + codec)
    return scratch(name)
  }

  @Test(
    "If a clip has two key frames and both are poor, other frames are candidates",
    .enabled(if: Scope.isFull),
    arguments: ["30", "30000/1001"]
  )
  func fewKeyFrames(_ rate: String) async throws {
    let bars = Mixture(
      name: "bars with two key frames",
      parts: [
        (9, "smptebars=s=320x180:r=\(rate)", false), (7, Self.scene.replacing("r=10", with: "r=\(rate)"), true),
      ]
    )
    let codec = ["-c:v", "libx264", "-preset", "veryfast", "-g", "250", "-sc_threshold", "0"]
    let facts = try best(of: try await make(bars, "a.mp4", codec))
    #expect(facts.actualTime.map { bars.good.contains($0) } == true, "\(facts)")
  }

  /// Asks for the best frame and returns its facts.
  private func best(of clip: FilePath) throws -> CoverFacts {
    try CoverExtractor.makeCover(of: clip, CoverRequest(time: .best), in: scratch)
  }

  static let codecs: [(String, [String])] = [
    ("a.mp4", ["-c:v", "libx264", "-preset", "veryfast"]), ("b.mkv", ["-c:v", "libx264", "-g", "10"]),
    ("c.ts", ["-c:v", "mpeg2video", "-q:v", "4", "-g", "12"]), ("d.webm", ["-c:v", "libvpx", "-deadline", "realtime"]),
  ]

  @Test("It is in the good part of the clip", .enabled(if: Scope.isFull), arguments: mixtures, codecs)
  func goodPart(_ mixture: Mixture, _ codec: (String, [String])) async throws {
    let facts = try best(of: try await make(mixture, codec.0, codec.1))
    #expect(facts.actualTime.map { mixture.good.contains($0) } == true, "\(facts)")
    #expect(facts.warnings == [])
  }

  // Each candidate and, if it is better than those before it, the next frame; and the best one again.
  @Test("In a clip with good key frames, at most 17 frames are decoded", .enabled(if: Scope.isFull))
  func work() async throws {
    let clip = scratch("good.mkv")
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-t", "20", "-i", Self.scene, "-c:v", "libx264", "-g", "10", "-bf", "0", "-pix_fmt", "yuv420p"]
    )
    let work = try FrameSearch.work(on: clip, CoverRequest(time: .best))
    #expect((9...17).contains(work.framesDecoded), "\(work)")
  }

  @Test("A fade within one group of pictures does not count as a good frame", .enabled(if: Scope.isFull))
  func fadeWithoutKeyFrames() async throws {
    let clip = scratch("fade.mp4")
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-t", "6", "-i", Self.scene + ",fade=in:d=3"] + ["-c:v", "libx264", "-g", "1000"]
        + ["-sc_threshold", "0", "-pix_fmt", "yuv420p"]
    )
    let facts = try best(of: clip)
    #expect(facts.actualTime.map { $0 >= 2.5 } == true, "\(facts)")
  }

  @Test(
    "A clip without a good frame gives one nevertheless",
    arguments: ["black.mp4", "black-12s.mp4", "single-frame.mp4"]
  )
  func poor(_ fixture: String) throws {
    let facts = try best(of: ProjectFolder.fixture(fixture))
    #expect(facts.score != nil && facts.warnings == [])
  }

  @Test(
    "Every clip that has a first frame has a best one",
    .enabled(if: Scope.isFull),
    arguments: FixtureManifest.shared.fixtures.filter { $0.cover != nil }
  )
  func everyFixture(_ fixture: Fixture) throws {
    let facts = try best(of: ProjectFolder.fixture(fixture.file))
    #expect(facts.width > 0)
  }

  // Without the memory limit of the decoder process, libavformat searches an index of that size for minutes.
  private static let exceptions: Set = ["huge-index.mp4"]

  @Test(
    "A clip without a first frame has no best one, for the same reason",
    arguments: FixtureManifest.shared.fixtures.filter { $0.failure != nil && !exceptions.contains($0.file) }
  )
  func failure(_ fixture: Fixture) {
    let clip = ProjectFolder.fixture(fixture.file)
    let first = #expect(throws: CoverFailure.self) { try CoverExtractor.makeCover(of: clip, in: scratch) }
    let later = #expect(throws: CoverFailure.self) { try best(of: clip) }
    #expect(first?.cause == later?.cause, "\(String(describing: later))")
  }

  @Test("The same frame is chosen every time, and of equal frames the first", .enabled(if: Scope.isFull))
  func deterministic() async throws {
    let clip = scratch("still.mp4")
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-t", "8", "-i", "color=gray:s=320x180:r=10"] + ["-c:v", "libx264", "-g", "5", "-qp", "0"]
    )
    #expect(try best(of: clip).actualTime == 0)
    #expect(try best(of: clip).score == best(of: clip).score)
  }
}
