/// The head of a PNG: its size and its texts, everything that stands before the pixels.
///
/// The layout is that of the PNG specification (third edition), 5.2 to 5.3 and 11.2 to 11.3.
public struct PNGHead: Hashable, Sendable {
  /// Of the picture.
  public let size: PixelSize
  /// Bits a channel.
  public let bitDepth: Int
  /// The text of each keyword; the first where one comes twice.
  public let texts: [String: String]

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Reads the head from the first bytes of a file.
  ///
  /// Fails when they are no PNG's, or the head does not fit into them.
  public init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let bytes = Array(bytes.prefix(CoverHead.mostBytes))
    guard bytes.starts(with: Self.signature) else { return nil }
    var chunks = ChunkReader(bytes: bytes, position: Self.signature.count)
    guard let header = chunks.next(), header.type == "IHDR", header.data.count == 13,
      let width = Self.number(header.data.prefix(4)), let height = Self.number(header.data.dropFirst(4).prefix(4)),
      width > 0, height > 0, let depth = header.data.dropFirst(8).first
    else { return nil }
    var texts: [String: String] = [:]
    texts.reserveCapacity(PNGText.Keyword.allCases.count)
    while let chunk = chunks.next(), chunk.type != "IDAT" {
      guard chunk.type == "tEXt", let end = chunk.data.firstIndex(of: 0) else { continue }
      let keyword = String(latin1: chunk.data[..<end])
      texts.merge(CollectionOfOne((keyword, String(latin1: chunk.data[(end + 1)...])))) { first, _ in first }
    }
    guard chunks.reachedPixels else { return nil }
    size = PixelSize(width: width, height: height)
    bitDepth = Int(depth)
    self.texts = texts
  }

  /// The text of one of a cover's own keywords.
  public subscript(keyword: PNGText.Keyword) -> String? { texts[keyword.rawValue] }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
  }

  /// Walks the chunks, each a length, a type, the data and a checksum.
  private struct ChunkReader {
    let bytes: [UInt8]
    var position: Int
    var reachedPixels = false

    /// The next chunk, cut off where the bytes end; of `IDAT` only that it is there.
    mutating func next() -> (type: String, data: ArraySlice<UInt8>)? {
      guard position + 8 <= bytes.count, let length = PNGHead.number(bytes[position..<position + 4]) else { return nil }
      let type = String(latin1: bytes[position + 4..<position + 8])
      if type == "IDAT" {
        reachedPixels = true
        return (type, [])
      }
      let start = position + 8
      // After a chunk that is cut off no pixels are reached, so the head is refused.
      position = start + length + 4
      return (type, bytes[start...].prefix(length))
    }
  }
}

/// The end of a PNG: the empty chunk `IEND` and its checksum, which is always the same.
public enum PNGEnd {
  /// The twelve bytes.
  public static let bytes: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
}
