/// An iterator over the chunks of a WebP file or of a frame of an animation, each with a name, a length, data, and a
/// padding byte if the length is odd.
///
/// Only the position is stored; the bytes of the file are passed to every call.
package struct WebPChunks: Sendable {
  /// A chunk that is contained entirely in the bytes.
  package struct Chunk: Sendable {
    /// The range of its data.
    package let data: Range<Int>
    /// The range of the padding byte; empty if the length is even.
    package let padding: Range<Int>
  }

  /// The position of the next chunk.
  package private(set) var position: Int

  /// Creates an iterator positioned after the file header, or at another position.
  package init(at position: Int = 12) {
    self.position = position
  }

  /// The length of the file according to its header; `nil` if it is not a WebP file.
  package static func fileBytes(in bytes: Span<UInt8>) -> Int? {
    guard bytes.count >= 12, ChunkName(code: bytes.bigEndian(at: 0)) == "RIFF",
      ChunkName(code: bytes.bigEndian(at: 8)) == "WEBP"
    else { return nil }
    return bytes.littleEndian(at: 4, byteCount: 4) + 8
  }

  /// The name of the next chunk; `nil` if the bytes do not contain both its name and its length.
  package func nextName(in bytes: Span<UInt8>) -> ChunkName? {
    position + 8 <= bytes.count ? ChunkName(code: bytes.bigEndian(at: position)) : nil
  }

  /// Returns the next chunk and advances past it; returns `nil` if the bytes do not contain all of it.
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
  /// The header of a WebP file in the extended format.
  package static let webPHeader: ChunkName = "VP8X"
  /// The alpha channel of a lossy WebP file.
  package static let webPAlpha: ChunkName = "ALPH"
  /// The pixels of a lossy WebP file.
  package static let webPPixels: ChunkName = "VP8 "
  /// The pixels of a lossless WebP file.
  package static let webPLosslessPixels: ChunkName = "VP8L"
  /// The background and the number of loops of an animation.
  package static let webPAnimation: ChunkName = "ANIM"
  /// A frame of an animation.
  package static let webPFrame: ChunkName = "ANMF"
}
