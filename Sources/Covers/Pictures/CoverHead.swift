/// The head of a cover in any format: enough to check what a decoder has written and whether a cover is fresh, without
/// an image library in the parent process.
package struct CoverHead: Hashable, Sendable {
  /// The maximum number of bytes read at the start of a file; the head of a cover is much shorter.
  package static let maximumBytes = 64 * 1024
  /// The maximum number of bytes read at the end of a file.
  package static let endBytes = PNGEnd.bytes.count

  /// The file format, recognised by content rather than by name; `nil` for an animation.
  package let format: CoverFormat?
  /// The size of the picture.
  package let size: PixelSize
  /// The text of each keyword.
  package let texts: [String: String]
  /// Whether the file ends as its format requires, so that nothing was cut off.
  package let isWhole: Bool

  /// Reads the head of a file.
  ///
  /// Fails if the file is not in one of the formats, or its head is longer than ``maximumBytes``.
  ///
  /// - Parameters:
  ///   - start: The first ``maximumBytes`` bytes, or all bytes of a shorter file.
  ///   - end: The last ``endBytes`` bytes, or all bytes of a shorter file.
  ///   - fileBytes: The length of the file.
  package init?(start: [UInt8], end: [UInt8], fileBytes: Int) {
    if let head = PNGHead(start) {
      (format, size, texts) = (.png, head.size, head.texts)
      isWhole = end == PNGEnd.bytes
    } else if let head = JPEGHead(start) {
      (format, size, texts) = (.jpeg, head.size, head.texts)
      isWhole = end.suffix(JPEGHead.end.count) == JPEGHead.end[...]
    } else if let head = WebPHead(start) {
      (format, size, texts) = (head.isAnimation ? nil : .webp, head.size, head.texts)
      isWhole = head.fileBytes == fileBytes
    } else if let head = GIFHead(start) {
      (format, size, texts) = (nil, head.size, head.texts)
      isWhole = end.suffix(GIFBlocks.end.count) == GIFBlocks.end[...]
    } else {
      return nil
    }
  }

  /// The text of one of ClipCanvas's own keywords.
  package subscript(keyword: CoverText.Keyword) -> String? { texts[keyword.rawValue] }

  /// Whether clipcanvas made the picture as a cover or an animation of a clip.
  package var isCover: Bool { isOwn && self[.boardRevision] == nil }

  /// Whether clipcanvas made the picture from a board.
  package var isBoard: Bool { isOwn && self[.boardRevision] != nil }

  private var isOwn: Bool { self[.software]?.hasPrefix("ClipCanvas ") == true }
}
