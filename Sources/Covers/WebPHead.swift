/// The head of a WebP in the extended format: its size and its texts, everything that stands before the pixels.
///
/// A text is a chunk of its own, named and laid out as in a PNG: `tEXt`, with the keyword, a zero byte, and the text.
/// The layout of the file is that of RFC 9649, 2.3 and 2.7. It lets readers pass over chunks that they do not know, and
/// lets these stand anywhere, so they come first: what is left of a file that was cut short still tells what it was.
public struct WebPHead: Hashable, Sendable {
  /// Of the picture.
  public let size: PixelSize
  /// Whether it has transparency.
  public let hasAlpha: Bool
  /// The text of each keyword; the first where one comes twice.
  public let texts: [String: String]
  /// How long the file says that it is.
  public let fileBytes: Int

  /// What the header's flags are for a WebP with transparency.
  package static let alphaFlag: UInt8 = 0x10

  /// Reads the head from the first bytes of a file.
  ///
  /// Fails when they are no WebP's in the extended format, or the head does not fit into them.
  public init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let start = Array(bytes.prefix(CoverHead.mostBytes))
    self.init(start.span)
  }

  private init?(_ bytes: Span<UInt8>) {
    var chunks = WebPChunks()
    guard let fileBytes = WebPChunks.fileBytes(in: bytes), chunks.nextName(in: bytes) == .webPHeader,
      let header = chunks.next(in: bytes)?.data, header.count == 10
    else { return nil }
    var texts: [String: String] = [:]
    while let name = chunks.nextName(in: bytes) {
      if [.webPAlpha, .webPPixels, .webPLosslessPixels].contains(name) {
        size = PixelSize(
          width: 1 + bytes.littleEndian(at: header.lowerBound + 4, byteCount: 3),
          height: 1 + bytes.littleEndian(at: header.lowerBound + 7, byteCount: 3)
        )
        hasAlpha = bytes[header.lowerBound] & Self.alphaFlag != 0
        self.texts = texts
        self.fileBytes = fileBytes
        return
      }
      guard let data = chunks.next(in: bytes)?.data else { return nil }
      guard name == .text, let end = bytes.firstIndex(of: 0, in: data) else { continue }
      let keyword = bytes.latin1(data.lowerBound..<end)
      texts.merge(CollectionOfOne((keyword, bytes.latin1(end + 1..<data.upperBound)))) { first, _ in first }
    }
    return nil
  }

  /// The same WebP in the extended format, with texts.
  ///
  /// - Parameters:
  ///   - texts: What to add.
  ///   - webP: With loss; in the simple format or the extended one.
  ///   - size: Of the picture.
  /// - Returns: `nil` when the bytes are no such WebP.
  public static func adding(_ texts: [PNGText], to webP: [UInt8], size: PixelSize) -> [UInt8]? {
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
