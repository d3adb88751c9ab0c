/// The file format of an animation.
package enum AnimationFormat: String, Codable, Hashable, Sendable, CaseIterable {
  /// Lossy, with transparency.
  case webp
  /// At most 255 colours, without transparency: transparent parts are drawn over black.
  case gif

  /// The usual file extension, without the dot.
  package var fileExtension: String { rawValue }

  /// Creates the format of a file extension, ignoring case.
  package init?(fileExtension: String) {
    self.init(rawValue: fileExtension.lowercased())
  }
}
