/// The head of a PNG file: everything before the pixels, including its size and texts.
///
/// The layout follows the PNG specification (third edition), sections 5.2–5.3 and 11.2–11.3.
package struct PNGHead: Hashable, Sendable {
  /// The size of the picture.
  package let size: PixelSize
  /// The number of bits per channel.
  package let bitDepth: Int
  /// The text of each keyword; the first one if a keyword occurs twice.
  package let texts: [String: String]

  /// Reads the head from the first bytes of a file.
  ///
  /// Fails if they are not the beginning of a PNG file, or the head is longer than the bytes.
  package init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let start = Array(bytes.prefix(CoverHead.maximumBytes))
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
    texts.reserveCapacity(CoverText.Keyword.allCases.count)
    while let name = chunks.nextName(in: bytes), name != .pngPixels {
      guard let data = chunks.next(in: bytes)?.data else { return nil }
      guard name == .text, let end = bytes.firstIndex(of: 0, in: data) else { continue }
      let keyword = bytes.latin1(data.lowerBound..<end)
      texts.merge(CollectionOfOne((keyword, bytes.latin1(end + 1..<data.upperBound)))) { first, _ in first }
    }
    guard chunks.nextName(in: bytes) == .pngPixels else { return nil }
    self.texts = texts
  }

  /// The text of one of ClipCanvas's own keywords.
  package subscript(keyword: CoverText.Keyword) -> String? { texts[keyword.rawValue] }
}

/// The end of a PNG file: the empty chunk `IEND` and its checksum, which never changes.
package enum PNGEnd {
  /// The twelve bytes.
  package static let bytes: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
}
