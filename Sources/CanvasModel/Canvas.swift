/// A place on the board that can hold one clip with its cover.
public struct Canvas: Hashable, Sendable {
  /// The canvas's ID.
  public let id: CanvasID
  /// The canvas's position and size on the screen.
  public internal(set) var region: Region
  /// The recorded or imported clip.
  public internal(set) var clip: Clip?
  /// The state of the clip's cover; `none` if and only if there is no clip.
  public internal(set) var cover: Cover

  init(id: CanvasID, region: Region, clip: Clip? = nil, cover: Cover = .none) {
    (self.id, self.region, self.clip, self.cover) = (id, region, clip, cover)
  }
}

/// What a canvas displays.
public enum Display: String, CaseIterable, Sendable {
  /// The recorder's live picture, while recording.
  case live
  /// The recording so far.
  case take
  /// The recorder's live picture, before recording.
  case preview
  /// A plus sign: a clip can be added here.
  case plus
  /// The clip, while another canvas is recording.
  case playing
  case cover
  /// A placeholder for a cover that has not been made yet.
  case coverPending
  /// A sign that no cover could be made from the clip.
  case coverMissing
}

extension Display {
  /// Determines what a canvas displays.
  ///
  /// - Parameters:
  ///   - status: The canvas's status.
  ///   - session: The state of the board as a whole.
  ///   - hasClip: Whether the canvas has a recorded or imported clip.
  ///   - cover: The state of the clip's cover.
  public init(status: Status, session: SessionName, hasClip: Bool, cover: Cover) {
    switch (status, session, cover) {
    case (.recording, .recording, _): self = .live
    case (.recording, _, _): self = .take
    case (.inPreview, _, _): self = .preview
    case _ where !hasClip: self = .plus
    case (.noPreview, .recording, _): self = .playing
    case (.noPreview, _, .ready): self = .cover
    case (.noPreview, _, .failed): self = .coverMissing
    // `none` cannot occur here, because there is a clip; it is displayed like a cover that is still to be made.
    case (.noPreview, _, .pending), (.noPreview, _, .none): self = .coverPending
    }
  }
}

extension Board {
  /// Returns what a canvas displays.
  public func shows(_ canvas: Canvas) -> Display {
    Display(
      status: session.status(of: canvas.id),
      session: session.name,
      hasClip: canvas.clip != nil,
      cover: canvas.cover
    )
  }
}
