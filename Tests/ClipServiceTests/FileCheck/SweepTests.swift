import ClipService
import Covers
import TestSupport
import Testing

/// Checks every byte of real covers, one after another.
@Suite("Detection of changed covers")
struct SweepTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let fixture: String
    let format: CoverFormat

    var testDescription: String { "\(format) of \(fixture)" }
    var cover: RealCover { get throws { try RealCover(fixture, format) } }
  }

  static let samples = ["h264.mp4", "vp9-alpha.webm"].flatMap { fixture in
    CoverFormat.allCases.map { Sample(fixture: fixture, format: $0) }
  }

  @Test("Every changed byte that can be verified is detected", .enabled(if: Scope.isFull), arguments: samples)
  func changed(_ sample: Sample) throws {
    let cover = try sample.cover
    let own = Self.decodersWord(in: cover.bytes, sample.format)
    #expect(own.count < cover.bytes.count - 300)
    for index in cover.bytes.indices where !own.contains(index) {
      for mask: UInt8 in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] {
        var bytes = cover.bytes
        bytes[index] ^= mask
        #expect(cover.flaw(of: bytes) != nil, "byte \(index) ^ \(mask)")
      }
    }
  }

  @Test("Every truncation is detected", arguments: samples)
  func truncated(_ sample: Sample) throws {
    let cover = try sample.cover
    for count in cover.bytes.indices {
      #expect(cover.flaw(of: Array(cover.bytes[..<count])) != nil, "\(count) of \(cover.bytes.count) bytes")
    }
  }

  @Test("Every appended byte is detected", arguments: samples)
  func appended(_ sample: Sample) throws {
    let cover = try sample.cover
    for byte in UInt8.min...UInt8.max {
      #expect(cover.flaw(of: cover.bytes + [byte]) != nil)
      #expect(cover.flaw(of: cover.bytes + [byte, 0]) != nil)
    }
    #expect(cover.flaw(of: cover.bytes + cover.bytes) != nil)
  }

  @Test("Inserted and removed bytes are detected", .enabled(if: Scope.isFull), arguments: samples)
  func moved(_ sample: Sample) throws {
    let cover = try sample.cover
    let own = Self.decodersWord(in: cover.bytes, sample.format)
    // A byte inserted directly after unverifiable bytes becomes part of them.
    for index in cover.bytes.indices where !own.contains(index) && !own.contains(index - 1) {
      var (longer, shorter) = (cover.bytes, cover.bytes)
      longer.insert(cover.bytes[index] ^ 0x55, at: index)
      shorter.remove(at: index)
      #expect(cover.flaw(of: longer) != nil && cover.flaw(of: shorter) != nil, "at byte \(index)")
    }
  }

  @Test("A cover in another format is detected", arguments: samples)
  func otherFormat(_ sample: Sample) throws {
    let cover = try sample.cover
    for format in CoverFormat.allCases where format != sample.format {
      let other = try RealCover(sample.fixture, format)
      #expect(cover.flaw(of: other.bytes) == .otherFormat(sample.format))
    }
  }

  /// The positions of bytes that cannot be verified; a PNG file has none, because checksums cover every byte.
  private static func decodersWord(in bytes: [UInt8], _ format: CoverFormat) -> Set<Int> {
    switch format {
    case .png: []
    case .jpeg: jpegWord(JPEGParts(bytes))
    case .webp: webPWord(WebPParts(bytes))
    }
  }

  /// The values of tables, the pixels, and texts about the clip that only the decoder knows.
  private static func jpegWord(_ parts: JPEGParts) -> Set<Int> {
    var (position, own) = (2, Set<Int>())
    for segment in parts.segments {
      let data = position + 4
      switch segment.marker {
      case 0xDB:
        own.formUnion(data + 1..<data + 65)
        own.formUnion(data + 66..<data + 130)
      case 0xC4:
        var table = 0
        while table < segment.data.count {
          let count = segment.data[table + 1..<table + 17].reduce(0) { $0 + Int($1) }
          own.formUnion(data + table + 17..<data + table + 17 + count)
          table += 17 + count
        }
      case 0xFE: own.formUnion(textWord(segment.data, separator: UInt8(ascii: "=")).map { data + $0 })
      default: break
      }
      position = data + segment.data.count
    }
    own.formUnion(position..<position + parts.scan.count - 2)
    return own
  }

  /// The alpha channel, the pixels after the frame header, the version and first partition length in that header, and
  /// texts.
  private static func webPWord(_ parts: WebPParts) -> Set<Int> {
    var (position, own) = (12, Set<Int>())
    for chunk in parts.chunks {
      let data = position + 8
      switch chunk.name {
      case "ALPH": own.formUnion(data..<data + chunk.data.count)
      case "VP8 ":
        own.formUnion(data..<data + 3)
        own.formUnion(data + 10..<data + chunk.data.count)
      case "tEXt": own.formUnion(textWord(chunk.data, separator: 0).map { data + $0 })
      default: break
      }
      position = data + chunk.data.count + chunk.data.count % 2
    }
    return own
  }

  private static func textWord(_ text: [UInt8], separator: UInt8) -> Range<Int> {
    let end = text.firstIndex(of: separator) ?? 0
    let keyword = String(decoding: text[..<end], as: UTF8.self)
    return ["Thumb::Mimetype", "Thumb::Movie::Length"].contains(keyword) ? end + 1..<text.count : 0..<0
  }
}
