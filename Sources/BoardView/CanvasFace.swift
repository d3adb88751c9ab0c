public import CanvasModel

/// Everything that a cell draws of a canvas; equal faces look the same.
public struct CanvasFace: Hashable, Sendable {
  /// The ID of the canvas.
  public let id: CanvasID
  /// What the canvas displays.
  public let shows: Display
  /// Whether the canvas has the red border.
  public let isSelected: Bool
  /// The file of the recorded or imported clip.
  public let clip: ClipFile?
  /// The state of the clip's cover.
  public let cover: Cover
  /// The open recording on the canvas.
  public let take: CanvasState.TakeState?
  /// Whether that recording is paused; if not, it is running or its clip is not available yet.
  public let isPaused: Bool

  /// Creates the face of a canvas.
  public init(_ canvas: CanvasState, session: SessionState) {
    (id, isSelected, cover, take) = (canvas.id, canvas.isSelected, canvas.cover, canvas.take)
    clip = canvas.clip?.file
    shows = Display(
      status: canvas.status,
      session: session.name,
      hasClip: canvas.clip != nil,
      cover: canvas.cover
    )
    // A canvas without the recording does not show its state, and need not be drawn when that changes.
    isPaused = canvas.take != nil && session.name == .paused
  }
}
