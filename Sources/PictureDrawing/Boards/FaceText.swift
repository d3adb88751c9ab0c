internal import BoardSupport
internal import CanvasModel

/// What is written on a canvas.
struct FaceText {
  /// The name of the canvas.
  let name: String
  /// Whether and how the canvas records, with the duration of an open recording.
  let state: String?
  /// The name of the clip.
  let clip: String?
  /// The duration of the clip.
  let duration: String?
  /// The reason for the missing cover.
  let reason: String?

  /// - Parameters:
  ///   - face: What the canvas shows.
  ///   - labels: How much is written.
  ///   - clipSeconds: The duration of the clip, unless the board has it.
  ///   - reason: Why a cover that was made cannot be shown.
  init(_ face: CanvasFace, labels: BoardStyle.Labels, clipSeconds: Double?, reason: String?) {
    let isFull = labels == .full
    name = DisplayName.of(face.id)
    let time = isFull ? face.take?.time ?? "" : ""
    state = Self.state(face).map { time.isEmpty ? $0 : "\($0) \(time)" }
    clip = face.clipName.isEmpty ? nil : face.clipName
    let seconds = face.clip?.durationSeconds ?? clipSeconds
    duration = isFull ? (face.trim.map { $0.seconds(ofClip: seconds) } ?? seconds).flatMap(FactText.duration) : nil
    self.reason = isFull ? Self.reason(face, reason) : nil
  }

  private static func state(_ face: CanvasFace) -> String? {
    switch face.shows {
    case .live: "REC"
    case .take: face.isPaused ? "paused" : "finalizing"
    case .preview: "preview"
    case .plus, .playing, .cover, .coverPending, .coverMissing: nil
    }
  }

  private static func reason(_ face: CanvasFace, _ reason: String?) -> String? {
    guard [.playing, .cover, .coverMissing].contains(face.shows) else { return nil }
    if case .failed(let failure) = face.cover { return DisplayName.of(failure) }
    return reason
  }
}
