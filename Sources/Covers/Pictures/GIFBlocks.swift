/// An iterator over the parts of a GIF (GIF89a specification), which have no common form.
///
/// Only the position is stored; the bytes of the file are passed to every call. Each call returns `nil` if the bytes do
/// not contain all of the part.
package struct GIFBlocks: Sendable {
  /// The position of the next part.
  package private(set) var position = 0

  /// The first bytes of a file.
  package static let signature = Array("GIF89a".utf8)
  /// The length of the header, without the table of colours.
  package static let headerBytes = 13
  /// The last bytes of a file: the end of the last picture, and the end of the file.
  package static let end: [UInt8] = [0, 0x3B]
  /// The first byte of an extension.
  package static let extensionStart: UInt8 = 0x21
  /// The second byte of an extension that is a comment.
  package static let comment: UInt8 = 0xFE
  /// The maximum length of a table of colours.
  package static let maximumTableBytes = 3 * 256

  /// Creates an iterator at the start of a file.
  package init() {}

  /// The next byte.
  package func nextByte(in bytes: Span<UInt8>) -> UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Returns the range of the next bytes, and advances past them.
  package mutating func take(_ count: Int, of bytes: Span<UInt8>) -> Range<Int>? {
    guard count <= bytes.count - position else { return nil }
    defer { position += count }
    return position..<position + count
  }

  /// Returns the next byte, and advances past it.
  package mutating func byte(of bytes: Span<UInt8>) -> UInt8? {
    take(1, of: bytes).map { bytes[$0.lowerBound] }
  }

  /// Advances past a table of colours if the flags in front of it announce one.
  package mutating func skipTable(_ flags: UInt8, of bytes: Span<UInt8>) -> Bool {
    guard flags & 0x80 != 0 else { return true }
    return take(3 << (Int(flags & 7) + 1), of: bytes) != nil
  }

  /// Returns the data of a chain of blocks, each with its length, and advances past the empty block at its end.
  package mutating func chain(of bytes: Span<UInt8>) -> [UInt8]? {
    var data: [UInt8] = []
    while let count = byte(of: bytes) {
      guard count > 0 else { return data }
      guard let block = take(Int(count), of: bytes) else { return nil }
      data += bytes.array(block)
    }
    return nil
  }

  /// Returns data as a chain of blocks.
  package static func chain(_ data: [UInt8]) -> [UInt8] {
    stride(from: 0, to: data.count, by: 255).reduce(into: []) { chain, start in
      let block = data[start..<min(start + 255, data.count)]
      chain += [UInt8(block.count)] + block
    } + [0]
  }
}
