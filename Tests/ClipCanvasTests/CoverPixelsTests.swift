import SystemPackage
import TestSupport
import Testing

/// Covers against the ffmpeg command line and against what was worked out by hand.
@Suite("covers have the right pixels")
struct CoverPixelsTests {
  /// The bounds of the design: mean absolute difference and signal-to-noise ratio of a full-size cover.
  static let largestMean = 1.0
  static let fewestDecibels = 40.0
  /// ffmpeg's frame holds both fields; `InterlacedTests` look at covers of one.
  static let asStored = ["--no-deinterlace"]

  @Test("every fixture gives the cover that its manifest and ffmpeg say", arguments: FixtureManifest.withCover)
  func fixture(_ fixture: Fixture) async throws {
    let scratch = try ScratchFolder()
    let expected = try #require(fixture.cover)
    let (record, _) = try await CoverRun.record(of: fixture.path, to: scratch("cover.png"), Self.asStored)
    #expect(record.width == expected.width && record.height == expected.height, "\(record)")

    let alpha = record.alpha ?? false
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: alpha)
    if let corners = expected.corners {
      #expect(cover.hasCorners(corners), "corners \(cover.corners)")
    }
    // ffmpeg alone leaves HDR as it is; ToneMappingTests has those.
    guard record.toneMapped != true else { return }
    let reference = try await Oracle.cover(
      of: fixture.path,
      hasAlpha: alpha,
      frame: expected.frame ?? 0,
      options: expected.reference ?? []
    )
    try expectSame(cover, reference)
  }

  @Test(
    "every real recording gives ffmpeg's first frame",
    .enabled(if: SharedClips.areHere, Comment(rawValue: SharedClips.absence)),
    arguments: SharedClips.valid
  )
  func realRecording(_ clip: String) async throws {
    let scratch = try ScratchFolder()
    let path = SharedClips.path(clip)
    let (record, _) = try await CoverRun.record(of: path, to: scratch("cover.png"), Self.asStored)
    let isSoundOnly = clip.hasPrefix("valid/audio_")
    guard !isSoundOnly else {
      #expect(record.status == "failed" && record.reason == "noVideoStream")
      return
    }
    #expect(record.status == "cover", "\(record)")
    let alpha = record.alpha ?? false
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: alpha)
    #expect(record.width == cover.width && record.height == cover.height)
    guard record.toneMapped != true else { return }
    try expectSame(cover, try await Oracle.cover(of: path, hasAlpha: alpha))
  }

  @Test(
    "a smaller cover is the full-size one made small",
    .enabled(if: SharedClips.areHere, Comment(rawValue: SharedClips.absence)),
    arguments: SharedClips.valid.filter { $0.contains("rotation/") || $0.contains("camera_phone/") }
  )
  func scaled(_ clip: String) async throws {
    let scratch = try ScratchFolder()
    let path = SharedClips.path(clip)
    let (record, _) = try await CoverRun.record(of: path, to: scratch("cover.png"), ["--size", "200x120"])
    let (width, height) = (try #require(record.width), try #require(record.height))
    #expect(width <= 200 && height <= 120)
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let reference = try await Oracle.cover(of: path, filter: ",format=rgb24,scale=\(width):\(height)")
    let difference = try #require(PixelDifference(cover, reference))
    #expect(difference.decibels >= 38, "\(difference)")
  }

  private func expectSame(_ cover: RawPixels, _ reference: RawPixels) throws {
    let difference = try #require(
      PixelDifference(cover, reference),
      "\(cover.width)×\(cover.height) against \(reference.width)×\(reference.height)"
    )
    #expect(difference.meanAbsolute <= Self.largestMean, "\(difference)")
    #expect(difference.decibels >= Self.fewestDecibels, "\(difference)")
  }
}
