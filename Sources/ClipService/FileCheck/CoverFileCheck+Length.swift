internal import Covers

// The maximum file length of each format, derived from the format and the encoder that the decoder uses. The limits are
// deliberately generous: they must hold for every picture, and only need to prevent reading a file that is far too
// long.

extension CoverFileCheck {
  /// The maximum length in bytes of a cover of this size, format and bit depth.
  ///
  /// The request must allow the size.
  package var maximumBytes: Int {
    switch request.format {
    case .png: maximumPNGBytes
    case .jpeg: maximumJPEGBytes
    case .webp: maximumWebPBytes
    }
  }

  // Each row is a filter byte and its pixels. A byte takes at most 9 bits, the longest literal in deflate's fixed code;
  // zlib stores a block that would be longer. A block has a header of 3 bits and an end code of 7, plus 5 bytes if it
  // is stored. zlib ends a block after 16383 symbols at the earliest; the 1024 bytes assumed here are far fewer. The
  // stream has 6 more bytes. libpng splits it into chunks of 8 KiB, each with 12 more bytes.
  private var maximumPNGBytes: Int {
    let rows = size.height * (1 + size.width * (hasAlpha ? 4 : 3) * request.bitDepth / 8)
    let stream = rows + rows / 8 + 5 * (rows / 1024 + 1) + 6
    let chunks = (stream + 8191) / 8192
    let (signature, header, colourSpace, end) = (8, 25, 13, 12)
    return signature + header + colourSpace + storedTexts.maximumBytes(overhead: 12) + stream + 12 * chunks + end
  }

  // A block of 8 × 8 samples has one DC coefficient, with a code of at most 16 bits and a value of 11 bits, and 63
  // others, with 16 and 10 bits: 1665 bits. If all bytes are FF, each is followed by a zero: 417 bytes. With chroma at
  // full resolution, a square of 16 × 16 pixels has 12 blocks. There are two quantisation tables (65 bytes each) and
  // four Huffman tables (at most 273 bytes each).
  private var maximumJPEGBytes: Int {
    let (ends, jfif, frame, scan) = (4, 18, 19, 14)
    let tables = 4 + 2 * 65 + 4 + 4 * 273
    return ends + jfif + storedTexts.maximumBytes(overhead: 4) + tables + frame + scan + 417 * 12 * size.squares
  }

  private var maximumWebPBytes: Int {
    let (file, header) = (12, 18)
    return file + header + storedTexts.maximumBytes(overhead: 9) + WebPPixels.maximumBytes(of: size, hasAlpha: hasAlpha)
  }
}

extension PixelSize {
  /// The number of squares of 16 × 16 pixels that cover a picture.
  var squares: Int { ((width + 15) / 16) * ((height + 15) / 16) }
}
