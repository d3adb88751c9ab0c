internal import Covers

extension AnimationFileCheck {
  /// Checks a GIF: the header with a table of colours, loops for ever, our texts, the frames, the
  /// end, and nothing else.
  func validateGIF(_ bytes: Span<UInt8>) throws(CoverFlaw) {
    var blocks = GIFBlocks()
    guard bytes.starts(with: GIFBlocks.signature) else { throw .otherAnimation(.gif) }
    let header = try blocks.next(GIFBlocks.headerBytes, of: bytes).lowerBound
    let (flags, aspect) = (bytes[header + 10], bytes[header + 12])
    // A table of colours that are not sorted, and square pixels.
    guard bytes.littleEndian(at: header + 6, byteCount: 2) == size.width,
      bytes.littleEndian(at: header + 8, byteCount: 2) == size.height, flags & 0x88 == 0x80, aspect == 0
    else { throw .header }
    try blocks.needTable(flags, of: bytes)
    guard bytes.array(try blocks.next(Self.loopsForEver.count, of: bytes)) == Self.loopsForEver else { throw .header }

    try validateComments(&blocks, of: bytes)

    var durations: [Int] = []
    while true {
      switch try blocks.needByte(of: bytes) {
      case GIFBlocks.extensionStart: durations.append(try validateFrame(&blocks, of: bytes))
      case 0x3B:
        guard blocks.position == bytes.count else { throw .trailing(bytes.count - blocks.position) }
        try validate(durations: durations)
        return
      case let other: throw .unexpected("block \(other)")
      }
    }
  }

  /// The extension that makes an animation loop for ever in every program.
  private static let loopsForEver: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]

  /// Checks the comments, which are the texts.
  private func validateComments(_ blocks: inout GIFBlocks, of bytes: Span<UInt8>) throws(CoverFlaw) {
    let start = [GIFBlocks.extensionStart, GIFBlocks.comment]
    var found: [[UInt8]] = []
    while bytes.count - blocks.position >= start.count,
      bytes.array(blocks.position..<blocks.position + start.count) == start
    {
      _ = try blocks.next(start.count, of: bytes)
      let first = blocks.position
      guard let comment = blocks.chain(of: bytes) else { throw .malformed }
      // The same text can be divided into blocks in many ways.
      guard bytes.array(first..<blocks.position) == GIFBlocks.chain(comment) else { throw .malformed }
      found.append(comment)
    }
    try texts.validate(found, separator: JPEGHead.separator)
  }

  /// Checks a frame after its first byte: the control block, and the picture.
  ///
  /// - Returns: Its duration in milliseconds.
  private func validateFrame(_ blocks: inout GIFBlocks, of bytes: Span<UInt8>) throws(CoverFlaw) -> Int {
    let control = try blocks.next(7, of: bytes).lowerBound
    guard bytes[control] == 0xF9, bytes[control + 1] == 4, bytes[control + 6] == 0 else {
      throw .unexpected("extension \(bytes[control])")
    }
    // The disposal method, no user input, and whether a colour is transparent.
    let flags = bytes[control + 2]
    guard flags >> 5 == 0, flags >> 2 & 7 <= 3, flags & 2 == 0 else { throw .header }

    let picture = try blocks.next(10, of: bytes).lowerBound
    let numbers = [1, 3, 5, 7].map { bytes.littleEndian(at: picture + $0, byteCount: 2) }
    let (left, top, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    guard bytes[picture] == 0x2C else { throw .unexpected("block \(bytes[picture])") }
    // The lines are in order, the colours are not sorted, and two bits are reserved. Three bits are
    // the size of a table.
    let form = bytes[picture + 9]
    guard width > 0, height > 0, left + width <= size.width, top + height <= size.height,
      form & 0x78 == 0, form == 0 || form & 0x80 != 0
    else { throw .header }
    try blocks.needTable(form, of: bytes)
    guard (2...8).contains(try blocks.needByte(of: bytes)) else { throw .header }
    guard let codes = blocks.chain(of: bytes) else { throw .malformed }
    guard !codes.isEmpty else { throw .noPixels }
    return 10 * bytes.littleEndian(at: control + 3, byteCount: 2)
  }
}

extension GIFBlocks {
  /// The maximum length of a frame.
  ///
  /// It has a control block of 8 bytes, a descriptor of 10, a table, the size of codes, and the codes. A pixel takes at
  /// most one code of 12 bits. There is a code at both ends and fewer than one per pixel to clear the table of codes.
  /// The codes are in blocks of at most 255 bytes, each with its length, and an empty one.
  static func maximumFrameBytes(of size: PixelSize) -> Int {
    let codes = 3 * (size.width * size.height + 1)
    return 8 + 10 + maximumTableBytes + 1 + codes + codes / 255 + 1 + 1
  }

  /// Returns the range of the next bytes, which must all be there, and advances past them.
  fileprivate mutating func next(_ count: Int, of bytes: Span<UInt8>) throws(CoverFlaw) -> Range<Int> {
    guard let range = take(count, of: bytes) else { throw .malformed }
    return range
  }

  fileprivate mutating func needByte(of bytes: Span<UInt8>) throws(CoverFlaw) -> UInt8 {
    bytes[try next(1, of: bytes).lowerBound]
  }

  fileprivate mutating func needTable(_ flags: UInt8, of bytes: Span<UInt8>) throws(CoverFlaw) {
    guard skipTable(flags, of: bytes) else { throw .malformed }
  }
}
