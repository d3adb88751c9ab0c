import Covers
import TestSupport
import Testing

@Suite("Cover heads of every format")
struct CoverHeadTests {
  static let texts = [CoverText(.software, "ClipCanvas 1"), CoverText(.request, #"{"at":"first=1","size":"1x1"}"#)]
  static let values = ["Software": "ClipCanvas 1", "ClipCanvas::Request": #"{"at":"first=1","size":"1x1"}"#]

  /// SOI, JFIF, a table, a baseline frame of 300 × 200, a scan and EOI; written by hand from ITU-T T.81, annex B.
  static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
    + [0xFF, 0xDB, 0, 4, 0, 1]
    + [0xFF, 0xC0, 0, 11, 8, 0, 200, 1, 44, 1, 1, 0x11, 0]
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0x34, 0xFF, 0x00, 0x56, 0xFF, 0xD9]

  /// A lossy WebP file in the simple format, written by hand from RFC 9649; its pixels are not read.
  static let webP: [UInt8] = riff(chunk("VP8 ", [1, 2, 3]))

  static func riff(_ body: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + littleEndian(body.count + 4) + Array("WEBP".utf8) + body
  }

  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    Array(type.utf8) + littleEndian(data.count) + data + Array(repeating: 0, count: data.count % 2)
  }

  static let size = PixelSize(width: 300, height: 200)

  static func withTexts(_ format: CoverFormat) throws -> [UInt8] {
    switch format {
    case .png:
      let texts = Self.texts.reduce(PNGBytes.header(width: 300, height: 200)) { $0.text($1.keyword.rawValue, $1.text) }
      return texts.pixels().bytes + PNGEnd.bytes
    case .jpeg: return try #require(JPEGHead.adding(texts, to: jpeg))
    case .webp: return try #require(WebPHead.adding(texts, to: webP, size: size))
    }
  }

  static func head(_ bytes: [UInt8]) -> CoverHead? {
    CoverHead(
      start: Array(bytes.prefix(CoverHead.maximumBytes)),
      end: Array(bytes.suffix(CoverHead.endBytes)),
      fileBytes: bytes.count
    )
  }

  @Test("Format, size and texts are read", arguments: CoverFormat.allCases)
  func whole(format: CoverFormat) throws {
    let head = try #require(Self.head(Self.withTexts(format)))
    #expect(head.format == format && head.size == Self.size && head.texts == Self.values)
    #expect(head.isWhole && head.isCover)
    #expect(head[.software] == "ClipCanvas 1" && head[.uri] == nil)
  }

  @Test("A file truncated anywhere has no head or an incomplete one", arguments: CoverFormat.allCases)
  func truncated(format: CoverFormat) throws {
    let bytes = try Self.withTexts(format)
    for count in 0..<bytes.count {
      let head = Self.head(Array(bytes.prefix(count)))
      #expect(head?.isWhole != true, "\(count) of \(bytes.count) bytes")
    }
    // With only one byte missing, the file is still recognised as a cover.
    #expect(Self.head(bytes.dropLast())?.isCover == true)
  }

  @Test("A flipped byte never causes a trap", arguments: CoverFormat.allCases)
  func flipped(format: CoverFormat) throws {
    let bytes = try Self.withTexts(format)
    for index in bytes.indices {
      for mask: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
        var flipped = bytes
        flipped[index] ^= mask
        let head = Self.head(flipped)
        if index < 2 { #expect(head == nil, "the signature") }
      }
    }
  }

  @Test("Random bytes after a signature never cause a trap")
  func random() {
    var numbers = SeededNumbers(seed: 19)
    let starts: [[UInt8]] = [
      PNGBytes.signature, [0xFF, 0xD8, 0xFF],
      Array("RIFF".utf8) + [9, 9, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0],
    ]
    for start in starts {
      for _ in 0..<2000 {
        let rest = (0..<Int.random(in: 0...60, using: &numbers)).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
        _ = Self.head(start + rest)
      }
    }
  }

  @Test(
    "Other files have no head",
    arguments: ["", "RIFF", "GIF89a", "GIF89a\u{1}\0\u{1}\0\0\0\0", "RIFF0000AVI LIST", "\u{FF}"]
  )
  func foreign(text: String) {
    #expect(Self.head(Array(text.utf8)) == nil)
  }

  // MARK: - JPEG

  @Test("A segment may end with the last byte, and not after it")
  func lastSegment() {
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 7, 8]
    func data(of bytes: [UInt8]) -> Range<Int>? {
      var segments = JPEGSegments()
      return segments.next(in: bytes.span)?.data
    }
    #expect(data(of: bytes) == 6..<8)
    #expect(data(of: bytes.dropLast()) == nil)
  }

