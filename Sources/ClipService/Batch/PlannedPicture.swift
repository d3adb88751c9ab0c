package import Covers

/// A picture that a dry run would make: the record that is printed as a line for people or as a JSON
/// object for programs.
package struct PlannedPicture: Encodable, Sendable {
  /// Why a picture would be made.
  package enum Reason: String, Codable, Sendable {
    /// The picture does not exist.
    case missing
    /// The existing picture was made from another version of the clip, or from another clip.
    case clipChanged
    /// The existing picture was made with other options.
    case optionsChanged
    /// The existing picture is damaged.
    case damaged
    /// The existing picture is up to date or was not made by clipcanvas, and is replaced because of `--force`.
    case forced
  }

  /// The clip.
  package let clip: PictureOutcome.Clip
  /// The kind of the picture.
  package let kind: PictureKind
  /// The path of the picture, or of the folder of the storyboard, for display.
  package let path: String
  /// Why it would be made.
  package let reason: Reason

  private enum CodingKeys: String, CodingKey {
    case status, clip, reason
  }

  /// Writes an object with the path under the name of the kind, as in the record of a picture that was made.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("planned", forKey: .status)
    try container.encode(clip, forKey: .clip)
    try container.encode(reason, forKey: .reason)
    var paths = encoder.container(keyedBy: PictureKind.self)
    try paths.encode(path, forKey: kind)
  }
}
