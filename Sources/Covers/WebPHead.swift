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

  private static let textChunk = "tEXt"
  private static let alphaFlag: UInt8 = 0x10

  /// Reads the head from the first bytes of a file.
  ///
  /// Fails when they are no WebP's in the extended format, or the head does not fit into them.
  public init?(_ bytes: some RandomAccessCollection<UInt8>) {
    var chunks = Chunks(bytes: Array(bytes.prefix(CoverHead.mostBytes)))
    guard let fileBytes = chunks.fileBytes, let header = chunks.next(), header.type == "VP8X", header.data.count == 10
    else { return nil }
    let data = Array(header.data)
    var texts: [String: String] = [:]
    while let type = chunks.nextType {
      if ["ALPH", "VP8 ", "VP8L"].contains(type) {
        size = PixelSize(width: 1 + data[4..<7].littleEndian, height: 1 + data[7..<10].littleEndian)
        hasAlpha = data[0] & Self.alphaFlag != 0
        self.texts = texts
        self.fileBytes = fileBytes
        return
      }
      guard let chunk = chunks.next() else { return nil }
      guard type == Self.textChunk, let end = chunk.data.firstIndex(of: 0) else { continue }
      let keyword = String(latin1: chunk.data[..<end])
      texts.merge(CollectionOfOne((keyword, String(latin1: chunk.data[(end + 1)...])))) { first, _ in first }
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
    var chunks = Chunks(bytes: webP)
    guard chunks.fileBytes == webP.count, let type = chunks.nextType, ["VP8X", "VP8 "].contains(type) else {
      return nil
    }
    var flags: UInt8 = 0
    if type == "VP8X" {
      guard let header = chunks.next() else { return nil }
      flags = header.data.first ?? 0
    }
    let sides = littleEndian(size.width - 1, bytes: 3) + littleEndian(size.height - 1, bytes: 3)
    var body = Array("WEBP".utf8) + chunk("VP8X", [flags, 0, 0, 0] + sides)
    for text in texts {
      body += chunk(textChunk, Array(text.keyword.rawValue.utf8) + [0] + Array(text.text.utf8))
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

  /// Walks the chunks, each a type, a length, the data, and a byte to make them even.
  private struct Chunks {
    let bytes: [UInt8]
    private(set) var position = 12

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// How long the file says that it is; `nil` when it is no WebP.
    var fileBytes: Int? {
      guard bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8) else {
        return nil
      }
      return bytes[4..<8].littleEndian + 8
    }

    /// The type of the next chunk, whose own head lies whole in the bytes.
    var nextType: String? {
      position + 8 <= bytes.count ? String(latin1: bytes[position..<position + 4]) : nil
    }

    /// The next chunk that lies whole in the bytes.
    mutating func next() -> (type: String, data: ArraySlice<UInt8>)? {
      guard let type = nextType else { return nil }
      let length = bytes[position + 4..<position + 8].littleEndian
      let start = position + 8
      guard length + length % 2 <= bytes.count - start else { return nil }
      position = start + length + length % 2
      return (type, bytes[start..<start + length])
    }
  }
}

extension ArraySlice<UInt8> {
  /// The number that at most four bytes are, the least of them first.
  fileprivate var littleEndian: Int { reversed().reduce(0) { $0 << 8 | Int($1) } }
}
