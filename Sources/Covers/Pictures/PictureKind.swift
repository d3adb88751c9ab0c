/// The kinds of pictures that are made of a clip.
package enum PictureKind: String, Codable, CodingKey, Sendable {
  /// One frame.
  case cover
  /// Many frames with their times.
  case contactSheet = "sheet"
  /// A short loop.
  case animation
  /// A folder of sheets of small frames.
  case storyboard

  /// The word for it, for people.
  package var noun: String {
    switch self {
    case .cover: "cover"
    case .contactSheet: "contact sheet"
    case .animation: "animation"
    case .storyboard: "storyboard"
    }
  }

  /// The word with its article.
  package var nounWithArticle: String { (self == .animation ? "an " : "a ") + noun }
}

extension CoverRequest {
  /// The kind of picture; a sheet of a storyboard counts as a cover.
  package var kind: PictureKind {
    if animation != nil { return .animation }
    return style == nil ? .cover : .contactSheet
  }
}
