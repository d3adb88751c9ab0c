import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Matroska files that are cropped")
struct CroppedMatroskaTests {
  private static let (video, width, height, unit) = (0xE0, 0x54B0, 0x54BA, 0x54B2)
  private static let (left, top, right, bottom) = (0x54CC, 0x54BB, 0x54DD, 0x54AA)

  /// Adds elements to the video track, instead of its display size.
  private func patched(_ clip: FilePath, _ elements: [(Int, Int)]) throws -> [UInt8] {
    let sizes = [Self.width, Self.height, Self.unit]
    return WebMElement.parse(try ScratchFolder.read(clip)[...]).flatMap { element in
      var element = element
      element.edit { part in
        if part.id == Self.video {
          let kept = WebMElement.parse(part.content[...]).filter { !sizes.contains($0.id) }
          part.content = (kept + elements.map { WebMElement(id: $0.0, content: bigEndian($0.1)) }).flatMap(\.bytes)
        }
      }
      return element.bytes
    }
  }

  private static let codecs = [
    ["ffv1", "-pix_fmt", "yuv420p"], ["libx264", "-bf", "2", "-pix_fmt", "yuv420p"], ["libvpx-vp9"],
    ["mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "2"],
  ]

  @Test(
    "The cover is the part, in its shape, at any time",
    .enabled(if: Scope.isFull),
    arguments: codecs,
    // The crop from the left, top, right and bottom, the size that is stated, if any, and that of the cover.
    [
      ([0, 40, 0, 40], [320, 160], PixelSize(width: 320, height: 160)),
      ([0, 40, 0, 40], [16, 9], PixelSize(width: 284, height: 160)),
      ([40, 8, 24, 32], [], PixelSize(width: 256, height: 200)),
      ([64, 0, 0, 0], [512, 240], PixelSize(width: 512, height: 240)),
      // All of the frame, or more, cannot be cropped.
      ([320, 0, 0, 0], [], PixelSize(width: 320, height: 240)),
      ([400, 0, 0, 0], [], PixelSize(width: 320, height: 240)),
      ([0, 240, 0, 0], [], PixelSize(width: 320, height: 240)),
    ]
  )
  func part(_ codec: [String], _ example: (crop: [Int], shown: [Int], size: PixelSize)) async throws {
    let scratch = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=5:d=1,setsar=1", "-c:v"]
    try await GeneratedClips.make(scratch("plain.mkv"), source + codec)
    let crop = zip([Self.left, Self.top, Self.right, Self.bottom], example.crop).filter { $0.1 > 0 }
    let unit = example.shown == [16, 9] ? [(Self.unit, 3)] : []
    let shown = Array(zip([Self.width, Self.height], example.shown)) + unit
    let clip = try scratch.write(patched(scratch("plain.mkv"), crop + shown), as: "a.mkv")
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    let probed = try file.closeAfter { try CoverExtractor.probe(file.rawValue).facts }
    #expect(probed.shownWidth == example.size.width && probed.shownHeight == example.size.height)
    let isValid = example.crop[0] < 320 && example.crop[1] < 240
    let edges = isValid ? example.crop : [0, 0, 0, 0]
    for (time, frame) in [(RequestedTime.first, 0), (.seconds(0.5), 2)] {
      let facts = try CoverExtractor.makeCover(of: clip, CoverRequest(time: time), in: scratch)
      #expect(facts.width == example.size.width && facts.height == example.size.height)
      let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      let reference = try await Oracle.cover(
        of: scratch("plain.mkv"),
        frame: frame,
        filter: ",crop=\(320 - edges[0] - edges[2]):\(240 - edges[1] - edges[3]):\(edges[0]):\(edges[1])"
          + ",scale=\(example.size.width):\(example.size.height)"
      )
      let difference = try #require(PixelDifference(cover, reference))
      #expect(difference.decibels >= 40, "\(difference) at \(time)")
    }
  }

  /// The size that is stated is that of one eye's picture.
  @Test(
    "The pictures for both eyes keep their shape, and a side that is not stated is that of the part",
    arguments: [
      ([(0x53B8, 1), (width, 160), (height, 208)], PixelSize(width: 320, height: 208)),
      ([(0x53B8, 11), (width, 160), (height, 208)], PixelSize(width: 320, height: 208)),
      ([(0x53B8, 3), (width, 320), (height, 104)], PixelSize(width: 320, height: 208)),
      ([(0x53B8, 10), (width, 320), (height, 208)], PixelSize(width: 320, height: 208)),
      ([(0x53B8, 1), (width, 160)], PixelSize(width: 320, height: 208)),
      ([(width, 640)], PixelSize(width: 640, height: 208)),
      ([(height, 416)], PixelSize(width: 160, height: 208)),
    ]
  )
  func sides(_ example: (elements: [(Int, Int)], size: PixelSize)) async throws {
    let scratch = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=5:d=1", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]
    try await GeneratedClips.make(scratch("plain.mkv"), source)
    let crop = [(Self.top, 16), (Self.bottom, 16)]
    let clip = try scratch.write(patched(scratch("plain.mkv"), crop + example.elements), as: "a.mkv")
    let facts = try CoverExtractor.makeCover(of: clip, in: scratch)
    #expect(facts.width == example.size.width && facts.height == example.size.height)
  }
}
