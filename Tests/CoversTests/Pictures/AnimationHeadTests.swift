import Covers
import TestSupport
import Testing

@Suite("Heads of animations")
struct AnimationHeadTests {
  private typealias Other = CoverHeadTests

  /// A GIF of 300 × 200 with two colours, loops for ever and a frame of one code, written by hand
  /// from its specification.
  static let gif: [UInt8] =
    Array("GIF89a".utf8) + [44, 1, 200, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    + [0x21, 0xF9, 4, 0, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0, 44, 1, 200, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]

  static let webP: [UInt8] = Other.riff(
    Other.chunk("VP8X", [2, 0, 0, 0, 43, 1, 0, 199, 0, 0]) + Other.chunk("ANIM", [255, 255, 255, 255, 0, 0])
      + Other.chunk("ANMF", Array(repeating: 0, count: 16) + Other.chunk("VP8 ", [1, 2, 3]))
  )

  static func withTexts(_ format: AnimationFormat) throws -> [UInt8] {
    switch format {
    case .gif: try #require(GIFHead.adding(Other.texts, to: gif))
    case .webp: try #require(WebPHead.adding(Other.texts, to: webP, size: Other.size))
    }
  }

  @Test("Size and texts are read, and a still picture's format is not reported", arguments: AnimationFormat.allCases)
  func whole(_ format: AnimationFormat) throws {
    let head = try #require(Other.head(Self.withTexts(format)))
    #expect(head.format == nil && head.size == Other.size && head.texts == Other.values)
    #expect(head.isWhole && head.isCover)
  }

  @Test("A file truncated anywhere has no head or an incomplete one", arguments: AnimationFormat.allCases)
  func truncated(_ format: AnimationFormat) throws {
    let bytes = try Self.withTexts(format)
    for count in 0..<bytes.count {
      #expect(Other.head(Array(bytes.prefix(count)))?.isWhole != true, "\(count) of \(bytes.count) bytes")
    }
    #expect(Other.head(bytes.dropLast())?.isCover == true)
  }

  @Test("Changed and random bytes never cause a trap", arguments: AnimationFormat.allCases)
  func changed(_ format: AnimationFormat) throws {
    let bytes = try Self.withTexts(format)
    for index in bytes.indices {
      for mask: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
        var changed = bytes
        changed[index] ^= mask
        _ = Other.head(changed)
      }
    }
    var numbers = SeededNumbers(seed: 23)
    for _ in 0..<2000 {
      let rest = (0..<Int.random(in: 0...60, using: &numbers)).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
      _ = Other.head(Array("GIF89a".utf8) + rest)
    }
  }

  @Test("Texts are added after the loops of a GIF in blocks of at most 255 bytes, and nothing else changes")
  func place() throws {
    let text = String(repeating: "x", count: 300)
    let bytes = try #require(GIFHead.adding([CoverText(.software, text)], to: Self.gif))
    let start = 19 + 19
    let body = Array("Software=\(text)".utf8)
    let comment: [UInt8] = [0x21, 0xFE, 255] + body[..<255] + [54] + body[255...] + [0]
    #expect(bytes == Self.gif[..<start] + comment + Self.gif[start...])
    #expect(GIFHead(bytes)?.texts == ["Software": text])
  }

  @Test("Other bytes get no texts")
  func refusals() {
    #expect(GIFHead.adding([], to: []) == nil && GIFHead.adding([], to: Self.webP) == nil)
    #expect(GIFHead.adding([], to: Array(Self.gif[..<30])) == nil)
  }
}
