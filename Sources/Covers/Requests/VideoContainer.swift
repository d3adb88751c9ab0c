/// The container of a video that is written.
package enum VideoContainer: String, CaseIterable, Codable, Sendable {
  case mp4, mov, matroska, webm

  /// Returns the container for a file extension, in any case; `nil` if no video with it is written.
  package init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "mp4", "m4v": self = .mp4
    case "mov": self = .mov
    case "mkv": self = .matroska
    case "webm": self = .webm
    default: return nil
    }
  }

  /// The name for people.
  package var displayName: String {
    switch self {
    case .mp4: "MP4"
    case .mov: "MOV"
    case .matroska: "Matroska"
    case .webm: "WebM"
    }
  }
}
