import Covers
import TestSupport
import Testing

@Suite("PNG heads")
struct PNGHeadTests {
  /// A file with 65 bytes before the pixels: 8 for the signature, 25 for the header and 32 for a text.
  private static let plain = PNGBytes.header().text("Software", "ClipCanvas!").pixels()

  @Test("Size, depth and the texts before the pixels are read")
  func sizeAndTexts() throws {
    let head = try #require(PNGHead(Self.plain.bytes))
    #expect(head.size == PixelSize(width: 320, height: 240))
    #expect(head.bitDepth == 8)
    #expect(head.texts == ["Software": "ClipCanvas!"])
    #expect(head[.software] == "ClipCanvas!")
    #expect(head[.uri] == nil)
  }

  @Test("The head of a real PNG compressed by zlib is read")
  func real() throws {
    // python3: one red pixel, zlib.compress(b"\0\xff\0\0"), and `Thumb::MTime` = 1700000000.
    let bytes: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
      0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00, 0x00, 0x17, 0x74,
      0x45, 0x58, 0x74, 0x54, 0x68, 0x75, 0x6D, 0x62, 0x3A, 0x3A, 0x4D, 0x54, 0x69, 0x6D, 0x65, 0x00, 0x31, 0x37, 0x30,
      0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x15, 0x74, 0x6B, 0x20, 0x00, 0x00, 0x00, 0x0C, 0x49, 0x44, 0x41, 0x54,
      0x78, 0x9C, 0x63, 0xF8, 0xCF, 0xC0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0xC9, 0xFE, 0x92, 0xEF, 0x00, 0x00, 0x00,
      0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
    let head = try #require(PNGHead(bytes))
    #expect(head.size == PixelSize(width: 1, height: 1))
    #expect(head.texts == ["Thumb::MTime": "1700000000"])
    #expect(bytes.suffix(12) == PNGEnd.bytes[...])
  }

  @Test("The end of a PNG is an empty chunk and its checksum")
  func end() {
    #expect(PNGEnd.bytes == PNGBytes(bytes: []).chunk("IEND", []).bytes)
  }

  @Test("A truncated file has a head once the name of the pixel chunk is complete", arguments: 0...80)
  func truncated(count: Int) {
    // 73: the 65 bytes before the pixels, and the length and type of their chunk.
    #expect((PNGHead(Self.plain.bytes.prefix(count)) != nil) == (count >= 73))
  }

