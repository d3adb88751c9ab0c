/// A walk over the chunks of a PNG, each a length, a name, the data and a checksum.
///
/// It keeps only its position; the bytes of the file are passed to every call.
package struct PNGChunks: Sendable {
  /// A chunk that lies whole in the bytes.
  package struct Chunk: Sendable {
    /// The place of its data.
    package let data: Range<Int>
    /// The CRC-32 that the file gives for ``checkedBytes``.
    package let checksum: UInt32

    /// The place of what the checksum is computed from: the name and the data.
    package var checkedBytes: Range<Int> { data.lowerBound - 4..<data.upperBound }
  }

  /// The first bytes of every PNG.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Where the next chunk begins.
  package private(set) var position = Self.signature.count

  /// Creates a walk that begins after the signature.
  package init() {}

  /// The name of the next chunk, if its length and name lie whole in the bytes.
  package func nextName(in bytes: Span<UInt8>) -> ChunkName? {
    position + 8 <= bytes.count ? ChunkName(code: bytes.bigEndian(at: position + 4)) : nil
  }

  /// Returns the next chunk, if it lies whole in the bytes, and goes on to the one after it.
  package mutating func next(in bytes: Span<UInt8>) -> Chunk? {
    guard position + 12 <= bytes.count else { return nil }
    let (length, start) = (Int(bytes.bigEndian(at: position)), position + 8)
    guard length <= bytes.count - start - 4 else { return nil }
    position = start + length + 4
    return Chunk(data: start..<start + length, checksum: bytes.bigEndian(at: start + length))
  }
}

extension ChunkName {
  /// The header of a PNG: its size and how its pixels are stored.
  package static let pngHeader: ChunkName = "IHDR"
  /// A part of a PNG's compressed pixels.
  package static let pngPixels: ChunkName = "IDAT"
}
