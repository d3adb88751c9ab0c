/// A keyword and its text in a PNG's `tEXt` chunk; both ASCII here.
///
/// Covers of other formats carry the same texts; ``JPEGHead`` and ``WebPHead`` tell how.
///
/// The `Thumb` keywords are those of the Thumbnail Managing Standard of freedesktop.org, so that file managers
/// understand a cover.
public struct PNGText: Codable, Hashable, Sendable {
  /// The names of the texts that a cover carries.
  public enum Keyword: String, Codable, Sendable, CaseIterable {
    case uri = "Thumb::URI"
    /// Seconds since 1970.
    case mtime = "Thumb::MTime"
    /// Bytes.
    case size = "Thumb::Size"
    case mimeType = "Thumb::Mimetype"
    /// Seconds.
    case movieLength = "Thumb::Movie::Length"
    case software = "Software"
    /// Nanoseconds since 1970: two recordings of one second are told apart.
    case mtimeNanoseconds = "ClipCanvas::MTimeNanoseconds"
    /// The request, so that a changed request makes the cover stale.
    case request = "ClipCanvas::Request"
    /// Of a picture of a board: its revision. No cover has it.
    case boardRevision = "ClipCanvas::BoardRevision"
  }

  /// What the text tells.
  public var keyword: Keyword
  /// ASCII.
  public var text: String

  /// Makes one of its parts.
  public init(_ keyword: Keyword, _ text: String) {
    self.keyword = keyword
    self.text = text
  }
}