  @Test("A flipped byte never causes a trap, and is detected in the signature or a chunk name")
  func flipped() {
    for index in Self.plain.bytes.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var bytes = Self.plain.bytes
        bytes[index] ^= mask
        let head = PNGHead(bytes)
        switch index {
        case 0..<16: #expect(head == nil, "signature, or length or name of the header")
        case 69..<73: #expect(head == nil, "name of the pixels' chunk")
        case 16..<24: #expect(head?.size != PixelSize(width: 320, height: 240), "width or height")
        case 24: #expect(head?.bitDepth == Int(8 ^ mask), "bit depth")
        case 37..<41: #expect(head?.texts == [:], "name of the text's chunk")
        default: break
        }
      }
    }
  }

  @Test("A picture with a side of 0 has no head", arguments: [(0, 240), (320, 0), (0, 0)])
  func emptySize(width: Int, height: Int) {
    #expect(PNGHead(PNGBytes.header(width: width, height: height).pixels().bytes) == nil)
  }

  @Test("The largest possible size is read unchanged")
  func largestSize() {
    let head = PNGHead(PNGBytes.header(width: 0x7FFF_FFFF, height: 0x0102_0304).pixels().bytes)
    #expect(head?.size == PixelSize(width: 2_147_483_647, height: 16_909_060))
  }

  @Test(
    "Reading stops at a chunk that claims to be longer than the file",
    arguments: [0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, 0xFFFF_FFF3, 100, 12]
  )
  func hugeChunk(length: Int) {
    let claim = bigEndian(length) + Array("tEXt".utf8)
    #expect(PNGHead(PNGBytes.header().raw(claim + [0, 1, 2]).bytes) == nil)
    #expect(PNGHead(PNGBytes().raw(bigEndian(length) + Array("IHDR".utf8)).bytes) == nil)
  }

  @Test("The length of the pixel chunk does not matter, because the pixels are not read")
  func hugePixels() {
    let bytes = PNGBytes.header().raw(bigEndian(0xFFFF_FFFF) + Array("IDAT".utf8)).bytes
    #expect(PNGHead(bytes)?.size == PixelSize(width: 320, height: 240))
  }

  @Test("A PNG without pixels has no head")
  func noPixels() {
    #expect(PNGHead(PNGBytes.header().bytes) == nil)
    #expect(PNGHead(PNGBytes.header().text("Software", "x").chunk("IEND", []).bytes) == nil)
  }

  @Test("The header must come first and be complete")
  func headerFirst() {
    let header = Array(PNGBytes.header().bytes[16..<29])
    #expect(PNGHead(PNGBytes().text("Software", "x").chunk("IHDR", header).pixels().bytes) == nil)
    #expect(PNGHead(PNGBytes().chunk("IHDR", Array(header.dropLast())).pixels().bytes) == nil)
    #expect(PNGHead(PNGBytes().chunk("IHDR", header + [0]).pixels().bytes) == nil)
    #expect(PNGHead(PNGBytes().pixels().bytes) == nil)
    #expect(PNGHead(PNGBytes().bytes) == nil)
    #expect(PNGHead([UInt8]()) == nil)
  }

  @Test("The first of two texts with the same keyword is used")
  func duplicates() {
    let png = PNGBytes.header().text("Software", "first").text("Other", "x").text("Software", "second").pixels()
    #expect(PNGHead(png.bytes)?.texts == ["Software": "first", "Other": "x"])
  }

  @Test("Texts are Latin-1, and may be empty or contain a zero byte")
  func latin1() {
    let png = PNGBytes.header()
      .chunk("tEXt", [0x41, 0, 0xE9, 0xFF, 0x80])
      .chunk("tEXt", [0x42, 0])
      .chunk("tEXt", [0x43, 0, 0x78, 0, 0x79])
      .chunk("tEXt", [0x44, 0, 0x7F, 0x80])
      .pixels()
    #expect(PNGHead(png.bytes)?.texts == ["A": "é\u{FF}\u{80}", "B": "", "C": "x\0y", "D": "\u{7F}\u{80}"])
  }

  @Test("A text without a separator, other chunks and texts after the pixels are skipped")
  func otherChunks() {
    let png = PNGBytes.header()
      .chunk("sRGB", [0])
      .chunk("tEXt", Array("no separator".utf8))
      .chunk("tEXt", [])
      .chunk("zTXt", [0x41, 0, 0, 1, 2, 3])
      .chunk("gAMA", [0, 0, 0xB1, 0x8F])
      .text("Software", "x")
      .pixels()
      .text("Late", "x")
    #expect(PNGHead(png.bytes)?.texts == ["Software": "x"])
  }

  @Test("Only the first 64 KiB are searched for a head")
  func maximumBytes() {
    // The text chunk starts after 8 + 25 bytes and has 12 bytes in addition to its data; the pixels' length and name
    // need 8.
    let room = 65_536 - 8 - 25 - 12 - 8
    #expect(PNGHead(PNGBytes.header().chunk("juNk", [UInt8](repeating: 0, count: room)).pixels().bytes) != nil)
    #expect(PNGHead(PNGBytes.header().chunk("juNk", [UInt8](repeating: 0, count: room + 1)).pixels().bytes) == nil)
  }

  @Test("A head is read from a slice that does not start at 0")
  func slice() {
    let bytes = [1, 2, 3] + Self.plain.bytes
    #expect(PNGHead(bytes[3...]) == PNGHead(Self.plain.bytes))
    #expect(PNGHead(bytes) == nil)
  }
}
