/// The head of a cover, whatever its format: enough to check what a decoder has written and to tell whether a cover is
/// fresh, without a library for pictures in the parent.
public struct CoverHead: Hashable, Sendable {
  /// How many bytes at the start of a file are looked at, at most; a cover's head is well below.
  public static let mostBytes = 64 * 1024
  /// How many bytes at the end of a file are looked at, at most.
  public static let endBytes = PNGEnd.bytes.count

  /// The kind of file, by what is in it and not by its name.
  public let format: CoverFormat
  /// Of the picture.
  public let size: PixelSize
  /// The text of each keyword.
  public let texts: [String: String]
  /// Whether the file ends as one of its format does, so that nothing was cut off.
  public let isWhole: Bool

  /// Reads the head of a file.
  ///
  /// Fails when it is none of the formats, or its head is longer than ``mostBytes``.
  ///
  /// - Parameters:
  ///   - start: The first ``mostBytes`` bytes, fewer where the file has fewer.
  ///   - end: The last ``endBytes`` bytes, fewer where the file has fewer.
  ///   - fileBytes: How long the file is.
  public init?(start: [UInt8], end: [UInt8], fileBytes: Int) {
    if let head = PNGHead(start) {
      (format, size, texts) = (.png, head.size, head.texts)
      isWhole = end == PNGEnd.bytes
    } else if let head = JPEGHead(start) {
      (format, size, texts) = (.jpeg, head.size, head.texts)
      isWhole = end.suffix(JPEGHead.end.count) == JPEGHead.end[...]
    } else if let head = WebPHead(start) {
      (format, size, texts) = (.webp, head.size, head.texts)
      isWhole = head.fileBytes == fileBytes
    } else {
      return nil
    }
  }

  /// The text of one of a cover's own keywords.
  public subscript(keyword: PNGText.Keyword) -> String? { texts[keyword.rawValue] }

  /// Whether clipcanvas made the picture as the cover of a clip.
  public var isCover: Bool { isOwn && self[.boardRevision] == nil }

  /// Whether clipcanvas made the picture of a board.
  public var isBoard: Bool { isOwn && self[.boardRevision] != nil }

  private var isOwn: Bool { self[.software]?.hasPrefix("ClipCanvas ") == true }
}
