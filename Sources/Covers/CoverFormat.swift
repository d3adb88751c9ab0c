/// The kind of file that a cover is.
public enum CoverFormat: String, Codable, Hashable, Sendable, CaseIterable {
  /// Without loss, with transparency.
  case png
  /// With loss, without transparency: that is laid on black.
  case jpeg
  /// With loss, with transparency.
  case webp

  /// What names of such files end in, without the dot.
  public var fileEnding: String { self == .jpeg ? "jpg" : rawValue }

  /// The format that a name's ending stands for; case does not matter.
  public init?(fileEnding: String) {
    switch fileEnding.lowercased() {
    case "png": self = .png
    case "jpg", "jpeg", "jpe", "jfif": self = .jpeg
    case "webp": self = .webp
    default: return nil
    }
  }
}
