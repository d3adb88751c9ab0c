/// Everything that determines the appearance of a canvas: canvases with equal values look the same.
package struct CanvasFace: Hashable, Sendable {
  /// An open recording, as its canvas shows it.
  package struct Recording: Hashable, Sendable {
    /// The duration without pauses, in whole seconds; `nil` if the instants make no sense.
    package let seconds: Int?
    /// The reason for an interruption, in words; `nil` without one, or if the recording was resumed.
    package let interruption: String?
  }

  /// The canvas.
  package let id: CanvasID
  /// What the canvas displays.
  package let shows: Display
  /// Whether the border is red.
  package let isSelected: Bool
  /// The recorded or imported clip.
  package let clip: ClipFile?
  /// The part of the clip that is played; `nil` for all of it.
  package let trim: Trim?
  /// The state of the clip's cover.
  package let cover: Cover
  /// The recording that is open on the canvas.
  package let take: Recording?
  /// Whether that recording is paused.
  package let isPaused: Bool
}

extension Board {
  /// Returns everything that determines the appearance of a canvas.
  ///
  /// - Parameters:
  ///   - canvas: A canvas of the board.
  ///   - now: The current time, for the duration of an open recording.
  package func face(of canvas: Canvas, at now: Instant) -> CanvasFace {
    let take = session.take.flatMap { $0.canvas == canvas.id ? $0 : nil }
    return CanvasFace(
      id: canvas.id,
      shows: shows(canvas),
      isSelected: session.focus == canvas.id,
      clip: canvas.clip?.file,
      trim: canvas.clip?.trim,
      cover: canvas.cover,
      take: take.map { .init(seconds: $0.seconds(until: now), interruption: $0.interruption) },
      // Only for the canvas with the recording, so that the others are not redrawn needlessly.
      isPaused: take != nil && session.name == .paused
    )
  }

  /// Returns the appearance of a canvas without a session: its cover or a sign, and never selected.
  package func faceAtRest(of canvas: Canvas) -> CanvasFace {
    let shows: Display =
      switch canvas.cover {
      case .none: .plus
      case .pending: .coverPending
      case .ready: .cover
      case .failed: .coverMissing
      }
    return face(of: canvas, shows: shows)
  }

  /// Returns the appearance of a canvas whose clip was removed.
  package func faceWithoutClip(of canvas: Canvas) -> CanvasFace {
    face(of: Canvas(id: canvas.id, region: canvas.region), shows: .plus)
  }

  private func face(of canvas: Canvas, shows: Display) -> CanvasFace {
    CanvasFace(
      id: canvas.id,
      shows: shows,
      isSelected: false,
      clip: canvas.clip?.file,
      trim: canvas.clip?.trim,
      cover: canvas.cover,
      take: nil,
      isPaused: false
    )
  }
}
