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

extension Board {
  /// Returns what a canvas shows.
  public func shows(_ canvas: Canvas) -> Display {
    switch (session.status(of: canvas.id), session.name, canvas.cover) {
    case (.recording, .recording, _): .live
    case (.recording, _, _): .take
    case (.inPreview, _, _): .preview
    case _ where canvas.clip == nil: .plus
    case (.noPreview, .recording, _): .playing
    case (.noPreview, _, .ready): .cover
    case (.noPreview, _, .failed): .coverMissing
    // A clip has a cover in some state, so `none` never gets here.
    case (.noPreview, _, .pending), (.noPreview, _, .none): .coverPending
    }
  }
}
