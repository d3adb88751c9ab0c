import Covers
import Testing

@testable import PictureDrawing

@Suite("The header of a contact sheet")
struct SheetHeaderTests {
  private func header(_ duration: Double?, _ rate: Double?) -> ContactSheet.Header {
    let size = PixelSize(width: 1920, height: 1080)
    var facts = CoverFacts(
      size: size,
      alpha: false,
      stored: PixelSize(width: 640, height: 480),
      orientation: .upright,
      sampleAspectRatio: nil,
      container: "matroska",
      codec: "h264",
      pixelFormat: "",
      milliseconds: nil
    )
    facts.durationSeconds = duration
    var clip = ClipFacts(
      container: "",
      mimeType: "",
      codec: "",
      stored: size,
      shown: size,
      orientation: .upright,
      sampleAspectRatio: nil
    )
    clip.framesPerSecond = rate
    return ContactSheet.Header(name: "a.mkv", bytes: 1_234_567, facts: facts, clip: clip)
  }

  @Test(
    "It has the facts that are known",
    arguments: [
      (3723.0, 29.97, "1:02:03  ·  1920×1080  ·  h264  ·  29.97 fps  ·  1.2 MB"),
      (4.5, 25, "4.5 s  ·  1920×1080  ·  h264  ·  25 fps  ·  1.2 MB"),
      (4.5, 12.5, "4.5 s  ·  1920×1080  ·  h264  ·  12.5 fps  ·  1.2 MB"),
      (4.5, 23.976, "4.5 s  ·  1920×1080  ·  h264  ·  23.98 fps  ·  1.2 MB"),
      (4.5, 100, "4.5 s  ·  1920×1080  ·  h264  ·  100 fps  ·  1.2 MB"),
      (nil, nil, "1920×1080  ·  h264  ·  1.2 MB"),
    ] as [(Double?, Double?, String)]
  )
  func facts(_ duration: Double?, _ rate: Double?, _ text: String) {
    let header = SheetHeader(header(duration, rate))
    #expect(header.name == "a.mkv" && header.facts == text)
  }
}
