internal import Covers

// What covers and animations in WebP have in common.

/// The pixels of a WebP picture, or of a frame of an animation.
enum WebPPixels {
  /// The data of `VP8X`: flags, three zeros, and each side minus one as a 24-bit number.
  static func header(_ flags: UInt8, size: PixelSize) -> [UInt8] {
    let sides = [size.width, size.height].flatMap { side in
      [0, 8, 16].map { UInt8(truncatingIfNeeded: (side - 1) >> $0) }
    }
    return [flags, 0, 0, 0] + sides
  }

  /// Checks the header of a VP8 frame (RFC 6386, section 9.1): a visible key frame that contains its first partition,
  /// the start code, and 14-bit sides without scaling.
  static func validate(_ frame: Span<UInt8>, size: PixelSize) throws(CoverFlaw) {
    let headBytes = 10
    guard frame.count > headBytes else { throw .noPixels }
    let tag = frame.littleEndian(at: 0, byteCount: 3)
    let (isKeyFrame, version, isShown, partition) = (tag & 1 == 0, tag >> 1 & 7, tag >> 4 & 1 == 1, tag >> 5)
    guard isKeyFrame, version <= 3, isShown, partition <= frame.count - headBytes,
      frame.array(3..<6) == [0x9D, 0x01, 0x2A], max(size.width, size.height) < 1 << 14,
      frame.littleEndian(at: 6, byteCount: 2) == size.width, frame.littleEndian(at: 8, byteCount: 2) == size.height
    else { throw .header }
  }

  /// Checks the header of lossless pixels (RFC 9649, section 3.4): the signature, 14-bit sides, and version 0.
  ///
  /// - Returns: Whether the header announces transparency.
  static func validateLossless(_ frame: Span<UInt8>, size: PixelSize) throws(CoverFlaw) -> Bool {
    guard frame.count > 5 else { throw .noPixels }
    let fields = frame.littleEndian(at: 1, byteCount: 4)
    let (width, height, hasAlpha, version) = (fields & 0x3FFF, fields >> 14 & 0x3FFF, fields >> 28 & 1, fields >> 29)
    guard frame[0] == 0x2F, version == 0, width + 1 == size.width, height + 1 == size.height else { throw .header }
    return hasAlpha == 1
  }

  /// The maximum length of the chunks `ALPH` and `VP8 `.
  ///
  /// VP8 data consists of binary decisions of at most 7 bits each, because a decision leaves at least 1 of a range of
  /// at most 255 (RFC 6386, section 7). A macroblock of 16 × 16 pixels has 25 blocks of 16 coefficients, each with at
  /// most 7 decisions for the token, 11 for extra bits and one for the sign: 6650 bytes. It also has at most 154
  /// decisions for the modes: 135 bytes. The frame header has 1056 probabilities of 9 decisions, and fewer than 400
  /// others: 8666 bytes. The alpha channel is one byte, plus one byte per pixel if it is not compressed.
  static func maximumBytes(of size: PixelSize, hasAlpha: Bool) -> Int {
    let alpha = hasAlpha ? 8 + 1 + size.width * size.height + 1 : 0
    let (head, pixels) = (8 + 10, 8666 + (6650 + 135) * size.squares + 1)
    return alpha + head + pixels
  }
}

extension WebPChunks {
  /// Creates an iterator over a whole file, whose length must be that in its header.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - flaw: The flaw of a file that is not a WebP.
  init(ofWhole bytes: Span<UInt8>, or flaw: CoverFlaw) throws(CoverFlaw) {
    guard let byteCount = Self.fileBytes(in: bytes) else { throw flaw }
    guard byteCount >= bytes.count else { throw .trailing(bytes.count - byteCount) }
    guard byteCount == bytes.count else { throw .malformed }
    self.init()
  }

  /// Returns the data of the text chunks that follow each other, and advances past them.
  mutating func texts(in bytes: Span<UInt8>) throws(CoverFlaw) -> [[UInt8]] {
    var found: [[UInt8]] = []
    while nextName(in: bytes) == .text { found.append(bytes.array(try next(.text, in: bytes))) }
    return found
  }

  /// Returns the range of the next chunk's data; the chunk must have the given name.
  mutating func next(_ name: ChunkName, in bytes: Span<UInt8>) throws(CoverFlaw) -> Range<Int> {
    guard let found = nextName(in: bytes) else { throw .malformed }
    guard found == name else { throw .unexpected("chunk \(found.displayText)") }
    guard let chunk = next(in: bytes), bytes.array(chunk.padding).allSatisfy({ $0 == 0 }) else { throw .malformed }
    return chunk.data
  }
}
