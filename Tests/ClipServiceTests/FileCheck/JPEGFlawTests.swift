import ClipService
import Covers
import TestSupport
import Testing

@Suite("Rejected JPEG covers")
struct JPEGFlawTests {
  private let cover: RealCover
  private let parts: JPEGParts

  init() throws {
    cover = try RealCover("h264.mp4", .jpeg)
    parts = JPEGParts(cover.bytes)
    try #require(parts.bytes == cover.bytes)
  }

  private func flaw(_ change: (inout JPEGParts) -> Void) -> CoverFlaw? { cover.flaw(of: parts.changed(change)) }

  @Test("A segment that the encoder does not write is rejected anywhere")
  func foreign() {
    let known: Set<UInt8> = [0xC4, 0xDB, 0xDA, 0xFE]
    for marker: UInt8 in 0xC0...0xFE where !known.contains(marker) {
      for place in 0...parts.segments.count {
        #expect(flaw { $0.segments.insert(.init(marker: marker, data: [1, 2, 3, 4]), at: place) } != nil)
      }
    }
    let place = parts.place(of: 0xDB)
    #expect(flaw { $0.segments.insert(.init(marker: 0xE1, data: []), at: place) } == .unexpected("marker FFE1"))
    #expect(flaw { $0.segments.insert(.init(marker: 0xE1, data: []), at: place + 1) } == .unexpected("marker FFE1"))
    #expect(flaw { $0.segments.insert(.init(marker: 0xFE, data: [65]), at: place + 1) } == .unexpected("marker FFFE"))
  }

  @Test("A missing or repeated segment is rejected")
  func count() {
    for place in parts.segments.indices {
      let isOptional = parts.segments[place].data.starts(with: "Thumb::Movie::Length".utf8)
      #expect((flaw { $0.segments.remove(at: place) } == nil) == isOptional, "at \(place)")
      #expect(flaw { $0.segments.insert($0.segments[place], at: place) } != nil, "at \(place)")
    }
  }

  @Test("Texts that do not follow the first segment are rejected")
  func textsElsewhere() {
    let text = parts.place(of: 0xFE)
    for place in [0, parts.segments.count - 1] {
      #expect(flaw { $0.segments.insert($0.segments.remove(at: text), at: place) } != nil, "at \(place)")
    }
  }

  @Test("A different kind of frame or scan is rejected", .enabled(if: Scope.isFull))
  func frame() {
    let (frame, scan) = (parts.place(of: 0xC0), parts.place(of: 0xDA))
    for value in UInt8.min...UInt8.max {
      for index in parts.segments[frame].data.indices where parts.segments[frame].data[index] != value {
        #expect(flaw { $0.segments[frame].data[index] = value } == .header, "byte \(index) is \(value)")
      }
      for index in parts.segments[scan].data.indices where parts.segments[scan].data[index] != value {
        #expect(flaw { $0.segments[scan].data[index] = value } == .malformed, "byte \(index) is \(value)")
      }
    }
    for marker: UInt8 in [0xC1, 0xC2, 0xC3, 0xC9, 0xCA] {
      #expect(flaw { $0.segments[frame].marker = marker } != nil, "a progressive or arithmetic frame")
    }
  }

  @Test("A picture that differs from the decoder's reply is rejected")
  func announcement() {
    let size = cover.check.size
    let other = PixelSize(width: size.height, height: size.width)
    #expect(cover.check.announcing(other).flaw(of: cover.bytes) == .header)
    #expect(cover.check.announcing(hasAlpha: true).flaw(of: cover.bytes) == .header)
  }

  @Test("Tables that are truncated, have a wrong number or contain a quantiser of 0 are rejected")
  func tables() {
    let (quantisers, codes) = (parts.place(of: 0xDB), parts.place(of: 0xC4))
    for place in [quantisers, codes] {
      #expect(flaw { $0.segments[place].data.removeLast() } == .malformed)
      #expect(flaw { $0.segments[place].data.append(0) } == .malformed)
      #expect(flaw { $0.segments[place].data = [] } == .malformed)
      for number in UInt8.min...UInt8.max where number != parts.segments[place].data[0] {
        #expect(flaw { $0.segments[place].data[0] = number } == .malformed, "\(number)")
      }
    }
    for index in 1...64 {
      #expect(flaw { $0.segments[quantisers].data[index] = 0 } == .malformed)
    }
    #expect(flaw { for index in 1...16 { $0.segments[codes].data[index] = 255 } } == .malformed)
  }

  @Test("Among the pixels, FF must be followed by a zero byte")
  func scan() {
    for place in [0, 1, parts.scan.count / 2, parts.scan.count - 2] {
      for value in UInt8.min...UInt8.max {
        let found = flaw { $0.scan.insert(contentsOf: [0xFF, value], at: place) }
        switch value {
        case 0 where place == 0 || parts.scan[place - 1] != 0xFF: #expect(found == nil, "a stuffed zero")
        case 0, 0xD9: #expect(found != nil)
        default: #expect(found != nil, "FF\(value)")
        }
      }
    }
    #expect(flaw { $0.scan.insert(contentsOf: [0xFF, 0xD0], at: 0) } == .unexpected("marker FFD0"))
    #expect(flaw { $0.scan = [0xFF, 0xD9] } == .noPixels)
    #expect(flaw { $0.scan = [] } == .malformed)
    #expect(flaw { $0.scan.removeLast(2) } == .malformed)
    #expect(flaw { $0.scan += [0] } == .trailing(1))
  }
}
