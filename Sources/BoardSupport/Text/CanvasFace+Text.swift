package import CanvasModel

extension CanvasFace {
  /// The sign for what the canvas displays, such as `▶ playing`.
  package var sign: String {
    switch shows {
    case .live: "● REC"
    case .take: isPaused ? "‖ paused" : "… finalizing"
    case .preview: "◉ preview"
    case .plus: "+"
    case .playing: "▶ playing"
    case .cover: "▣"
    case .coverPending: "▢ cover pending"
    case .coverMissing: "▢ no cover"
    }
  }

  /// The file name of the clip, safe to print on a terminal; empty without a clip.
  package var clipName: String {
    clip.map { DisplayName.of($0.path.split(separator: "/").last.map(String.init) ?? "") } ?? ""
  }
}

extension CanvasFace.Recording {
  /// The duration in minutes and seconds, and whether the recording was interrupted: `1:05 interrupted`.
  package var time: String {
    let length = seconds.map(Self.text(ofSeconds:)) ?? ""
    return length + (interruption == nil ? "" : " interrupted")
  }

  /// Returns minutes and seconds: `1:05`.
  package static func text(ofSeconds seconds: Int) -> String {
    "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }
}
