public import CanvasModel

/// All that a cell draws of a canvas: two that are equal look the same.
public struct CanvasFace: Hashable, Sendable {
  /// The canvas.
  public let id: CanvasID
  /// What it shows.
  public let shows: Display
  /// Whether its border is red.
  public let isSelected: Bool
  /// What was recorded or imported.
  public let clip: ClipFile?
  /// What it has of a cover.
  public let cover: Cover
  /// The recording that is open on it.
  public let take: CanvasState.TakeState?
  /// Whether that recording is paused; else it goes on, or its clip is on the way.
  public let isPaused: Bool

  /// That of a canvas.
  public init(_ canvas: CanvasState, session: SessionState) {
    (id, isSelected, cover, take) = (canvas.id, canvas.isSelected, canvas.cover, canvas.take)
    clip = canvas.clip?.file
    shows = Display(
      status: canvas.status,
      session: session.name,
      hasClip: canvas.clip != nil,
      cover: canvas.cover
    )
    // What a canvas without the recording does not show is left out, lest it be drawn for nothing.
    isPaused = canvas.take != nil && session.name == .paused
  }
}
