/// A picture or failure marker whose clip is gone: the record that is printed as a line for people or as a JSON
/// object for programs.
package struct RemovedPicture: Encodable, Sendable {
  /// The kind of what was removed.
  package enum Kind: String, Codable, Sendable {
    case cover, sheet, animation, storyboard
    /// A marker that no cover could be made of a clip.
    case marker
  }

  /// The kind of what was removed.
  package let kind: Kind
  /// The path of the picture, of the storyboard's folder or of the marker, for display.
  package let path: String
  /// The URI of the clip that the picture was made from; `nil` for a marker, which does not name it.
  package let clip: String?
  /// Whether it was only found, by a dry run.
  package let isPlanned: Bool

  private enum CodingKeys: String, CodingKey {
    case status, kind, path, clip
  }

  /// Writes an object with the status `removed`, or `wouldRemove` in a dry run.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(isPlanned ? "wouldRemove" : "removed", forKey: .status)
    try container.encode(kind, forKey: .kind)
    try container.encode(path, forKey: .path)
    try container.encodeIfPresent(clip, forKey: .clip)
  }
}
