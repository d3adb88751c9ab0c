import ClipService
import Covers
import Files
import TestSupport
import Testing

@Suite("Rejected PNG covers")
struct PNGFlawTests {
  private let cover: RealCover
  private let parts: PNGParts

  init() throws {
    cover = try RealCover("h264.mp4", .png, side: 120)
    parts = PNGParts(cover.bytes)
    // The cover has several chunks of pixels, and reassembling its parts gives the same bytes.
    try #require(parts.places(of: "IDAT").count > 1 && parts.bytes == cover.bytes)
  }

  private func flaw(_ change: (inout [PNGParts.Chunk]) -> Void) -> CoverFlaw? { cover.flaw(of: parts.changed(change)) }

  @Test(
    "A chunk that our encoder does not write is rejected anywhere",
    .enabled(if: Scope.isFull),
    arguments: [
      "iTXt", "zTXt", "eXIf", "tIME", "gAMA", "cHRM", "iCCP", "pHYs", "bKGD", "PLTE", "tRNS", "acTL", "fcTL", "fdAT",
      "juNk", "\u{1B}[2J",
    ]
  )
  func foreign(_ name: String) {
    for place in 0...parts.chunks.count {
      for data in [[], [0, 0, 0, 0], Array("Comment\0hello".utf8)] as [[UInt8]] {
        let found = flaw { $0.insert(PNGParts.Chunk(name, data), at: place) }
        let chunk = PNGParts.Chunk(name, data)
        let expected: CoverFlaw =
          place == parts.chunks.count ? .trailing(chunk.bytes.count) : .unexpected("chunk \(DisplayText.of(name.utf8))")
        #expect(found == expected || place <= parts.places(of: "tEXt").last ?? 0 && found != nil, "at \(place)")
      }
    }
  }

  @Test("Swapping adjacent chunks is rejected")
  func order() {
    for place in parts.chunks.indices.dropLast() where parts.chunks[place].name != parts.chunks[place + 1].name {
      #expect(flaw { $0.swapAt(place, place + 1) } != nil, "at \(place)")
    }
    for place in parts.places(of: "tEXt").dropLast() {
      #expect(flaw { $0.swapAt(place, place + 1) } != nil, "texts at \(place)")
    }
  }

  @Test("A missing or repeated chunk is rejected")
  func count() {
    for place in parts.chunks.indices where parts.chunks[place].name != "IDAT" {
      // Only the duration of the clip is optional.
      let isOptional = parts.chunks[place].data.starts(with: "Thumb::Movie::Length".utf8)
      #expect((flaw { $0.remove(at: place) } == nil) == isOptional, "at \(place)")
      #expect(flaw { $0.insert($0[place], at: place) } != nil, "at \(place)")
    }
  }

  @Test("A wrong checksum of any chunk is rejected")
  func checksum() {
    for place in parts.chunks.indices {
      let flaw = flaw { $0[place].checksum ^= 0x8000_0001 }
      #expect(flaw == .checksum(parts.chunks[place].name), "at \(place)")
    }
  }

  @Test("A header with a wrong field is rejected even if its checksum is correct", .enabled(if: Scope.isFull))
  func header() {
    for index in 0..<13 {
      for value in UInt8.min...UInt8.max where value != parts.chunks[0].data[index] {
        var data = parts.chunks[0].data
        data[index] = value
        #expect(flaw { $0[0] = PNGParts.Chunk("IHDR", data) } == .header, "byte \(index) is \(value)")
      }
    }
    #expect(flaw { $0[1] = PNGParts.Chunk("sRGB", [1]) } == .header)
    #expect(flaw { $0[1] = PNGParts.Chunk("sRGB", []) } == .header)
  }

  @Test("A picture that differs from the decoder's reply is rejected")
  func announcement() {
    let size = cover.check.size
    let other = PixelSize(width: size.height, height: size.width)
    #expect(cover.check.announcing(other).flaw(of: cover.bytes) == .header)
    #expect(cover.check.announcing(hasAlpha: true).flaw(of: cover.bytes) == .header)
  }

  @Test("Missing pixels and pixels in two places are rejected")
  func pixels() {
    #expect(flaw { $0.removeAll { $0.name == "IDAT" } } == .noPixels)
    #expect(flaw { for place in parts.places(of: "IDAT") { $0[place] = PNGParts.Chunk("IDAT", []) } } == .noPixels)
    #expect(flaw { $0.insert($0[1], at: parts.places(of: "IDAT")[1]) } == .unexpected("chunk sRGB"))
  }

  @Test("Data in or after the end chunk is rejected")
  func end() {
    #expect(flaw { $0[$0.count - 1] = PNGParts.Chunk("IEND", [0]) } == .malformed)
    #expect(flaw { $0.append(PNGParts.Chunk("IEND", [])) } == .trailing(12))
    #expect(flaw { $0.append(PNGParts.Chunk("IDAT", [1])) } == .trailing(13))
  }

  @Test(
    "A chunk that claims to be longer than the file is rejected",
    arguments: [0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, 0xFFFF_FFF3, 0x1_0000]
  )
  func hugeChunk(length: Int) {
    var position = 8
    for chunk in parts.chunks {
      var bytes = cover.bytes
      bytes.replaceSubrange(position..<position + 4, with: bigEndian(length))
      #expect(cover.flaw(of: bytes) != nil, "\(chunk.name) at \(position)")
      position += chunk.bytes.count
    }
  }
}
