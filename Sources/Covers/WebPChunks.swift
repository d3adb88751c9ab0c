/// A walk over the chunks of a WebP, each a name, a length, the data, and a byte to make them even.
///
/// It keeps only its position; the bytes of the file are passed to every call.
package struct WebPChunks: Sendable {
  /// A chunk that lies whole in the bytes.
  package struct Chunk: Sendable {
    /// The place of its data.
    package let data: Range<Int>
    /// The place of the byte that makes it even, empty where it is.
    package let padding: Range<Int>
  }

  /// Where the next chunk begins.
  package private(set) var position = 12

  /// Creates a walk that begins after the head of the file.
  package init() {}

  /// How long the file says that it is; `nil` when it is not a WebP.
  package static func fileBytes(in bytes: Span<UInt8>) -> Int? {
    guard bytes.count >= 12, ChunkName(code: bytes.bigEndian(at: 0)) == "RIFF",
      ChunkName(code: bytes.bigEndian(at: 8)) == "WEBP"
    else { return nil }
    return bytes.littleEndian(at: 4, byteCount: 4) + 8
  }

  /// The name of the next chunk, if its name and length lie whole in the bytes.
  package func nextName(in bytes: Span<UInt8>) -> ChunkName? {
    position + 8 <= bytes.count ? ChunkName(code: bytes.bigEndian(at: position)) : nil
  }

  /// Returns the next chunk, if it lies whole in the bytes, and goes on to the one after it.
  package mutating func next(in bytes: Span<UInt8>) -> Chunk? {
    guard position + 8 <= bytes.count else { return nil }
    let (length, start) = (bytes.littleEndian(at: position + 4, byteCount: 4), position + 8)
    guard length + length % 2 <= bytes.count - start else { return nil }
    let end = start + length
    position = end + length % 2
    return Chunk(data: start..<end, padding: end..<position)
  }
}

extension ChunkName {
  /// The header of a WebP in the extended format.
  package static let webPHeader: ChunkName = "VP8X"
  /// The transparency of a WebP with loss.
  package static let webPAlpha: ChunkName = "ALPH"
  /// The pixels of a WebP with loss.
  package static let webPPixels: ChunkName = "VP8 "
  /// The pixels of a WebP without loss.
  package static let webPLosslessPixels: ChunkName = "VP8L"
}
