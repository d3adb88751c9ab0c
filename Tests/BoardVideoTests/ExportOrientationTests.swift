import SystemPackage
import TestSupport
import Testing

/// Clips with a display matrix, compared with frames that ffmpeg decodes as they are stored and turns by filters that
/// were worked out by hand from the commands of the fixtures.
@Suite("Turned and mirrored clips on an exported board")
struct ExportOrientationTests {
  /// A fixture, and the filter that turns its frames upright.
  struct Example: CustomTestStringConvertible {
    let clip: String
    let filter: String
    let isTall: Bool

    init(_ clip: String, _ filter: String, isTall: Bool = false) {
      (self.clip, self.filter, self.isTall) = (clip, filter, isTall)
    }

    var testDescription: String { clip }
    var size: (width: Int, height: Int) { isTall ? (360, 480) : (480, 360) }
    /// The canvas without its gutter.
    var place: (width: Int, height: Int) { (size.width - 4, size.height - 4) }
    /// The filters that fit an upright frame into the canvas, where it fills all but a pixel.
    var fit: String {
      let scaled = isTall ? "357:476" : "476:357"
      return "scale=\(scaled):flags=bicubic:out_color_matrix=bt709:out_range=tv,format=yuv444p,"
        + "crop=\(place.width):\(place.height):0:0,format=yuv420p"
    }
  }

  static let examples = [
    Example("rotated-90.mp4", "transpose=clock", isTall: true), Example("rotated-180.mp4", "hflip,vflip"),
    Example("rotated-270.mp4", "transpose=cclock"), Example("rotated-180-no-offset.mp4", "hflip,vflip"),
    Example("mirrored.mp4", "hflip"), Example("mirrored-90.mp4", "transpose=clock_flip"),
    Example("mirrored-180.mp4", "vflip"), Example("mirrored-270.mp4", "transpose=cclock_flip"),
  ]

  @Test("Every frame is upright", .enabled(if: Scope.isFull), arguments: examples)
  func upright(_ example: Example) async throws {
    let board = try await ExportBoard("--grid", "1x1")
    let clip = ProjectFolder.fixture(example.clip).string
    try await board.done(["clip", "import", "c1", clip])
    let (size, place) = (example.size, example.place)
    try await board.export(["--size", "\(size.width)x\(size.height)", "--fps", "25"])
    let frames = try await board.frames(of: "out.mp4", width: size.width, height: size.height)
    func reference(_ filter: String) async throws -> [Planes] {
      let words = ["-noautorotate", "-i", clip, "-an", "-vf", filter + "," + example.fit, "-f", "rawvideo", "-"]
      let bytes = try await board.ffmpeg(words)
      let count = place.width * place.height * 3 / 2
      return stride(from: 0, to: bytes.count - count + 1, by: count).map { start in
        Planes(width: place.width, height: place.height, bytes: Array(bytes[start..<start + count]))
      }
    }
    let (expected, stored) = (try await reference(example.filter), try await reference("null"))
    #expect(frames.count == expected.count && frames.count >= 10)
    for (number, (frame, (expected, stored))) in zip(frames, zip(expected, stored)).enumerated() {
      let quality = frame.part(x: 2, y: 2, width: place.width, height: place.height).quality(comparedWith: expected)
      // Clips that are not turned have 35.5 dB: the colours are strong, and ffmpeg scales chroma in another way.
      #expect(quality >= 34, "frame \(number) has \(quality) dB")
      #expect(stored.quality(comparedWith: expected) < 20, "the clip does not test what it should")
    }
  }
}
