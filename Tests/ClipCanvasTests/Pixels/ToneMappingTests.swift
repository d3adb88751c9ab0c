import SystemPackage
import TestSupport
import Testing

/// Compares covers of HDR clips with ffmpeg's tone mapping and with values worked out by hand.
@Suite("HDR is tone-mapped to SDR, and SDR is unchanged")
struct ToneMappingTests {
  /// The largest relative difference of the mean luma, and the absolute difference allowed for rounding.
  static let largestShare = 0.12
  static let rounding = 0.5

  static let fixtures = ["hdr10.mp4", "hdr10.webm", "hlg.mp4", "dolby-vision-5.mp4", "dolby-vision-8.mp4"]
  static let recordings = [
    "valid/hdr/multimsg-sei.hevc", "valid/hdr/output_hdr10_p3.mp4", "valid/hdr/sei-suffix-muxed-rpu.hevc",
    "valid/uhd/ToS-s60.h265", "valid/elementary_stream/regular_start_code_4_muxed_el.hevc",
  ]

  private func cover(
    _ clip: FilePath,
    _ options: [String] = []
  ) async throws -> (record: CoverRecord, pixels: RawPixels) {
    let scratch = try ScratchFolder()
    let (record, _) = try await CoverRun.record(of: clip, to: scratch("cover.png"), options)
    return (record, try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false))
  }

  /// Returns the result of ffmpeg's filters: linear light in units of 100 cd/m², BT.709 primaries, Hable's curve.
  private func reference(_ clip: FilePath) async throws -> RawPixels {
    try await Oracle.cover(
      of: clip,
      filter: ",zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0"
        + ",zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
    )
  }

  private func expectAsBright(_ clip: FilePath) async throws {
    let (record, pixels) = try await cover(clip)
    #expect(record.toneMapped == true)
    let (ours, theirs) = (pixels.meanLuma, try await reference(clip).meanLuma)
    #expect(abs(ours - theirs) <= Self.largestShare * theirs + Self.rounding, "\(ours) against \(theirs)")
  }

  @Test("A cover is as bright as ffmpeg's result", arguments: fixtures)
  func brightness(_ fixture: String) async throws {
    try await expectAsBright(ProjectFolder.fixture(fixture))
  }

  @Test(
    "The cover of every real recording is as bright as ffmpeg's result",
    .enabled(if: Scope.isFull),
    .enabled(if: SharedClips.areHere, Comment(rawValue: SharedClips.absence)),
    arguments: recordings
  )
  func brightnessOfRecording(_ clip: String) async throws {
    try await expectAsBright(SharedClips.path(clip))
  }

  // 400 cd/m² at a peak of 1000 is h(4) / h(10) = 0.732 of white with Hable's h, and 0.732^(1/2.4) · 255 = 224 = 0xE0.
  @Test("Pure colours stay pure", .enabled(if: Scope.isFull), arguments: fixtures)
  func hues(_ fixture: String) async throws {
    let corners = try await cover(ProjectFolder.fixture(fixture)).pixels.corners
    for (corner, isLit) in zip(corners, [[true, false, false], [false, true, false], [false, false, true]]) {
      // Near black, one step of the codec's 10 bits is several steps of 8 bits.
      #expect(zip(corner, isLit).allSatisfy { $1 ? abs($0 - 224) <= 12 : $0 <= 32 }, "\(corner)")
    }
    #expect(corners[3].allSatisfy { abs($0 - 224) <= 12 }, "\(corners[3])")
  }

  // With h(x) = (x(0.15x + 0.05) + 0.004) / (x(0.15x + 0.5) + 0.06) - 0.02 / 0.3 and x in units of 100 cd/m², the value
  // is 255 · (h(x) / h(10))^(1/2.4), where h(10) = 0.7062.
  //   PQ  100 cd/m²: h(1) = 0.2207, 157;  203 cd/m²: h(2.03) = 0.3607, 193;  1000 cd/m²: 255
  //   HLG 50 %: 1000 · (1/12)^1.2 = 50.7 cd/m², h(0.507) = 0.1262, 124
  //   HLG 75 %: 1000 · 0.265^1.2 = 203 cd/m² (graphics white in BT.2408), 193;  100 %: 255
  @Test(
    "Grays have the values worked out by hand",
    arguments: [
      ("pq-grays.mkv", [157, 193, 255, 0]), ("hlg-grays.mkv", [124, 193, 255, 0]),
    ]
  )
  func grays(_ fixture: String, _ values: [Int]) async throws {
    let (_, pixels) = try await cover(ProjectFolder.fixture(fixture))
    for (corner, value) in zip(pixels.corners, values) {
      #expect(corner.allSatisfy { abs($0 - value) <= 1 }, "\(corner) is not \(value)")
    }
  }

  @Test("An impossible light level is ignored")
  func nonsense() async throws {
    let (record, pixels) = try await cover(ProjectFolder.fixture("hdr10-nonsense.mp4"))
    let (_, usual) = try await cover(ProjectFolder.fixture("hdr10.mp4"))
    #expect(record.status == "cover")
    let difference = try #require(PixelDifference(pixels, usual))
    #expect(difference.meanAbsolute <= 1, "\(difference)")
  }

  @Test("Small and 16-bit covers look the same", .enabled(if: Scope.isFull), arguments: fixtures)
  func sizesAndDepths(_ fixture: String) async throws {
    let path = ProjectFolder.fixture(fixture)
    let (_, usual) = try await cover(path)
    let (_, small) = try await cover(path, ["--size", "64"])
    #expect(abs(small.meanLuma - usual.meanLuma) <= 0.05 * usual.meanLuma)
    let (_, deep) = try await cover(path, ["--bit-depth", "16"])
    let difference = try #require(PixelDifference(deep, usual))
    #expect(difference.meanAbsolute <= 0.5 && difference.largest <= 2, "\(difference)")
  }

  @Test("SDR of any gamut is unchanged", arguments: ["bt709.mp4", "bt601.mp4", "bt2020.mp4", "h264-10bit.mp4"])
  func standardRange(_ fixture: String) async throws {
    let path = ProjectFolder.fixture(fixture)
    let (record, pixels) = try await cover(path)
    #expect(record.toneMapped == false && record.dolbyVisionProfile == nil)
    let difference = try #require(PixelDifference(pixels, try await Oracle.cover(of: path)))
    #expect(difference.decibels >= CoverPixelsTests.fewestDecibels, "\(difference)")
  }

  @Test("Dolby Vision without a base layer is reported as degraded", .enabled(if: Scope.isFull))
  func withoutBaseLayer() async throws {
    let (record, _) = try await cover(ProjectFolder.fixture("dolby-vision-5.mp4"))
    #expect(record.status == "degraded" && record.reason == "dolbyVisionWithoutBaseLayer")
    #expect(record.dolbyVisionProfile == 5)
    #expect(record.warnings?.contains { $0.contains("Dolby Vision") } == true)
  }

  @Test("Dolby Vision with a base layer gives the cover of that layer", .enabled(if: Scope.isFull))
  func withBaseLayer() async throws {
    let (record, pixels) = try await cover(ProjectFolder.fixture("dolby-vision-8.mp4"))
    #expect(record.status == "cover" && record.reason == nil && record.warnings == [])
    #expect(record.dolbyVisionProfile == 8)
    let (_, plain) = try await cover(ProjectFolder.fixture("hdr10.mp4"))
    let difference = try #require(PixelDifference(pixels, plain))
    #expect(difference.meanAbsolute <= 1, "\(difference)")
  }

  @Test(
    "The profile of an elementary stream is read from its frames",
    .enabled(if: Scope.isFull),
    .enabled(if: SharedClips.areHere, Comment(rawValue: SharedClips.absence)),
    arguments: [
      ("valid/hdr/sei-suffix-muxed-rpu.hevc", 7), ("valid/elementary_stream/regular_start_code_4_muxed_el.hevc", 8),
    ]
  )
  func bareStream(_ clip: String, _ profile: Int) async throws {
    let (record, _) = try await cover(SharedClips.path(clip))
    #expect(record.status == "cover" && record.dolbyVisionProfile == profile, "\(record)")
  }
}
