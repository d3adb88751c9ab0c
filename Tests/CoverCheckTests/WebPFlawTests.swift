import CoverCheck
import Covers
import Testing

@Suite("the check of a whole WebP refuses")
struct WebPFlawTests {
  private let cover: RealCover
  private let parts: WebPParts

  init() throws {
    cover = try RealCover("vp9-alpha.webm", .webp)
    parts = WebPParts(cover.bytes)
    try #require(parts.bytes == cover.bytes && parts.chunks.contains { $0.name == "ALPH" })
  }

  private var frame: Int { parts.chunks.count - 1 }

  private func flaw(_ change: (inout [WebPParts.Chunk]) -> Void) -> CoverFlaw? { cover.flaw(of: parts.changed(change)) }

  @Test(
    "a chunk that does not belong there, wherever it stands",
    arguments: ["ICCP", "EXIF", "XMP ", "ANIM", "ANMF", "VP8L", "VP8X", "ALPH", "VP8 ", "junk"]
  )
  func foreign(_ name: String) {
    for place in 0...parts.chunks.count {
      for data in [[1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]] as [[UInt8]] {
        #expect(flaw { $0.insert(.init(name: name, data: data), at: place) } != nil, "at \(place)")
      }
    }
  }

  @Test("a chunk that is missing, comes twice, or changed places with the next one")
  func order() {
    for place in parts.chunks.indices {
      let isOptional = parts.chunks[place].data.starts(with: "Thumb::Movie::Length".utf8)
      #expect((flaw { $0.remove(at: place) } == nil) == isOptional, "at \(place)")
      #expect(flaw { $0.insert($0[place], at: place) } != nil, "at \(place)")
      if place < frame { #expect(flaw { $0.swapAt(place, place + 1) } != nil, "at \(place)") }
    }
  }

  @Test("a byte of padding that is not zero")
  func padding() {
    let odd = parts.chunks.indices.filter { parts.chunks[$0].data.count % 2 == 1 }
    #expect(!odd.isEmpty)
    for place in odd {
      #expect(flaw { $0[place].padding = 1 } == .malformed, "at \(place)")
    }
  }

  @Test("other flags, another size, or bits that are reserved")
  func header() {
    for index in 0..<10 {
      for value in UInt8.min...UInt8.max where value != parts.chunks[0].data[index] {
        #expect(flaw { $0[0].data[index] = value } == .header, "byte \(index) is \(value)")
      }
    }
  }

  @Test("transparency that is announced by the file only, or not by the file")
  func transparency() {
    let alpha = frame - 1
    #expect(cover.check.announcing(hasAlpha: false).flaw(of: cover.bytes) == .header)
    #expect(flaw { $0[0].data[0] = 0 } == .header)
    #expect(flaw { $0.remove(at: alpha) } == .header)
    #expect(flaw { $0[alpha].data = [] } == .noPixels)
  }

  @Test("a frame that is not a key frame of the announced size, is not shown, or ends too soon")
  func keyFrame() {
    #expect(flaw { $0[frame].data[0] |= 0x01 } == .header)
    #expect(flaw { $0[frame].data[0] |= 0x0E } == .header)
    #expect(flaw { $0[frame].data[0] &= ~0x10 } == .header)
    #expect(flaw { $0[frame].data[2] = 0xFF } == .header)
    for index in 3..<10 {
      for value in UInt8.min...UInt8.max where value != parts.chunks[frame].data[index] {
        #expect(flaw { $0[frame].data[index] = value } == .header, "byte \(index) is \(value)")
      }
    }
    #expect(flaw { $0[frame].data = Array($0[frame].data.prefix(10)) } == .noPixels)
    #expect(flaw { $0[frame].data = Array($0[frame].data.prefix(30)) } == .header)
  }

  @Test("a length in its head that is not that of the file")
  func length() {
    for value in [0, 4, cover.bytes.count - 9, cover.bytes.count - 7, 0xFFFF_FFFF] {
      let bytes = Array("RIFF".utf8) + WebPParts.number(value) + cover.bytes.dropFirst(8)
      let expected: CoverFlaw = value + 8 < cover.bytes.count ? .trailing(cover.bytes.count - value - 8) : .malformed
      #expect(cover.flaw(of: bytes) == expected, "\(value)")
    }
  }
}
