import ClipService
import Covers
import TestSupport
import Testing

@Suite("Rejected WebP covers")
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
    "A chunk that does not belong in a cover is rejected anywhere",
    arguments: ["ICCP", "EXIF", "XMP ", "ANIM", "ANMF", "VP8L", "VP8X", "ALPH", "VP8 ", "junk"]
  )
  func foreign(_ name: String) {
    for place in 0...parts.chunks.count {
      for data in [[1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]] as [[UInt8]] {
        #expect(flaw { $0.insert(.init(name: name, data: data), at: place) } != nil, "at \(place)")
      }
    }
  }

  @Test("A missing, repeated or swapped chunk is rejected")
  func order() {
    for place in parts.chunks.indices {
      let isOptional = parts.chunks[place].data.starts(with: "Thumb::Movie::Length".utf8)
      #expect((flaw { $0.remove(at: place) } == nil) == isOptional, "at \(place)")
      #expect(flaw { $0.insert($0[place], at: place) } != nil, "at \(place)")
      if place < frame { #expect(flaw { $0.swapAt(place, place + 1) } != nil, "at \(place)") }
    }
  }

  @Test("A padding byte that is not zero is rejected")
  func padding() {
    let odd = parts.chunks.indices.filter { parts.chunks[$0].data.count % 2 == 1 }
    #expect(!odd.isEmpty)
    for place in odd {
      #expect(flaw { $0[place].padding = 1 } == .malformed, "at \(place)")
    }
  }

  @Test("Wrong flags, a wrong size and reserved bits are rejected", .enabled(if: Scope.isFull))
  func header() {
    for index in 0..<10 {
      for value in UInt8.min...UInt8.max where value != parts.chunks[0].data[index] {
        #expect(flaw { $0[0].data[index] = value } == .header, "byte \(index) is \(value)")
      }
    }
  }

  @Test("Transparency that the decoder and the file do not both report is rejected")
  func transparency() {
    let alpha = frame - 1
    #expect(cover.check.announcing(hasAlpha: false).flaw(of: cover.bytes) == .header)
    #expect(flaw { $0[0].data[0] = 0 } == .header)
    #expect(flaw { $0.remove(at: alpha) } == .header)
    #expect(flaw { $0[alpha].data = [] } == .noPixels)
  }

  @Test("A frame must be a visible, complete key frame of the reported size", .enabled(if: Scope.isFull))
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

  @Test("A length in the file header that differs from the file's is rejected")
  func length() {
    for value in [0, 4, cover.bytes.count - 9, cover.bytes.count - 7, 0xFFFF_FFFF] {
      let bytes = Array("RIFF".utf8) + littleEndian(value) + cover.bytes.dropFirst(8)
      let expected: CoverFlaw = value + 8 < cover.bytes.count ? .trailing(cover.bytes.count - value - 8) : .malformed
      #expect(cover.flaw(of: bytes) == expected, "\(value)")
    }
  }
}
