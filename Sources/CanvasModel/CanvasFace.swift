/// All that a drawing of a canvas depends on: two that are equal look the same.
public struct CanvasFace: Hashable, Sendable {
  /// An open recording, as its canvas shows it.
  public struct Recording: Hashable, Sendable {
    /// Its length without pauses, in whole seconds; `nil` where its instants make no sense.
    public let seconds: Int?
    /// The reason for an interruption, in words; `nil` when there was none or the recording was resumed.
    public let interruption: String?
  }

  /// The canvas.
  public let id: CanvasID
  /// What it shows.
  public let shows: Display
  /// Whether its border is red.
  public let isSelected: Bool
  /// What was recorded or imported.
  public let clip: ClipFile?
  /// The state of its cover.
  public let cover: Cover
  /// The recording that is open on it.
  public let take: Recording?
  /// Whether that recording is paused.
  public let isPaused: Bool
}

extension Board {
  /// Returns what a drawing of a canvas depends on.
  ///
  /// - Parameters:
  ///   - canvas: A canvas of the board.
  ///   - now: The end of an open segment of a recording.
  public func face(of canvas: Canvas, at now: Instant) -> CanvasFace {
    let take = session.take.flatMap { $0.canvas == canvas.id ? $0 : nil }
    return CanvasFace(
      id: canvas.id,
      shows: shows(canvas),
      isSelected: session.focus == canvas.id,
      clip: canvas.clip?.file,
      cover: canvas.cover,
      take: take.map { .init(seconds: $0.seconds(until: now), interruption: $0.interruption) },
      // Left out for a canvas without the recording, so that it is not drawn for nothing.
      isPaused: take != nil && session.name == .paused
    )
  }
}
