/// An iterator over the chunks of a PNG file, each with a length, a name, data and a checksum.
///
/// Only the position is stored; the bytes of the file are passed to every call.
package struct PNGChunks: Sendable {
  /// A chunk that is contained entirely in the bytes.
  package struct Chunk: Sendable {
    /// The range of its data.
    package let data: Range<Int>
    /// The CRC-32 that the file records for ``checkedBytes``.
    package let checksum: UInt32

    /// The range of the bytes covered by the checksum: the name and the data.
    package var checkedBytes: Range<Int> { data.lowerBound - 4..<data.upperBound }
  }

  /// The first bytes of every PNG file.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The position of the next chunk.
  package private(set) var position = Self.signature.count

  /// Creates an iterator positioned after the signature.
  package init() {}

  /// The name of the next chunk; `nil` if the bytes do not contain both its length and its name.
  package func nextName(in bytes: Span<UInt8>) -> ChunkName? {
    position + 8 <= bytes.count ? ChunkName(code: bytes.bigEndian(at: position + 4)) : nil
  }

  /// Returns the next chunk and advances past it; returns `nil` if the bytes do not contain all of it.
  package mutating func next(in bytes: Span<UInt8>) -> Chunk? {
    guard position + 12 <= bytes.count else { return nil }
    let (length, start) = (Int(bytes.bigEndian(at: position)), position + 8)
    guard length <= bytes.count - start - 4 else { return nil }
    position = start + length + 4
    return Chunk(data: start..<start + length, checksum: bytes.bigEndian(at: start + length))
  }
}

extension ChunkName {
  /// The header of a PNG file: the size and the pixel format.
  package static let pngHeader: ChunkName = "IHDR"
  /// A part of the compressed pixels of a PNG file.
  package static let pngPixels: ChunkName = "IDAT"
}
