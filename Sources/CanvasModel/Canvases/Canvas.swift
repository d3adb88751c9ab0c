/// A place on the board that can hold one clip with its cover.
package struct Canvas: Hashable, Sendable {
  /// The canvas's ID.
  package let id: CanvasID
  /// The canvas's position and size on the screen.
  package internal(set) var region: Region
  /// The recorded or imported clip.
  package internal(set) var clip: Clip?
  /// The state of the clip's cover; `none` if and only if the canvas has no clip.
  package internal(set) var cover: Cover
  /// The clips that the canvas had before, oldest first.
  ///
  /// Each has another file, and none has that of ``clip``.
  package internal(set) var takes: [KeptTake]

  init(id: CanvasID, region: Region, clip: Clip? = nil, cover: Cover = .none, takes: [KeptTake] = []) {
    (self.id, self.region, self.clip, self.cover, self.takes) = (id, region, clip, cover, takes)
  }

  /// Replaces the clip, which is kept as a take unless the new one has the same file.
  mutating func setClip(_ clip: Clip?, cover: Cover) {
    takes.removeAll { $0.clip.file.path == clip?.file.path }
    if let former = self.clip, former.file.path != clip?.file.path {
      takes.append(KeptTake(clip: former, cover: self.cover))
      takes.sort(by: KeptTake.precedes)
    }
    (self.clip, self.cover) = (clip, cover)
  }
}

/// What a canvas displays.
package enum Display: String, CaseIterable, Sendable {
  /// The recorder's live picture, while recording.
  case live
  /// The recording up to now.
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

extension Board {
  /// Returns what a canvas displays.
  package func shows(_ canvas: Canvas) -> Display {
    switch (session.status(of: canvas.id), session.name, canvas.cover) {
    case (.recording, .recording, _): .live
    case (.recording, _, _): .take
    case (.inPreview, _, _): .preview
    case _ where canvas.clip == nil: .plus
    case (.noPreview, .recording, _): .playing
    case (.noPreview, _, .ready): .cover
    case (.noPreview, _, .failed): .coverMissing
    // `none` cannot occur here, because there is a clip.
    case (.noPreview, _, .pending), (.noPreview, _, .none): .coverPending
    }
  }
}
