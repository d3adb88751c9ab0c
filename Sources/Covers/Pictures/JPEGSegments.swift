/// An iterator over the segments before the pixels of a JPEG file, each with a marker, a length and data.
///
/// Only the position is stored; the bytes of the file are passed to every call.
package struct JPEGSegments: Sendable {
  /// The second byte of each marker, after `FF`; names follow ITU-T T.81, table B.1.
  package enum Marker {
    package static let sof0: UInt8 = 0xC0
    package static let dht: UInt8 = 0xC4
    package static let soi: UInt8 = 0xD8
    package static let eoi: UInt8 = 0xD9
    package static let sos: UInt8 = 0xDA
    package static let dqt: UInt8 = 0xDB
    package static let app0: UInt8 = 0xE0
    package static let com: UInt8 = 0xFE
  }

  /// A segment that is contained entirely in the bytes.
  package struct Segment: Sendable {
    /// The second byte of its marker.
    package let marker: UInt8
    /// The range of its data.
    package let data: Range<Int>
  }

  /// The first bytes of every JPEG.
  package static let start: [UInt8] = [0xFF, Marker.soi]

  /// The position of the next segment.
  package private(set) var position = Self.start.count

  /// Creates an iterator positioned after the start-of-image marker.
  package init() {}

  /// Returns the next segment and advances past it; returns `nil` if the bytes do not contain all of it.
  package mutating func next(in bytes: Span<UInt8>) -> Segment? {
    guard bytes.starts(with: Self.start), position + 4 <= bytes.count, bytes[position] == 0xFF else { return nil }
    let marker = bytes[position + 1]
    let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
    // Markers below C0 and from D0 to D9 have no length or do not belong here.
    guard marker >= 0xC0, !(0xD0...0xD9).contains(marker), marker != 0xFF else { return nil }
    guard length >= 2, length <= bytes.count - position - 2 else { return nil }
    let start = position + 4
    position += 2 + length
    return Segment(marker: marker, data: start..<position)
  }
}
