/// The file format of an animation.
public enum AnimationFormat: String, Codable, Hashable, Sendable, CaseIterable {
  /// Lossy, with transparency.
  case webp
  /// At most 255 colours, without transparency: transparent parts are drawn over black.
  case gif

  /// The usual file extension, without the dot.
  public var fileExtension: String { rawValue }

  /// Creates the format of a file extension, ignoring case.
  public init?(fileExtension: String) {
    self.init(rawValue: fileExtension.lowercased())
  }
}
