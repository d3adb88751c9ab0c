/// A picture or failure marker whose clip is gone: the record that is printed as a line for people or as a JSON
/// object for programs.
public struct RemovedPicture: Encodable, Sendable {
  /// The kind of what was removed.
  public enum Kind: String, Codable, Sendable {
    case cover, sheet, animation, storyboard
    /// A marker that no cover could be made of a clip.
    case marker
  }

  /// The kind of what was removed.
  public let kind: Kind
  /// The path of the picture, of the storyboard's folder or of the marker, for display.
  public let path: String
  /// The URI of the clip that the picture was made from; `nil` for a marker, which does not name it.
  public let clip: String?
  /// Whether it was only found, by a dry run.
  public let isPlanned: Bool

  private enum CodingKeys: String, CodingKey {
    case status, kind, path, clip
  }

  /// Writes an object with the status `removed`, or `wouldRemove` in a dry run.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(isPlanned ? "wouldRemove" : "removed", forKey: .status)
    try container.encode(kind, forKey: .kind)
    try container.encode(path, forKey: .path)
    try container.encodeIfPresent(clip, forKey: .clip)
  }
}
