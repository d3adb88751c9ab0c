public import Covers

/// A picture that a dry run would make: the record that is printed as a line for people or as a JSON
/// object for programs.
public struct PlannedPicture: Encodable, Sendable {
  /// Why a picture would be made.
  public enum Reason: String, Codable, Sendable {
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

  /// The kind of a picture of a clip.
  public enum Kind: String, Codable, Sendable, CodingKey {
    case cover, sheet, animation, storyboard
  }

  /// The clip.
  public let clip: CoverOutcome.Clip
  /// The kind of the picture.
  public let kind: Kind
  /// The path of the picture, or of the folder of the storyboard, for display.
  public let path: String
  /// Why it would be made.
  public let reason: Reason

  private enum CodingKeys: String, CodingKey {
    case status, clip, reason
  }

  /// Writes an object with the path under the name of the kind, as in the record of a picture that was made.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("planned", forKey: .status)
    try container.encode(clip, forKey: .clip)
    try container.encode(reason, forKey: .reason)
    var paths = encoder.container(keyedBy: Kind.self)
    try paths.encode(path, forKey: kind)
  }
}

extension PlannedPicture.Kind {
  init(_ kind: PictureKind) {
    switch kind {
    case .cover: self = .cover
    case .contactSheet: self = .sheet
    case .animation: self = .animation
    }
  }
}
