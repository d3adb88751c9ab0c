internal import Covers

extension CoverFileCheck {
  /// Checks a PNG file: only the chunks that `CPNG` writes, in order, each with its checksum.
  func validatePNG(_ bytes: Span<UInt8>) throws(CoverFlaw) {
    guard bytes.starts(with: PNGChunks.signature) else { throw .otherFormat(.png) }
    var chunks = PNGChunks()
    guard bytes.array(try next(.pngHeader, of: &chunks, in: bytes)) == pngHeader,
      bytes.array(try next(.pngColourSpace, of: &chunks, in: bytes)) == [0]
    else { throw .header }

    var found: [[UInt8]] = []
    while chunks.nextName(in: bytes) == .text {
      found.append(bytes.array(try next(.text, of: &chunks, in: bytes)))
    }
    try storedTexts.validate(found, separator: 0)

    var pixelBytes = 0
    while chunks.nextName(in: bytes) == .pngPixels {
      pixelBytes += try next(.pngPixels, of: &chunks, in: bytes).count
    }
    let end = try next(.pngEnd, of: &chunks, in: bytes)
    guard pixelBytes > 0 else { throw .noPixels }
    guard end.isEmpty else { throw .malformed }
    guard chunks.position == bytes.count else { throw .trailing(bytes.count - chunks.position) }
  }

  /// The data of `IHDR`: the sides, the bit depth, the colour type, and zeros for compression, filter and interlacing.
  private var pngHeader: [UInt8] {
    let sides = [size.width, size.height].flatMap { side in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) }
    }
    return sides + [UInt8(truncatingIfNeeded: request.bitDepth), hasAlpha ? 6 : 2, 0, 0, 0]
  }

  /// Returns the range of the next chunk's data; the chunk must have the given name and a correct checksum.
  private func next(
    _ name: ChunkName,
    of chunks: inout PNGChunks,
    in bytes: Span<UInt8>
  ) throws(CoverFlaw) -> Range<Int> {
    guard let found = chunks.nextName(in: bytes) else { throw .malformed }
    guard found == name else { throw .unexpected("chunk \(found.displayText)") }
    guard let chunk = chunks.next(in: bytes) else { throw .malformed }
    guard CRC32.of(bytes.extracting(chunk.checkedBytes)) == chunk.checksum else { throw .checksum(name.displayText) }
    return chunk.data
  }
}

extension ChunkName {
  fileprivate static let pngColourSpace: ChunkName = "sRGB"
  fileprivate static let pngEnd: ChunkName = "IEND"
}
