import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas probe")
struct ProbeCommandTests {
  /// The fields of a `--json` record that the tests use.
  struct Record: Decodable {
    let status: String
    let reason: String?
    let container: String?
    let codec: String?
    let storedWidth: Int?
    let storedHeight: Int?
    let shownWidth: Int?
    let shownHeight: Int?
    let rotation: Int?
    let mirrored: Bool?
    let sampleAspectRatio: String?
    let pixelFormat: String?
    let durationSeconds: Double?
    let framesPerSecond: Double?
    let hasAudio: Bool?
  }

  private func probe(_ clip: FilePath) async throws -> Record {
    let result = try await Program.run("clipcanvas", ["probe", "--json", clip.string])
    return try JSONDecoder().decode(Record.self, from: Data(result.output))
  }

  static let everyday = FixtureManifest.withCover.filter { $0.rows.allSatisfy { [1, 2, 3, 4, 5].contains($0) } }

  @Test("The facts match the manifest", .enabled(if: Scope.isFull), arguments: everyday)
  func facts(_ fixture: Fixture) async throws {
    let expected = try #require(fixture.facts)
    let record = try await probe(fixture.path)
    #expect(record.status == "facts")
    #expect(record.container == expected.container && record.codec == expected.codec)
    #expect(record.storedWidth == expected.storedWidth && record.storedHeight == expected.storedHeight)
    #expect(record.hasAudio == expected.hasAudio && record.pixelFormat == expected.pixelFormat)
    if let seconds = expected.durationSeconds {
      #expect(record.durationSeconds.map { abs($0 - seconds) <= 0.1 } == true, "\(record)")
    }
    if let rate = expected.framesPerSecond {
      #expect(record.framesPerSecond.map { abs($0 - rate) < 0.02 * rate } == true, "\(record)")
    }
    // An orientation that is stored only in the frames is not among the facts of the container.
    guard !fixture.file.contains("sei") else { return }
    #expect(record.rotation == expected.rotation && record.mirrored == expected.mirrored)
    let cover = try #require(fixture.cover)
    #expect(record.shownWidth == cover.width && record.shownHeight == cover.height)
  }

  @Test("Facts are printed as a block of lines")
  func block() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "a.mp4")
    let result = try await Program.run("clipcanvas", ["probe", "a.mp4"], in: scratch.path)
    let lines = result.text.split(separator: "\n").map(String.init)
    #expect(lines.first == "a.mp4")
    #expect(lines.contains("  stored size   160×120"))
    #expect(lines.contains("  shown size    120×160"))
    #expect(lines.contains("  rotation      90° clockwise"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("The rate of a slideshow is printed as the time between two frames", .enabled(if: Scope.isFull))
  func slideshow() async throws {
    let scratch = try ScratchFolder()
    let made = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=1/3600:d=14400", "-c:v", "mjpeg"]
        + ["-pix_fmt", "yuvj420p", scratch("a.mp4").string]
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    let result = try await Program.run("clipcanvas", ["probe", "a.mp4"], in: scratch.path)
    #expect(result.text.contains("  frame rate    a frame every 3600 s\n"), "\(result.text)")
  }

  @Test("A failure is reported with its reason, and the next clip follows")
  func failure() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("empty.mp4"))
    try scratch.copy(ProjectFolder.fixture("h264.mp4"))
    let result = try await Program.run("clipcanvas", ["probe", "empty.mp4", "h264.mp4"], in: scratch.path)
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput == "empty.mp4: the file is empty (0 bytes)\n")
    #expect(result.text.hasPrefix("h264.mp4\n"))
  }
}
