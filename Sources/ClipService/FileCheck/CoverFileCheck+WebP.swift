internal import Covers

extension CoverFileCheck {
  /// Checks a WebP file: the extended format with our texts, then the alpha channel and one key frame, and nothing
  /// else.
  func validateWebP(_ bytes: Span<UInt8>) throws(CoverFlaw) {
    var chunks = try WebPChunks(ofWhole: bytes, or: .otherFormat(.webp))
    let header = bytes.array(try chunks.next(.webPHeader, in: bytes))

    try storedTexts.validate(try chunks.texts(in: bytes), separator: 0)

    // A picture with an alpha channel that is opaque throughout has no such chunk.
    let isTransparent = hasAlpha && chunks.nextName(in: bytes) == .webPAlpha
    guard header == WebPPixels.header(isTransparent ? WebPHead.alphaFlag : 0, size: size) else { throw .header }
    if isTransparent {
      guard try !chunks.next(.webPAlpha, in: bytes).isEmpty else { throw .noPixels }
    }
    let frame = try chunks.next(.webPPixels, in: bytes)
    try WebPPixels.validate(bytes.extracting(frame), size: size)
    guard chunks.position == bytes.count else { throw .trailing(bytes.count - chunks.position) }
  }
}