  @Test("Texts are added after the JFIF segment of a JPEG, and nothing else changes")
  func jpegPlace() throws {
    let bytes = try Self.withTexts(.jpeg)
    #expect(bytes.prefix(20) == Self.jpeg.prefix(20))
    #expect(bytes[20...].starts(with: [0xFF, 0xFE, 0, 23] + Array("Software=ClipCanvas 1".utf8)))
    #expect(bytes.suffix(Self.jpeg.count - 20) == Self.jpeg.suffix(Self.jpeg.count - 20))
  }

  @Test("Texts are added after the first two bytes of a JPEG without a JFIF segment")
  func jpegWithoutJFIF() throws {
    let bytes = try #require(JPEGHead.adding(Self.texts, to: [0xFF, 0xD8] + Self.jpeg[20...]))
    #expect(bytes[2...].starts(with: [0xFF, 0xFE]))
    #expect(JPEGHead(bytes)?.texts == Self.values)
  }

  @Test("A text too long for a segment is rejected, and so are bytes that are not a JPEG")
  func jpegRefusals() {
    let longest = 65_533 - "Software=".count
    #expect(JPEGHead.adding([CoverText(.software, String(repeating: "x", count: longest))], to: Self.jpeg) != nil)
    #expect(JPEGHead.adding([CoverText(.software, String(repeating: "x", count: longest + 1))], to: Self.jpeg) == nil)
    #expect(JPEGHead.adding([], to: []) == nil)
    #expect(JPEGHead.adding([], to: Self.webP) == nil)
  }

  @Test("A JPEG without a frame, with a size of 0, or without pixels has no head")
  func jpegNoPicture() {
    #expect(JPEGHead(Array(Self.jpeg[..<26] + Self.jpeg[39...])) == nil)
    #expect(JPEGHead(Self.jpeg[..<39]) == nil)
    var empty = Self.jpeg
    (empty[31], empty[32]) = (0, 0)
    #expect(JPEGHead(Self.jpeg) != nil && JPEGHead(empty) == nil)
  }

  // The frame of `jpeg` has one component, the fewest allowed. Its length, 11 bytes, is that of the segment's data and
  // of the length itself.
  @Test("A frame header of a JPEG that is too short for a component is ignored", arguments: 2...10)
  func jpegShortFrame(length: Int) {
    let short = Self.jpeg[..<28] + [0, UInt8(length)] + Self.jpeg[30...].prefix(length - 2) + Self.jpeg[39...]
    #expect(JPEGHead(short) == nil)
  }

  // MARK: - WebP

  @Test("Texts are added before the pixels of a WebP, each padded to an even length")
  func webPPlace() throws {
    let bytes = try Self.withTexts(.webp)
    let expected = Self.riff(
      Self.chunk("VP8X", [0, 0, 0, 0, 43, 1, 0, 199, 0, 0])
        + Self.chunk("tEXt", Array("Software\0ClipCanvas 1".utf8))
        + Self.chunk("tEXt", Array("ClipCanvas::Request\0{\"at\":\"first=1\",\"size\":\"1x1\"}".utf8))
        + Self.chunk("VP8 ", [1, 2, 3])
    )
    #expect(bytes == expected && bytes.count % 2 == 0)
  }

  @Test("Adding texts preserves the transparency of a WebP")
  func webPAlpha() throws {
    let extended = Self.riff(
      Self.chunk("VP8X", [0x10, 0, 0, 0, 43, 1, 0, 199, 0, 0]) + Self.chunk("ALPH", [1]) + Self.chunk("VP8 ", [1, 2])
    )
    let bytes = try #require(WebPHead.adding(Self.texts, to: extended, size: Self.size))
    let head = try #require(WebPHead(bytes))
    #expect(head.hasAlpha && head.size == Self.size && head.texts == Self.values && head.fileBytes == bytes.count)
    #expect(bytes.suffix(20) == extended.suffix(20))
  }

  @Test("Texts are added only to a complete lossy WebP, and a WebP in the simple format has no head")
  func webPRefusals() {
    #expect(WebPHead(Self.webP) == nil)
    #expect(WebPHead.adding([], to: Self.riff(Self.chunk("VP8L", [1, 2])), size: Self.size) == nil)
    #expect(WebPHead.adding([], to: Self.webP.dropLast(), size: Self.size) == nil)
    #expect(WebPHead.adding([], to: [], size: Self.size) == nil)
    #expect(WebPHead.adding([], to: Self.jpeg, size: Self.size) == nil)
  }

  @Test("A WebP with a side of 2²⁴ pixels keeps its size")
  func webPLargest() throws {
    let size = PixelSize(width: 1 << 24, height: 1)
    #expect(WebPHead(try #require(WebPHead.adding([], to: Self.webP, size: size)))?.size == size)
  }

  @Test(
    "File extensions are mapped to formats, ignoring case",
    arguments: [
      ("jpg", CoverFormat.jpeg), ("JPEG", .jpeg), ("webp", .webp), ("WebP", .webp), ("png", .png), ("gif", nil),
      ("", nil),
    ]
  )
  func endings(ending: String, format: CoverFormat?) {
    #expect(CoverFormat(fileExtension: ending) == format)
  }
}
