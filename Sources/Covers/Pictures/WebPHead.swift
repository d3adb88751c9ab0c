/// The head of a WebP file in the extended format: everything before the pixels, including its size and texts.
///
/// Each text is stored in a chunk named and laid out as in PNG: `tEXt`, with the keyword, a zero byte, and the text.
/// The file layout follows RFC 9649, sections 2.3 and 2.7, which let readers skip unknown chunks and allow these chunks
/// anywhere. They come first, so that a truncated file still contains them.
package struct WebPHead: Hashable, Sendable {
  /// The size of the picture.
  package let size: PixelSize
  /// Whether the picture has transparency.
  package let hasAlpha: Bool
  /// The text of each keyword; the first one if a keyword occurs twice.
  package let texts: [String: String]
  /// The length of the file according to its header.
  package let fileBytes: Int
  /// Whether the file is an animation.
  package let isAnimation: Bool

  /// The header flags of a WebP file with transparency.
  package static let alphaFlag: UInt8 = 0x10

  /// Reads the head from the first bytes of a file.
  ///
  /// Fails if they are not the beginning of a WebP file in the extended format, or the head is longer than the bytes.
  package init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let start = Array(bytes.prefix(CoverHead.maximumBytes))
    self.init(start.span)
  }

  private init?(_ bytes: Span<UInt8>) {
    var chunks = WebPChunks()
    guard let fileBytes = WebPChunks.fileBytes(in: bytes), chunks.nextName(in: bytes) == .webPHeader,
      let header = chunks.next(in: bytes)?.data, header.count == 10
    else { return nil }
    var texts: [String: String] = [:]
    while let name = chunks.nextName(in: bytes) {
      if [.webPAlpha, .webPPixels, .webPLosslessPixels, .webPAnimation].contains(name) {
        size = PixelSize(
          width: 1 + bytes.littleEndian(at: header.lowerBound + 4, byteCount: 3),
          height: 1 + bytes.littleEndian(at: header.lowerBound + 7, byteCount: 3)
        )
        hasAlpha = bytes[header.lowerBound] & Self.alphaFlag != 0
        self.texts = texts
        self.fileBytes = fileBytes
        isAnimation = name == .webPAnimation
        return
      }
      guard let data = chunks.next(in: bytes)?.data else { return nil }
      guard name == .text, let end = bytes.firstIndex(of: 0, in: data) else { continue }
      let keyword = bytes.latin1(data.lowerBound..<end)
      texts.merge(CollectionOfOne((keyword, bytes.latin1(end + 1..<data.upperBound)))) { first, _ in first }
    }
    return nil
  }

  /// Returns the WebP file with texts added, in the extended format.
  ///
  /// - Parameters:
  ///   - texts: The texts to add.
  ///   - webP: A lossy WebP file in the simple or extended format, or an animation.
  ///   - size: The size of the picture.
  /// - Returns: `nil` if the bytes are not such a file.
  package static func adding(_ texts: [CoverText], to webP: [UInt8], size: PixelSize) -> [UInt8]? {
    var chunks = WebPChunks()
    guard WebPChunks.fileBytes(in: webP.span) == webP.count, let name = chunks.nextName(in: webP.span),
      [.webPHeader, .webPPixels].contains(name)
    else { return nil }
    var flags: UInt8 = 0
    if name == .webPHeader {
      guard let header = chunks.next(in: webP.span)?.data else { return nil }
      flags = header.isEmpty ? 0 : webP[header.lowerBound]
    }
    let sides = littleEndian(size.width - 1, bytes: 3) + littleEndian(size.height - 1, bytes: 3)
    var body = Array("WEBP".utf8) + chunk("VP8X", [flags, 0, 0, 0] + sides)
    for text in texts {
      body += chunk("tEXt", Array(text.keyword.rawValue.utf8) + [0] + Array(text.text.utf8))
    }
    body += webP[chunks.position...]
    return Array("RIFF".utf8) + littleEndian(body.count, bytes: 4) + body
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    Array(type.utf8) + littleEndian(data.count, bytes: 4) + data + (data.count % 2 == 1 ? [0] : [])
  }

  private static func littleEndian(_ number: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
