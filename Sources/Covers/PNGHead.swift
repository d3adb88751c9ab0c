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

  /// Reads the head from the first bytes of a file.
  ///
  /// Fails when they are no PNG's, or the head does not fit into them.
  public init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let start = Array(bytes.prefix(CoverHead.mostBytes))
    self.init(start.span)
  }

  private init?(_ bytes: Span<UInt8>) {
    var chunks = PNGChunks()
    guard bytes.starts(with: PNGChunks.signature), chunks.nextName(in: bytes) == .pngHeader,
      let header = chunks.next(in: bytes)?.data, header.count == 13
    else { return nil }
    size = PixelSize(
      width: Int(bytes.bigEndian(at: header.lowerBound)),
      height: Int(bytes.bigEndian(at: header.lowerBound + 4))
    )
    bitDepth = Int(bytes[header.lowerBound + 8])
    guard size.width > 0, size.height > 0 else { return nil }
    var texts: [String: String] = [:]
    texts.reserveCapacity(PNGText.Keyword.allCases.count)
    while let name = chunks.nextName(in: bytes), name != .pngPixels {
      guard let data = chunks.next(in: bytes)?.data else { return nil }
      guard name == .text, let end = bytes.firstIndex(of: 0, in: data) else { continue }
      let keyword = bytes.latin1(data.lowerBound..<end)
      texts.merge(CollectionOfOne((keyword, bytes.latin1(end + 1..<data.upperBound)))) { first, _ in first }
    }
    guard chunks.nextName(in: bytes) == .pngPixels else { return nil }
    self.texts = texts
  }

  /// The text of one of a cover's own keywords.
  public subscript(keyword: PNGText.Keyword) -> String? { texts[keyword.rawValue] }
}

/// The end of a PNG: the empty chunk `IEND` and its checksum, which is always the same.
public enum PNGEnd {
  /// The twelve bytes.
  public static let bytes: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
}
