import SystemPackage
import TestSupport
import Testing

/// Compares covers with the ffmpeg command line and with values worked out by hand.
@Suite("Covers have the right pixels")
struct CoverPixelsTests {
  /// The limits for a full-size cover: its mean absolute difference and its peak signal-to-noise ratio.
  static let largestMean = 1.0
  static let fewestDecibels = 40.0
  /// Options that keep both fields of a frame, as ffmpeg does; `InterlacedTests` covers deinterlacing.
  static let asStored = ["--no-deinterlace"]

  @Test(
    "The cover of every fixture matches the manifest and ffmpeg",
    arguments: Scope.cases(FixtureManifest.withCover, quick: 20)
  )
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
    // ffmpeg does not tone-map HDR by default; ToneMappingTests checks those clips.
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
    "The cover of every real recording is ffmpeg's first frame",
    .enabled(if: Scope.isFull),
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
    "A smaller cover is the full-size cover scaled down",
    .enabled(if: Scope.isFull),
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
