internal import Covers

extension AnimationFileCheck {
  /// Checks a GIF: the header with a table of colours, loops for ever, the frames, the end, and nothing else.
  func validateGIF(_ bytes: Span<UInt8>) throws(CoverFlaw) {
    var blocks = GIFBlocks()
    guard bytes.starts(with: Array("GIF89a".utf8)) else { throw .otherAnimation(.gif) }
    let header = try blocks.take(13, of: bytes).lowerBound
    let (flags, aspect) = (bytes[header + 10], bytes[header + 12])
    // A table of colours that are not sorted, and square pixels.
    guard bytes.littleEndian(at: header + 6, byteCount: 2) == size.width,
      bytes.littleEndian(at: header + 8, byteCount: 2) == size.height, flags & 0x88 == 0x80, aspect == 0
    else { throw .header }
    try blocks.skipTable(flags, of: bytes)
    guard bytes.array(try blocks.take(Self.loopsForEver.count, of: bytes)) == Self.loopsForEver else { throw .header }

    var durations: [Int] = []
    while true {
      switch try blocks.byte(of: bytes) {
      case 0x21: durations.append(try validateFrame(&blocks, of: bytes))
      case 0x3B:
        guard blocks.position == bytes.count else { throw .trailing(bytes.count - blocks.position) }
        try validate(durations: durations)
        return
      case let other: throw .unexpected("block \(other)")
      }
    }
  }

  /// The extension by which every program knows that an animation loops for ever.
  private static let loopsForEver: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]

  /// Checks a frame after its first byte: the control block, and the picture.
  ///
  /// - Returns: Its duration in milliseconds.
  private func validateFrame(_ blocks: inout GIFBlocks, of bytes: Span<UInt8>) throws(CoverFlaw) -> Int {
    let control = try blocks.take(7, of: bytes).lowerBound
    guard bytes[control] == 0xF9, bytes[control + 1] == 4, bytes[control + 6] == 0 else {
      throw .unexpected("extension \(bytes[control])")
    }
    // How it makes way for the next one, nobody has to press a key, and whether a colour is transparent.
    let flags = bytes[control + 2]
    guard flags >> 5 == 0, flags >> 2 & 7 <= 3, flags & 2 == 0 else { throw .header }

    let picture = try blocks.take(10, of: bytes).lowerBound
    let numbers = [1, 3, 5, 7].map { bytes.littleEndian(at: picture + $0, byteCount: 2) }
    let (left, top, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    guard bytes[picture] == 0x2C else { throw .unexpected("block \(bytes[picture])") }
    // The lines are in order, the colours are not sorted, and two bits are reserved. Three bits are the size of a table.
    let form = bytes[picture + 9]
    guard width > 0, height > 0, left + width <= size.width, top + height <= size.height,
      form & 0x78 == 0, form == 0 || form & 0x80 != 0
    else { throw .header }
    try blocks.skipTable(form, of: bytes)
    guard (2...8).contains(try blocks.byte(of: bytes)) else { throw .header }
    try blocks.skipChain(of: bytes)
    return 10 * bytes.littleEndian(at: control + 3, byteCount: 2)
  }
}
