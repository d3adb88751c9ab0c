internal import Covers

// The longest file of each format, derived from the format and from the encoder that the decoder uses. The bounds are
// generous on purpose: they must hold for every picture, and a file that is far too long must not be read.

extension CoverFileCheck {
  /// The number of bytes that no cover of this size, format and depth exceeds.
  ///
  /// The request must allow the size.
  public var mostBytes: Int {
    switch request.format {
    case .png: mostPNGBytes
    case .jpeg: mostJPEGBytes
    case .webp: mostWebPBytes
    }
  }

  /// The squares of 16 × 16 pixels that cover the picture.
  private var squares: Int { ((size.width + 15) / 16) * ((size.height + 15) / 16) }

  /// The keywords and texts, with a separator and `overhead` more bytes for each.
  private func mostTextBytes(overhead: Int) -> Int {
    let sent = texts.reduce(0) { $0 + Self.body(of: $1, separator: 0).count + overhead }
    return OwnText.all.reduce(sent) { $0 + $1.mostBytes + 1 + overhead }
  }

  // Each row is a filter byte and its pixels. A byte takes at most 9 bits, those of the longest literals in deflate's fixed
  // code; zlib stores a block that would be longer. A block has 3 bits of header and 7 of end, and 5 bytes where it
  // is stored; zlib ends one after 16383 symbols at the earliest, which 1024 bytes a block is far below. The stream has 6
  // more bytes. libpng cuts it into chunks of 8 KiB, each with 12 more bytes.
  private var mostPNGBytes: Int {
    let rows = size.height * (1 + size.width * (hasAlpha ? 4 : 3) * request.bitDepth / 8)
    let stream = rows + rows / 8 + 5 * (rows / 1024 + 1) + 6
    let chunks = (stream + 8191) / 8192
    let (signature, header, colourSpace, end) = (8, 25, 13, 12)
    return signature + header + colourSpace + mostTextBytes(overhead: 12) + stream + 12 * chunks + end
  }

  // A block of 8 × 8 samples has one DC coefficient, of a code of at most 16 bits and 11 bits of value, and 63 others, of
  // 16 and 10: 1665 bits. Where all bytes are FF, a zero follows each: 417 bytes. With colours at full size a square of 16
  // pixels has 12 blocks. The tables are two for quantising (65 bytes) and four of Huffman codes (at most 273).
  private var mostJPEGBytes: Int {
    let (ends, jfif, frame, scan) = (4, 18, 19, 14)
    let tables = 4 + 2 * 65 + 4 + 4 * 273
    return ends + jfif + mostTextBytes(overhead: 4) + tables + frame + scan + 417 * 12 * squares
  }

  // All of VP8 is binary decisions, each of at most 7 bits, as a decision leaves at least 1 of a range of at most 255
  // (RFC 6386, 7). A macroblock of 16 × 16 pixels has 25 blocks of 16 coefficients, each of at most 7 decisions for the
  // token, 11 for more bits and one for the sign: 6650 bytes; and at most 154 decisions for the modes: 135 bytes. The
  // frame's header has 1056 probabilities of 9 decisions, and less than 400 others: 8666 bytes. Transparency is a byte
  // and, where it does not compress, a byte a pixel.
  private var mostWebPBytes: Int {
    let (file, header, frame) = (12, 18, 8 + 10)
    let alpha = hasAlpha ? 8 + 1 + size.width * size.height + 1 : 0
    let pixels = 8666 + (6650 + 135) * squares + 1
    return file + header + mostTextBytes(overhead: 9) + alpha + frame + pixels
  }
}
