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
  /// What a canvas shows.
  public func shows(_ canvas: Canvas) -> Display {
    switch (session.status(of: canvas.id), session.name) {
    case (.recording, .recording): return .live
    case (.recording, _): return .take
    case (.inPreview, _): return .preview
    case (.noPreview, _): break
    }
    guard canvas.clip != nil else { return .plus }
    guard session.name != .recording else { return .playing }
    switch canvas.cover {
    case .ready: return .cover
    case .failed: return .coverMissing
    // Without a clip, so never here; a clip whose cover nobody has asked for yet waits for it.
    case .pending, .none: return .coverPending
    }
  }
}
