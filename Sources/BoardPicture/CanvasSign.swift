internal import BoardView
internal import CanvasModel

/// The sign or cover shown on a canvas.
enum CanvasSign: Hashable, Sendable {
  /// A recording is running.
  case live
  /// A recording is paused.
  case paused
  /// A recording has ended, and its clip is awaited.
  case finalizing
  /// The canvas is in preview, ready to record.
  case preview
  /// The canvas is empty.
  case plus
  /// The cover in this file.
  case cover(CoverFile)
  /// The cover has not been made yet.
  case pending
  /// No cover could be made.
  case missing

  /// Creates the sign of a canvas.
  init(_ face: CanvasFace) {
    switch face.shows {
    case .live: self = .live
    case .take: self = face.isPaused ? .paused : .finalizing
    case .preview: self = .preview
    case .plus: self = .plus
    case .cover, .playing, .coverPending, .coverMissing:
      // The picture is static, so a playing clip is shown as its cover with a mark.
      switch face.cover {
      case .ready(let file): self = .cover(file)
      case .failed: self = .missing
      case .pending, .none: self = .pending
      }
    }
  }
}
