internal import Covers

/// An iterator over the parts of a GIF (GIF89a specification), which have no common form.
///
/// Only the position is stored; the bytes of the file are passed to every call.
struct GIFBlocks {
  /// The position of the next part.
  private(set) var position = 0

  /// The maximum length of a table of colours.
  static let maximumTableBytes = 3 * 256

  /// The maximum length of a frame.
  ///
  /// It has a control block of 8 bytes, a descriptor of 10, a table, the size of codes, and the codes. A pixel takes at most one code of 12 bits. There is a code at both ends and fewer than one per pixel to
  /// clear the table of codes. The codes are in blocks of at most 255 bytes, each with its length, and an empty one.
  static func maximumFrameBytes(of size: PixelSize) -> Int {
    let codes = 3 * (size.width * size.height + 1)
    return 8 + 10 + maximumTableBytes + 1 + codes + codes / 255 + 1 + 1
  }

  /// Returns the range of the next bytes, and advances past them.
  mutating func take(_ count: Int, of bytes: Span<UInt8>) throws(CoverFlaw) -> Range<Int> {
    guard count <= bytes.count - position else { throw .malformed }
    defer { position += count }
    return position..<position + count
  }

  /// Returns the next byte, and advances past it.
  mutating func byte(of bytes: Span<UInt8>) throws(CoverFlaw) -> UInt8 {
    bytes[try take(1, of: bytes).lowerBound]
  }

  /// Advances past a table of colours if the flags in front of it announce one.
  mutating func skipTable(_ flags: UInt8, of bytes: Span<UInt8>) throws(CoverFlaw) {
    guard flags & 0x80 != 0 else { return }
    _ = try take(3 << (Int(flags & 7) + 1), of: bytes)
  }

  /// Advances past a chain of blocks, each with its length, and the empty block at its end.
  mutating func skipChain(of bytes: Span<UInt8>) throws(CoverFlaw) {
    var count = Int(try byte(of: bytes))
    guard count > 0 else { throw .noPixels }
    while count > 0 {
      _ = try take(count, of: bytes)
      count = Int(try byte(of: bytes))
    }
  }
}
