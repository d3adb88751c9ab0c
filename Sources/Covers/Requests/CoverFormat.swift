/// The file format of a cover.
package enum CoverFormat: String, Codable, Hashable, Sendable, CaseIterable {
  /// Lossless, with transparency.
  case png
  /// Lossy, without transparency: transparent parts are drawn over black.
  case jpeg
  /// Lossy, with transparency.
  case webp

  /// The usual file extension, without the dot.
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// Creates the format of a file extension, ignoring case.
  package init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "png": self = .png
    case "jpg", "jpeg", "jpe", "jfif": self = .jpeg
    case "webp": self = .webp
    default: return nil
    }
  }
}
