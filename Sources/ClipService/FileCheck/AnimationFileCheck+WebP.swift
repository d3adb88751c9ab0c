internal import Covers

extension AnimationFileCheck {
  /// Checks an animated WebP (RFC 9649, section 2.7.1.1): the header, our texts, the background with loops for ever,
  /// the frames, and nothing else.
  func validateWebP(_ bytes: Span<UInt8>) throws(CoverFlaw) {
    var chunks = try WebPChunks(ofWhole: bytes, or: .otherAnimation(.webp))
    let header = bytes.array(try chunks.next(.webPHeader, in: bytes))
    try texts.validate(try chunks.texts(in: bytes), separator: 0)
    let (white, forEver): ([UInt8], [UInt8]) = ([255, 255, 255, 255], [0, 0])
    guard bytes.array(try chunks.next(.webPAnimation, in: bytes)) == white + forEver else { throw .header }

    var durations: [Int] = []
    var hasAlpha = false
    while chunks.position < bytes.count {
      let frame = bytes.extracting(try chunks.next(.webPFrame, in: bytes))
      let (duration, isTransparent) = try validateFrame(frame)
      durations.append(duration)
      hasAlpha = hasAlpha || isTransparent
    }
    let flags = Self.animationFlag | (hasAlpha ? WebPHead.alphaFlag : 0)
    guard header == WebPPixels.header(flags, size: size) else { throw .header }
    try validate(durations: durations)
  }

  /// The header flag of a WebP file with an animation.
  private static let animationFlag: UInt8 = 0x02

  /// Checks a frame: where it is drawn, for how long, and how; then its pixels.
  ///
  /// - Returns: Its duration in milliseconds, and whether it has transparency.
  private func validateFrame(_ frame: Span<UInt8>) throws(CoverFlaw) -> (duration: Int, isTransparent: Bool) {
    let headBytes = 16
    guard frame.count > headBytes else { throw .noPixels }
    let (left, top) = (2 * frame.littleEndian(at: 0, byteCount: 3), 2 * frame.littleEndian(at: 3, byteCount: 3))
    let part = PixelSize(
      width: 1 + frame.littleEndian(at: 6, byteCount: 3),
      height: 1 + frame.littleEndian(at: 9, byteCount: 3)
    )
    // Two bits hold the blending and disposal methods; the others are reserved.
    guard left + part.width <= size.width, top + part.height <= size.height, frame[15] >> 2 == 0 else {
      throw .header
    }
    let isTransparent = try validatePixels(frame, after: headBytes, size: part)
    return (frame.littleEndian(at: 12, byteCount: 3), isTransparent)
  }

  /// Checks the pixels of a frame: lossless, or lossy with an alpha channel if it is transparent.
  ///
  /// - Returns: Whether it is transparent.
  private func validatePixels(
    _ frame: Span<UInt8>,
    after headBytes: Int,
    size: PixelSize
  ) throws(CoverFlaw) -> Bool {
    var chunks = WebPChunks(at: headBytes)
    var isTransparent = false
    if chunks.nextName(in: frame) == .webPLosslessPixels {
      let pixels = frame.extracting(try chunks.next(.webPLosslessPixels, in: frame))
      isTransparent = try WebPPixels.validateLossless(pixels, size: size)
    } else {
      if chunks.nextName(in: frame) == .webPAlpha {
        isTransparent = true
        guard try !chunks.next(.webPAlpha, in: frame).isEmpty else { throw .noPixels }
      }
      try WebPPixels.validate(frame.extracting(try chunks.next(.webPPixels, in: frame)), size: size)
    }
    guard chunks.position == frame.count else { throw .unexpected("chunk in a frame") }
    return isTransparent
  }
}
