/// The head of a GIF: everything before the first frame, including its size and texts.
///
/// Each text is stored in a comment (GIF89a specification, section 24) as the keyword, `=`, and the text, as in a JPEG.
package struct GIFHead: Hashable, Sendable {
  /// The size of the picture.
  package let size: PixelSize
  /// The text of each keyword; the first one if a keyword occurs twice.
  package let texts: [String: String]

  /// Reads the head from the first bytes of a file.
  ///
  /// Fails if they are not the beginning of a GIF, or the head is longer than the bytes.
  package init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let start = Array(bytes.prefix(CoverHead.maximumBytes))
    self.init(start.span)
  }

  private init?(_ bytes: Span<UInt8>) {
    guard var blocks = Self.blocksAfterHeader(of: bytes) else { return nil }
    size = PixelSize(
      width: bytes.littleEndian(at: GIFBlocks.signature.count, byteCount: 2),
      height: bytes.littleEndian(at: GIFBlocks.signature.count + 2, byteCount: 2)
    )
    var texts: [String: String] = [:]
    while let kind = Self.takeExtension(&blocks, of: bytes) {
      guard let data = blocks.chain(of: bytes) else { return nil }
      guard kind == GIFBlocks.comment, let separator = data.firstIndex(of: JPEGHead.separator) else { continue }
      let keyword = data.span.latin1(0..<separator)
      texts[keyword] = texts[keyword] ?? data.span.latin1(separator + 1..<data.count)
    }
    guard blocks.nextByte(in: bytes) != nil, size.width > 0, size.height > 0 else { return nil }
    self.texts = texts
  }

  /// Returns an iterator after the header and its table of colours; `nil` if the bytes do not begin with those.
  private static func blocksAfterHeader(of bytes: Span<UInt8>) -> GIFBlocks? {
    var blocks = GIFBlocks()
    guard bytes.starts(with: GIFBlocks.signature), let header = blocks.take(GIFBlocks.headerBytes, of: bytes),
      blocks.skipTable(bytes[header.lowerBound + 10], of: bytes)
    else { return nil }
    return blocks
  }

  /// Advances past the first bytes of an extension that is not part of a frame, and returns its kind.
  private static func takeExtension(_ blocks: inout GIFBlocks, of bytes: Span<UInt8>) -> UInt8? {
    let graphicControl: UInt8 = 0xF9
    var next = blocks
    guard next.byte(of: bytes) == GIFBlocks.extensionStart, let kind = next.byte(of: bytes), kind != graphicControl
    else { return nil }
    blocks = next
    return kind
  }

  /// Returns the GIF with texts added before its first frame.
  ///
  /// - Returns: `nil` if the bytes are not a GIF.
  package static func adding(_ texts: [CoverText], to gif: [UInt8]) -> [UInt8]? {
    guard var blocks = blocksAfterHeader(of: gif.span) else { return nil }
    while takeExtension(&blocks, of: gif.span) != nil {
      guard blocks.chain(of: gif.span) != nil else { return nil }
    }
    let comments = texts.flatMap { text in
      [GIFBlocks.extensionStart, GIFBlocks.comment]
        + GIFBlocks.chain(Array("\(text.keyword.rawValue)=\(text.text)".utf8))
    }
    return Array(gif[..<blocks.position]) + comments + Array(gif[blocks.position...])
  }
}
