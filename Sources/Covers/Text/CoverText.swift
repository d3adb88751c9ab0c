/// The keyword and text of a PNG `tEXt` chunk; both are ASCII here.
///
/// Covers in other formats contain the same texts; ``JPEGHead`` and ``WebPHead`` describe how.
///
/// The `Thumb` keywords follow the Thumbnail Managing Standard of freedesktop.org, so file managers understand a cover.
package struct CoverText: Codable, Hashable, Sendable {
  /// The keywords of the texts in a cover.
  package enum Keyword: String, Codable, Sendable, CaseIterable {
    case uri = "Thumb::URI"
    /// The clip's modification time, in seconds since 1970.
    case mtime = "Thumb::MTime"
    /// The clip's size in bytes.
    case size = "Thumb::Size"
    case mimeType = "Thumb::Mimetype"
    /// The clip's duration in seconds.
    case movieLength = "Thumb::Movie::Length"
    case software = "Software"
    /// The clip's modification time in nanoseconds since 1970, which distinguishes two recordings made within one
    /// second.
    case mtimeNanoseconds = "ClipCanvas::MTimeNanoseconds"
    /// The request; a cover made with a different request is stale.
    case request = "ClipCanvas::Request"
    /// The facts of the cover; see ``CoverFacts``.
    case facts = "ClipCanvas::Facts"
    /// The board revision of a picture made from a board; covers do not have it.
    case boardRevision = "ClipCanvas::BoardRevision"
  }

  /// The keyword.
  package var keyword: Keyword
  /// The text, in ASCII.
  package var text: String

  /// Creates a text.
  package init(_ keyword: Keyword, _ text: String) {
    self.keyword = keyword
    self.text = text
  }
}
