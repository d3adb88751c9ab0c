/// The head of a JPEG: its size and its texts, everything that stands before the pixels.
///
/// A text is a comment (`COM`) of its own: the keyword, `=`, and the text. The layout is that of ITU-T T.81, annex B.
public struct JPEGHead: Hashable, Sendable {
  /// Of the picture.
  public let size: PixelSize
  /// The text of each keyword; the first where one comes twice.
  public let texts: [String: String]

  /// What every whole JPEG ends with; these two bytes do not stand next to each other among its pixels.
  public static let end: [UInt8] = [0xFF, Marker.end]

  private enum Marker {
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let pixels: UInt8 = 0xDA
    static let application0: UInt8 = 0xE0
    static let comment: UInt8 = 0xFE

    /// Frame headers: C0 to CF without those for Huffman tables (C4), extensions (C8) and arithmetic coding (CC).
    static func isFrame(_ marker: UInt8) -> Bool {
      (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
  }

  /// Reads the head from the first bytes of a file.
  ///
  /// Fails when they are no JPEG's, or the head does not fit into them.
  public init?(_ bytes: some RandomAccessCollection<UInt8>) {
    var segments = Segments(bytes: Array(bytes.prefix(CoverHead.mostBytes)))
    var size: PixelSize?
    var texts: [String: String] = [:]
    while let segment = segments.next() {
      let data = segment.data
      switch segment.marker {
      case Marker.pixels:
        guard let size, size.width > 0, size.height > 0 else { return nil }
        self.size = size
        self.texts = texts
        return
      case Marker.comment:
        guard let separator = data.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let keyword = String(latin1: data[..<separator])
        texts[keyword] = texts[keyword] ?? String(latin1: data[(separator + 1)...])
      case let marker where Marker.isFrame(marker) && data.count >= 6:
        let sides = data.dropFirst().prefix(4).map { Int($0) }
        size = PixelSize(width: sides[2] << 8 | sides[3], height: sides[0] << 8 | sides[1])
      default: continue
      }
    }
    return nil
  }

  /// The same JPEG with texts, which follow its JFIF segment as that must be the first.
  ///
  /// - Returns: `nil` when the bytes are no JPEG, or a text is too long for a segment.
  public static func adding(_ texts: [PNGText], to jpeg: [UInt8]) -> [UInt8]? {
    var segments = Segments(bytes: jpeg)
    guard let first = segments.next() else { return nil }
    var result = Array(jpeg[..<(first.marker == Marker.application0 ? segments.position : Segments.startBytes)])
    let rest = jpeg[result.count...]
    for text in texts {
      let body = Array("\(text.keyword.rawValue)=\(text.text)".utf8)
      guard let length = UInt16(exactly: body.count + 2) else { return nil }
      result += [0xFF, Marker.comment, UInt8(length >> 8), UInt8(length & 0xFF)] + body
    }
    return result + rest
  }

  /// Walks the segments before the pixels, each a marker, a length and the data.
  private struct Segments {
    static let startBytes = 2

    let bytes: [UInt8]
    private(set) var position = Self.startBytes

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// The next segment that lies whole in the bytes.
    mutating func next() -> (marker: UInt8, data: ArraySlice<UInt8>)? {
      guard bytes.starts(with: [0xFF, Marker.start]), position + 4 <= bytes.count, bytes[position] == 0xFF else {
        return nil
      }
      let marker = bytes[position + 1]
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      // Below C0, and from D0 to D9, there are no segments with a length that could stand here.
      guard marker >= 0xC0, !(0xD0...0xD9).contains(marker), marker != 0xFF else { return nil }
      guard length >= 2, length <= bytes.count - position - 2 else { return nil }
      let start = position + 4
      position += 2 + length
      return (marker, bytes[start..<position])
    }
  }
}
