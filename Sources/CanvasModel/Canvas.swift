/// A place on the board that can hold one clip with its cover.
public struct Canvas: Hashable, Sendable {
  /// Its name.
  public let id: CanvasID
  /// Where it lies.
  public internal(set) var region: Region
  /// What was recorded or imported.
  public internal(set) var clip: Clip?
  /// `none` exactly when there is no clip.
  public internal(set) var cover: Cover

  init(id: CanvasID, region: Region, clip: Clip? = nil, cover: Cover = .none) {
    (self.id, self.region, self.clip, self.cover) = (id, region, clip, cover)
  }
}

/// What a canvas shows.
public enum Display: String, CaseIterable, Sendable {
  /// The picture of the recorder, being recorded.
  case live
  /// What was recorded so far.
  case take
  /// The picture of the recorder, ready to record.
  case preview
  /// A sign that says that a clip can come here.
  case plus
  /// The clip, while another canvas records.
  case playing
  case cover
  /// A cover on its way.
  case coverPending
  /// A sign that the clip gives no cover.
  case coverMissing
}

extension Display {
  /// What a canvas shows.
  ///
  /// - Parameters:
  ///   - status: What it is at.
  ///   - session: What the whole board is at.
  ///   - hasClip: Whether something was recorded or imported.
  ///   - cover: What it has of a cover.
  public init(status: Status, session: SessionName, hasClip: Bool, cover: Cover) {
    switch (status, session, cover) {
    case (.recording, .recording, _): self = .live
    case (.recording, _, _): self = .take
    case (.inPreview, _, _): self = .preview
    case _ where !hasClip: self = .plus
    case (.noPreview, .recording, _): self = .playing
    case (.noPreview, _, .ready): self = .cover
    case (.noPreview, _, .failed): self = .coverMissing
    // Without a clip, so never here; a clip whose cover nobody has asked for yet waits for it.
    case (.noPreview, _, .pending), (.noPreview, _, .none): self = .coverPending
    }
  }
}

extension Board {
  /// What a canvas shows.
  public func shows(_ canvas: Canvas) -> Display {
    Display(
      status: session.status(of: canvas.id),
      session: session.name,
      hasClip: canvas.clip != nil,
      cover: canvas.cover
    )
  }
}
