public import CanvasModel

extension CanvasFace {
  /// The sign for what it shows, such as `▶ playing`.
  public var sign: String {
    switch shows {
    case .live: "● REC"
    case .take: isPaused ? "‖ paused" : "… finishing"
    case .preview: "◉ preview"
    case .plus: "+"
    case .playing: "▶ playing"
    case .cover: "▣"
    case .coverPending: "▢ cover pending"
    case .coverMissing: "▢ no cover"
    }
  }

  /// The name of its clip's file, safe to show on a terminal; empty without a clip.
  public var clipName: String {
    clip.map { DisplayName.of($0.path.split(separator: "/").last.map(String.init) ?? "") } ?? ""
  }
}

extension CanvasFace.Recording {
  /// Its length in minutes and seconds, and whether it was interrupted: `1:05 interrupted`.
  public var time: String {
    let length = seconds.map { "\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)" } ?? ""
    return length + (interruption == nil ? "" : " interrupted")
  }
}
