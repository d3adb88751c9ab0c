import Pictures
import SystemPackage
import TestSupport
import Testing

@Suite("Reading PNG")
struct ReadingPNGTests {
  private static let (width, height) = (37, 11)

  /// A pixel format passed to ffmpeg, and the pixels expected from its PNG according to the definition of the format.
  struct Kind: Sendable, CustomTestStringConvertible {
    let pixelFormat: String
    let bytesPerPixel: Int
    var tail: [UInt8] = []
    let layout: Picture.Layout
    /// Converts the bytes of one raw pixel to the expected pixel.
    let expected: @Sendable ([UInt8]) -> [UInt8]

    var testDescription: String { pixelFormat }
  }

  private static let kinds = [
    Kind(pixelFormat: "rgb24", bytesPerPixel: 3, layout: .rgb) { $0 },
    Kind(pixelFormat: "rgba", bytesPerPixel: 4, layout: .rgba) { $0 },
    Kind(pixelFormat: "gray", bytesPerPixel: 1, layout: .rgb) { [$0[0], $0[0], $0[0]] },
    Kind(pixelFormat: "ya8", bytesPerPixel: 2, layout: .rgba) { [$0[0], $0[0], $0[0], $0[1]] },
    Kind(pixelFormat: "gray16be", bytesPerPixel: 2, layout: .rgb) { bytes in [0, 0, 0].map { narrow(bytes, $0) } },
    Kind(pixelFormat: "ya16be", bytesPerPixel: 4, layout: .rgba) { bytes in [0, 0, 0, 1].map { narrow(bytes, $0) } },
    Kind(pixelFormat: "rgb48be", bytesPerPixel: 6, layout: .rgb) { bytes in (0..<3).map { narrow(bytes, $0) } },
    Kind(pixelFormat: "rgba64be", bytesPerPixel: 8, layout: .rgba) { bytes in (0..<4).map { narrow(bytes, $0) } },
    Kind(pixelFormat: "pal8", bytesPerPixel: 1, tail: palette(alpha: { _ in 255 }), layout: .rgb) { bytes in
      [bytes[0], bytes[0] &* 3, ~bytes[0]]
    },
    Kind(pixelFormat: "pal8", bytesPerPixel: 1, tail: palette(alpha: { $0 }), layout: .rgba) { bytes in
      [bytes[0], bytes[0] &* 3, ~bytes[0], bytes[0]]
    },
  ]

  /// Rounds a 16-bit channel to the nearest 8-bit value: 65535 is 255 × 257.
  private static func narrow(_ bytes: [UInt8], _ channel: Int) -> UInt8 {
    let wide = Double(bytes[channel * 2]) * 256 + Double(bytes[channel * 2 + 1])
    return UInt8((wide / 257).rounded())
  }

  /// Returns a palette of 256 colours as it follows the pixels in ffmpeg's raw video: blue, green, red, alpha.
  private static func palette(alpha: (UInt8) -> UInt8) -> [UInt8] {
    (UInt8.min ... .max).flatMap { [~$0, $0 &* 3, $0, alpha($0)] }
  }

  @Test(
    "PNGs from another encoder are read with the right pixels",
    .enabled(if: Scope.isFull),
    arguments: kinds,
    [false, true]
  )
  func otherEncoder(kind: Kind, interlaced: Bool) async throws {
    let folder = try ScratchFolder()
    let raw = PictureSamples.bytes(width: Self.width, height: Self.height, channels: kind.bytesPerPixel)
    try await Self.encode(
      raw + kind.tail,
      pixelFormat: kind.pixelFormat,
      width: Self.width,
      height: Self.height,
      options: interlaced ? ["-flags", "+ildct"] : ["-pred", "mixed"],
      in: folder
    )
    let png = try #require(PNGChunks(try ScratchFolder.read(folder("other.png"))))
    #expect(png.chunks[0].data[12] == (interlaced ? 1 : 0), "ffmpeg did not write what this test wants to read")

    let expected = (0..<Self.width * Self.height).flatMap { index in
      kind.expected(Array(raw[index * kind.bytesPerPixel..<(index + 1) * kind.bytesPerPixel]))
    }
    try PictureSamples.reading(folder("other.png")) { picture in
      let (width, height, layout) = (picture.width, picture.height, picture.layout)
      #expect(width == Self.width && height == Self.height && layout == kind.layout)
      #expect(PictureSamples.bytes(of: picture) == expected)
    }
  }

  @Test("Small interlaced PNGs with empty passes are read", arguments: [(1, 1), (1, 5), (5, 1), (9, 9)])
  func smallInterlaced(width: Int, height: Int) async throws {
    let folder = try ScratchFolder()
    let raw = PictureSamples.bytes(width: width, height: height, channels: 3)
    try await Self.encode(
      raw,
      pixelFormat: "rgb24",
      width: width,
      height: height,
      options: ["-flags", "+ildct"],
      in: folder
    )
    let pixels = try PictureSamples.reading(folder("other.png")) { PictureSamples.bytes(of: $0) }
    #expect(pixels == raw)
  }

  @Test("Reading returns what was written", arguments: [1, 2, 63, 64, 65, 66], [Picture.Layout.rgb, .rgba])
  func ownPictures(width: Int, layout: Picture.Layout) throws {
    let folder = try ScratchFolder()
    let picture = PictureSamples.picture(width: width, height: 5, layout: layout, padding: 1)
    _ = try PictureSamples.png(picture, in: folder)
    let pixels = try PictureSamples.reading(folder("picture.png")) { PictureSamples.bytes(of: $0) }
    #expect(pixels == PictureSamples.bytes(width: width, height: 5, channels: layout.channels))
  }

