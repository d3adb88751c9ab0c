import SystemPackage
import TestSupport
import Testing

/// `--exact` and the default, which skips the decoder's loop filter for small covers.
@Suite("Small covers without the loop filter")
struct ExactTests {
  private func cover(_ clip: FilePath, _ size: String, _ options: [String] = []) async throws -> RawPixels {
    let scratch = try ScratchFolder()
    let (record, errors) = try await CoverRun.record(of: clip, to: scratch("cover.png"), ["--size", size] + options)
    try #require(record.cover != nil, "\(record) \(errors)")
    return try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
  }

  /// Returns ffmpeg's cover.
  private func reference(_ clip: FilePath, _ size: String, _ options: [String]) async throws -> RawPixels {
    try await Oracle.cover(of: clip, options: options, filter: ",scale=\(size):flags=bicubic")
  }

  /// Returns the difference between the second picture and the first, sample by sample.
  private func change(_ first: RawPixels, _ second: RawPixels) -> [Double] {
    zip(first.bytes, second.bytes).map { Double($1) - Double($0) }
  }

  /// Returns a correlation from -1 (opposite) through 0 (unrelated) to 1 (equal up to a factor).
  private func correlation(_ one: [Double], _ other: [Double]) -> Double {
    func product(_ one: [Double], _ other: [Double]) -> Double { zip(one, other).reduce(0) { $0 + $1.0 * $1.1 } }
    return product(one, other) / (product(one, one) * product(other, other)).squareRoot()
  }

  private static let clip = ProjectFolder.fixture("1080p.mp4")

  @Test(
    "Covers of at most a sixth of the size skip the loop filter unless --exact is given",
    .enabled(if: Scope.isFull)
  )
  func whichSteps() async throws {
    let ours = change(try await cover(Self.clip, "256", ["--exact"]), try await cover(Self.clip, "256"))
    let ffmpegs = change(
      try await reference(Self.clip, "256:144", []),
      try await reference(Self.clip, "256:144", ["-skip_loop_filter", "all"])
    )
    // The scalers differ, but skipping the filter changes the same places in the same direction. The correlation of
    // this many unrelated numbers is about 0.003.
    #expect(correlation(ours, ffmpegs) > 0.25)
    // The first picture of the clip has only an eighth of a bit for each pixel.
    #expect(try await cover(Self.clip, "320x180").bytes != cover(Self.clip, "320x180", ["--exact"]).bytes)
    #expect(try await cover(Self.clip, "322x182").bytes == cover(Self.clip, "322x182", ["--exact"]).bytes)
  }

  @Test(
    "Fixtures stay above 45 dB",
    .enabled(if: Scope.isFull),
    arguments: ["1080p.mp4", "untagged-hd.mp4", "hevc.mkv", "vp9.webm"]
  )
  func fixtures(_ fixture: String) async throws {
    try await staysSmall(ProjectFolder.fixture(fixture), "64")
  }

  @Test(
    "Real recordings stay above 45 dB",
    .enabled(if: Scope.isFull),
    .enabled(if: SharedClips.areHere, "\(SharedClips.absence)"),
    arguments: SharedClips.valid.filter { $0.contains("camera_phone") || $0.contains("mp4_mov") }
  )
  func recordings(_ clip: String) async throws {
    try await staysSmall(SharedClips.path(clip), "256")
  }

  private func staysSmall(_ clip: FilePath, _ size: String) async throws {
    let difference = try #require(
      PixelDifference(try await cover(clip, size), try await cover(clip, size, ["--exact"]))
    )
    #expect(difference.decibels >= 45, "\(difference)")
  }

  // Such a frame is predicted from others, so the errors of skipping the filter would add up.
  @Test(
    "A first frame that is not a key frame is decoded with the loop filter",
    arguments: ["intra-refresh-cut.mkv", "no-keyframe.mkv", "edit-list.mp4"]
  )
  func noKeyFrame(_ fixture: String) async throws {
    let clip = ProjectFolder.fixture(fixture)
    #expect(try await cover(clip, "32").bytes == cover(clip, "32", ["--exact"]).bytes)
  }

  @Test("A cover made without --exact is not fresh for --exact")
  func freshness() async throws {
    let scratch = try ScratchFolder()
    func run(_ options: String...) async throws -> CoverRecord {
      try await CoverRun.record(of: Self.clip, to: scratch("cover.png"), ["--size", "256"] + options).record
    }
    #expect(try await run().status == "cover")
    #expect(try await run().status == "fresh")
    #expect(try await run("--exact").status == "cover")
    #expect(try await run("--exact").status == "fresh")
  }
}
