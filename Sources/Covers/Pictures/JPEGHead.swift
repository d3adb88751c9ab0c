/// The head of a JPEG file: everything before the pixels, including its size and texts.
///
/// Each text is stored in a comment segment (`COM`) as the keyword, `=`, and the text. The layout follows ITU-T T.81,
/// annex B.
package struct JPEGHead: Hashable, Sendable {
  /// The size of the picture.
  package let size: PixelSize
  /// The text of each keyword; the first one if a keyword occurs twice.
  package let texts: [String: String]

  /// The last bytes of every complete JPEG file; this pair of bytes does not occur among the pixels.
  package static let end: [UInt8] = [0xFF, JPEGSegments.Marker.eoi]

  /// The byte between a keyword and its text.
  package static let separator = UInt8(ascii: "=")

  /// Reads the head from the first bytes of a file.
  ///
  /// Fails if they are not the beginning of a JPEG file, or the head is longer than the bytes.
  package init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let start = Array(bytes.prefix(CoverHead.maximumBytes))
    self.init(start.span)
  }

  private init?(_ bytes: Span<UInt8>) {
    var segments = JPEGSegments()
    var size: PixelSize?
    var texts: [String: String] = [:]
    while let segment = segments.next(in: bytes) {
      let data = segment.data
      switch segment.marker {
      case JPEGSegments.Marker.sos:
        guard let size, size.width > 0, size.height > 0 else { return nil }
        self.size = size
        self.texts = texts
        return
      case JPEGSegments.Marker.com:
        guard let separator = bytes.firstIndex(of: Self.separator, in: data) else { continue }
        let keyword = bytes.latin1(data.lowerBound..<separator)
        texts[keyword] = texts[keyword] ?? bytes.latin1(separator + 1..<data.upperBound)
      case let marker where Self.isFrame(marker) && data.count >= Self.leastFrameBytes:
        let sides = (1...4).map { Int(bytes[data.lowerBound + $0]) }
        size = PixelSize(width: sides[2] << 8 | sides[3], height: sides[0] << 8 | sides[1])
      default: continue
      }
    }
    return nil
  }

  /// The minimum length of a frame header: precision, height, width, the number of components, and one component.
  private static let leastFrameBytes = 9

  /// Whether a marker is a frame header: C0 to CF, except those for Huffman tables (C4), extensions (C8) and arithmetic
  /// coding (CC).
  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && ![JPEGSegments.Marker.dht, 0xC8, 0xCC].contains(marker)
  }

  /// Returns the JPEG file with texts added after its JFIF segment, which must come first.
  ///
  /// - Returns: `nil` if the bytes are not a JPEG file, or a text is too long for a segment.
  package static func adding(_ texts: [CoverText], to jpeg: [UInt8]) -> [UInt8]? {
    var segments = JPEGSegments()
    guard let first = segments.next(in: jpeg.span) else { return nil }
    let hasJFIF = first.marker == JPEGSegments.Marker.app0
    var result = Array(jpeg[..<(hasJFIF ? segments.position : JPEGSegments.start.count)])
    let rest = jpeg[result.count...]
    for text in texts {
      let body = Array("\(text.keyword.rawValue)=\(text.text)".utf8)
      guard let length = UInt16(exactly: body.count + 2) else { return nil }
      result += [0xFF, JPEGSegments.Marker.com, UInt8(length >> 8), UInt8(length & 0xFF)] + body
    }
    return result + rest
  }
}
