internal import BoardView
internal import CanvasModel

/// What stands in the middle of a canvas.
enum CanvasSign: Hashable, Sendable {
  /// Something is recorded.
  case live
  /// The recording is paused.
  case paused
  /// The recording has ended, and its clip is on the way.
  case finalizing
  /// The picture of the recorder, ready to record.
  case preview
  /// A clip can come here.
  case plus
  /// A cover by its file.
  case cover(CoverFile)
  /// A cover is on its way.
  case pending
  /// The clip gives no cover, or it is gone.
  case missing

  /// That of a canvas.
  init(_ face: CanvasFace) {
    switch face.shows {
    case .live: self = .live
    case .take: self = face.isPaused ? .paused : .finalizing
    case .preview: self = .preview
    case .plus: self = .plus
    case .cover, .playing, .coverPending, .coverMissing:
      // A picture does not move: a clip that plays is its cover, with a mark.
      switch face.cover {
      case .ready(let file): self = .cover(file)
      case .failed: self = .missing
      case .pending, .none: self = .pending
      }
    }
  }
}
