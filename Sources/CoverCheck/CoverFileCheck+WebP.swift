internal import Covers

extension CoverFileCheck {
  /// Checks a WebP file: the extended format with our texts, then the alpha channel and one key frame, and nothing
  /// else.
  func validateWebP(_ bytes: Span<UInt8>) throws(CoverFlaw) {
    guard let byteCount = WebPChunks.fileBytes(in: bytes) else { throw .otherFormat(.webp) }
    guard byteCount >= bytes.count else { throw .trailing(bytes.count - byteCount) }
    guard byteCount == bytes.count else { throw .malformed }
    var chunks = WebPChunks()
    let header = bytes.array(try next(.webPHeader, of: &chunks, in: bytes))

    var found: [[UInt8]] = []
    while chunks.nextName(in: bytes) == .text {
      found.append(bytes.array(try next(.text, of: &chunks, in: bytes)))
    }
    try validateTexts(found, separator: 0)

    // A picture with an alpha channel that is opaque throughout has no such chunk.
    let isTransparent = hasAlpha && chunks.nextName(in: bytes) == .webPAlpha
    guard header == webPHeader(isTransparent: isTransparent) else { throw .header }
    if isTransparent {
      guard try !next(.webPAlpha, of: &chunks, in: bytes).isEmpty else { throw .noPixels }
    }
    let frame = try next(.webPPixels, of: &chunks, in: bytes)
    try validateFrame(bytes.extracting(frame))
    guard chunks.position == bytes.count else { throw .trailing(bytes.count - chunks.position) }
  }

  /// The data of `VP8X`: flags, three zeros, and each side minus one as a 24-bit number.
  private func webPHeader(isTransparent: Bool) -> [UInt8] {
    let sides = [size.width, size.height].flatMap { side in
      [0, 8, 16].map { UInt8(truncatingIfNeeded: (side - 1) >> $0) }
    }
    return [isTransparent ? WebPHead.alphaFlag : 0, 0, 0, 0] + sides
  }

  /// Checks the header of a VP8 frame (RFC 6386, section 9.1): a visible key frame that contains its first partition,
  /// the start code, and 14-bit sides without scaling.
  private func validateFrame(_ frame: Span<UInt8>) throws(CoverFlaw) {
    let headBytes = 10
    guard frame.count > headBytes else { throw .noPixels }
    let tag = frame.littleEndian(at: 0, byteCount: 3)
    let (isKeyFrame, version, isShown, partition) = (tag & 1 == 0, tag >> 1 & 7, tag >> 4 & 1 == 1, tag >> 5)
    guard isKeyFrame, version <= 3, isShown, partition <= frame.count - headBytes,
      frame.array(3..<6) == [0x9D, 0x01, 0x2A], max(size.width, size.height) < 1 << 14,
      frame.littleEndian(at: 6, byteCount: 2) == size.width, frame.littleEndian(at: 8, byteCount: 2) == size.height
    else { throw .header }
  }

  /// Returns the range of the next chunk's data; the chunk must have the given name.
  private func next(
    _ name: ChunkName,
    of chunks: inout WebPChunks,
    in bytes: Span<UInt8>
  ) throws(CoverFlaw) -> Range<Int> {
    guard let found = chunks.nextName(in: bytes) else { throw .malformed }
    guard found == name else { throw .unexpected("chunk \(found.displayText)") }
    guard let chunk = chunks.next(in: bytes), bytes.array(chunk.padding).allSatisfy({ $0 == 0 }) else {
      throw .malformed
    }
    return chunk.data
  }
}