  @Test("A file truncated at any byte is reported")
  func truncated() throws {
    let folder = try ScratchFolder()
    let whole = try Self.small(in: folder)
    for count in whole.indices {
      let path = try folder.write(whole.prefix(count), as: "part.png")
      let error = #expect(throws: PNGError.self, "\(count) of \(whole.count) bytes") {
        try PictureSamples.reading(path) { _ in }
      }
      #expect(error?.systemError == 0)
      #expect(error?.message == "the file ends too early")
    }
  }

  @Test(
    "A wrong bit is reported, or is in an optional chunk and does not change the pixels",
    .enabled(if: Scope.isFull)
  )
  func damaged() throws {
    let folder = try ScratchFolder()
    let whole = try Self.small(in: folder)
    let pixels = PictureSamples.bytes(width: 5, height: 4, channels: 4)
    let optional = try #require(PNGChunks(whole)).chunks.filter { ["sRGB", "tEXt"].contains($0.type) }
    for index in whole.indices {
      let inOptional = optional.contains { ($0.position..<$0.position + 12 + $0.data.count).contains(index) }
      // libpng 1.6.48 ignores the checksum of the chunk without data that ends the file; 1.6.39 does not.
      let isLastChecksum = index >= whole.count - 4
      for mask: UInt8 in [0x01, 0x20, 0x80] {
        var bytes = whole
        bytes[index] ^= mask
        let read = try? PictureSamples.reading(try folder.write(bytes, as: "damaged.png")) {
          PictureSamples.bytes(of: $0)
        }
        let isRight = read == nil || (inOptional || isLastChecksum) && read == pixels
        #expect(isRight, "byte \(index) of \(whole.count), bit \(mask)")
      }
    }
  }

  @Test("A file with fewer pixels than its header declares is reported")
  func tooFewPixels() throws {
    let folder = try ScratchFolder()
    var png = try #require(PNGChunks(try Self.small(in: folder)))
    png.chunks[0].data[7] += 1
    let path = try folder.write(png.bytes, as: "few.png")
    #expect(throws: PNGError.self) { try PictureSamples.reading(path) { _ in } }
  }

  @Test("Non-PNG data is reported", arguments: [[], [0x89], Array("GIF89a".utf8), [UInt8](repeating: 0, count: 100)])
  func noPNG(bytes: [UInt8]) throws {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, as: "no.png")
    #expect(throws: PNGError.self) { try PictureSamples.reading(path) { _ in } }
  }

  @Test("A picture with more pixels than the limit is rejected, and one at the limit is read")
  func pixelLimit() throws {
    let folder = try ScratchFolder()
    _ = try Self.small(in: folder)
    let width = try PictureSamples.reading(folder("picture.png"), maximumPixels: 20) { $0.width }
    #expect(width == 5)
    let error = #expect(throws: PNGError.self) {
      try PictureSamples.reading(folder("picture.png"), maximumPixels: 19) { _ in }
    }
    #expect(error?.message == "the picture has too many pixels")
  }

  @Test("A header with 10¹² pixels is rejected before memory is allocated for them")
  func bomb() throws {
    let folder = try ScratchFolder()
    var png = try #require(PNGChunks(try Self.small(in: folder)))
    png.chunks[0].data.replaceSubrange(0..<8, with: bigEndian(1_000_000) + bigEndian(1_000_000))
    let path = try folder.write(png.bytes, as: "bomb.png")
    let error = #expect(throws: PNGError.self) { try PictureSamples.reading(path) { _ in } }
    #expect(error?.message == "the picture has too many pixels")
  }

  @Test("A failed read reports the system error")
  func unreadable() throws {
    let folder = try ScratchFolder()
    let error = #expect(throws: PNGError.self) { try PictureSamples.reading(folder.path) { _ in } }
    #expect(error?.systemError == 21)  // EISDIR
    #expect(error?.message == "Is a directory")
  }

  @Test("Reading starts at the beginning of the file and keeps the file offset")
  func position() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Self.small(in: folder), as: "small")
    let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    defer { try? file.close() }
    try file.seek(offset: 3, from: .start)
    let picture = try Picture(readingPNGFrom: file.rawValue)
    #expect(PictureSamples.bytes(of: picture) == PictureSamples.bytes(width: 5, height: 4, channels: 4))
    #expect(try file.seek(offset: 0, from: .current) == 3)
  }

  /// Returns a PNG of 5 × 4 pixels with alpha and a text.
  private static func small(in folder: ScratchFolder) throws -> [UInt8] {
    let picture = PictureSamples.picture(width: 5, height: 4, layout: .rgba)
    return try PictureSamples.png(picture, texts: [("Software", "test")], in: folder)
  }

  /// Encodes raw pixels as `other.png` with ffmpeg.
  private static func encode(
    _ raw: [UInt8],
    pixelFormat: String,
    width: Int,
    height: Int,
    options: [String],
    in folder: ScratchFolder
  ) async throws {
    try folder.write(raw, as: "raw")
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "rawvideo", "-pixel_format", pixelFormat, "-video_size", "\(width)x\(height)"]
        + ["-i", "raw", "-frames:v", "1", "-c:v", "png", "-pix_fmt", pixelFormat] + options + ["other.png"],
      in: folder.path
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }
}
