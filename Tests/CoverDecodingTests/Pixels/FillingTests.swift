import CoverDecoding
import Covers
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Compares covers that fill a box with ffmpeg's `scale` and `crop`.
@Suite("Covers that fill a box")
struct FillingTests {
  private static let boxes = ["100x100", "240x135", "90x170", "400x300", "31x17"]

  /// Returns the picture as decoded by ffmpeg.
  private func filled(_ clip: FilePath, _ box: SizeLimit, alpha: Bool = false) async throws -> RawPixels {
    let scratch = try ScratchFolder()
    var request = CoverRequest()
    request.fill = box
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    #expect(facts.width == box.width && facts.height == box.height)
    return try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: alpha)
  }

  private func reference(_ clip: FilePath, _ box: SizeLimit) async throws -> RawPixels {
    let (width, height) = (box.width, box.height)
    let scale =
      "scale=w=max(\(width)\\,round(\(height)*iw*sar/ih)):h=max(\(height)\\,round(\(width)*ih/(iw*sar)))"
      + ":flags=bicubic+full_chroma_int,format=rgb24"
    let crop = "crop=\(width):\(height):floor((iw-ow)/2):floor((ih-oh)/2)"
    return try await Oracle.pixels(of: clip, ["-map", "0:V:0", "-vf", "\(scale),\(crop)"])
  }

  @Test(
    "The cover is the centre of the scaled picture for any orientation and pixel shape",
    .enabled(if: Scope.isFull),
    arguments: [
      "h264.mp4", "1080p.mp4", "rotated-90.mp4", "rotated-180.mp4", "rotated-270.mp4", "mirrored.mp4",
      "mirrored-90.mp4",
      "mirrored-270.mp4", "anamorphic.mp4", "anamorphic-turned.mp4", "odd-size.mkv", "pal8.avi", "h264-422.mp4",
    ]
  )
  func fixture(_ fixture: String) async throws {
    let clip = ProjectFolder.fixture(fixture)
    for text in Self.boxes {
      let box = try #require(SizeLimit(text))
      let difference = try #require(PixelDifference(try await filled(clip, box), try await reference(clip, box)))
      #expect(difference.decibels >= 38, "\(fixture) into \(text): \(difference)")
    }
  }

  @Test(
    "The cover is within half a pixel even if nearly all of the picture is cropped",
    .enabled(if: Scope.isFull),
    arguments: [
      ("h264.mp4", "1000x40"), ("h264.mp4", "40x1000"), ("rotated-90.mp4", "1000x40"), ("rotated-270.mp4", "40x900"),
      ("mirrored-90.mp4", "40x900"), ("rotated-180.mp4", "900x40"), ("1x320.mkv", "160x90"), ("1x320.mkv", "90x160"),
      ("wide.mkv", "90x4"),
    ]
  )
  func extreme(_ fixture: String, _ text: String) async throws {
    let (clip, box) = (ProjectFolder.fixture(fixture), try #require(SizeLimit(text)))
    let difference = try #require(PixelDifference(try await filled(clip, box), try await reference(clip, box)))
    #expect(difference.decibels >= 28, "\(fixture) into \(text): \(difference)")
  }

  @Test("Transparency is preserved")
  func transparency() async throws {
    let box = try #require(SizeLimit("200x100"))
    let cover = try await filled(ProjectFolder.fixture("vp9-alpha.webm"), box, alpha: true)
    let alphas = Set(stride(from: 3, to: cover.bytes.count, by: 4).map { cover.bytes[$0] })
    #expect(alphas.contains { $0 < 16 } && alphas.contains { $0 > 240 })
  }

  @Test("A single pixel fills any box", arguments: ["1x1", "320x180", "16x4000", "4000x16"])
  func onePixel(_ text: String) async throws {
    let cover = try await filled(ProjectFolder.fixture("1x1.mkv"), try #require(SizeLimit(text)))
    #expect(Set(stride(from: 0, to: cover.bytes.count, by: 3).map { Array(cover.bytes[$0..<$0 + 3]) }).count == 1)
  }

  @Test("A picture that would be enlarged to 409600 rows is limited to the visible rows", .enabled(if: Scope.isFull))
  func cutDown() async throws {
    let cover = try await filled(ProjectFolder.fixture("1x320.mkv"), try #require(SizeLimit("1280x720")))
    #expect(cover.width == 1280 && cover.height == 720)
  }

  @Test("An enlargement that exceeds memory is refused with a message", .enabled(if: Scope.isFull))
  func tooLarge() async throws {
    let box = try #require(SizeLimit("32767x32767"))
    await #expect {
      _ = try await filled(ProjectFolder.fixture("1x320.mkv"), box)
    } throws: { error in
      (error as? CoverFailure).map { $0.cause == .tooLarge && $0.message.contains("enlarged") } ?? false
    }
  }
}
