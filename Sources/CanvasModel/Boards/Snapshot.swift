/// A board's state as keys and values, for computing changes and for serialisation.
///
/// Unlike a ``Board``, a snapshot can represent invalid states; ``problems`` lists what is wrong.
package struct Snapshot: Hashable, Sendable {
  /// The keys of one canvas.
  package struct Canvas: Hashable, Sendable {
    /// The canvas's ID.
    package var id: CanvasID
    /// Whether the canvas has the red border.
    package var isSelected: Bool
    /// The canvas's status.
    package var status: Status
    /// The recorded or imported clip.
    package var clip: Clip?
    /// The state of the clip's cover.
    package var cover: Cover
    /// The canvas's position and size on the screen.
    package var region: Region
    /// The clips that the canvas had before.
    package var takes: [KeptTake]

    /// Creates the state of a canvas.
    package init(
      id: CanvasID,
      isSelected: Bool,
      status: Status,
      clip: Clip?,
      cover: Cover,
      region: Region,
      takes: [KeptTake] = []
    ) {
      (self.id, self.isSelected, self.status) = (id, isSelected, status)
      (self.clip, self.cover, self.region, self.takes) = (clip, cover, region, takes)
    }

    /// Creates the state of a canvas of a board in a session.
    package init(_ canvas: CanvasModel.Canvas, in session: Session) {
      self.init(
        id: canvas.id,
        isSelected: session.focus == canvas.id,
        status: session.status(of: canvas.id),
        clip: canvas.clip,
        cover: canvas.cover,
        region: canvas.region,
        takes: canvas.takes
      )
    }
  }

  /// The canvases, in order.
  package var canvases: [Canvas]
  /// The open recording.
  package var take: Take?
  /// The state of the board as a whole.
  package var session: SessionName
  /// The maximum side of covers, in pixels; see ``Board/coverSide``.
  package var coverSide: Int?

  /// Creates a snapshot.
  package init(canvases: [Canvas], take: Take?, session: SessionName, coverSide: Int? = nil) {
    (self.canvases, self.take, self.session, self.coverSide) = (canvases, take, session, coverSide)
  }

  /// Creates a snapshot of a board.
  package init(_ board: Board) {
    let session = board.session
    canvases = board.canvases.map { Canvas($0, in: session) }
    take = session.take
    self.session = session.name
    coverSide = board.coverSide
  }

  /// The contradictions in the snapshot, in words; empty if it represents a valid board.
  package var problems: [String] {
    var problems: [String] = []
    let selected = canvases.filter(\.isSelected).map(\.id)
    if Set(canvases.map(\.id)).count < canvases.count { problems.append("two canvases have one id") }
    if selected.count > 1 { problems.append("\(selected.count) canvases are selected") }
    if selected.isEmpty != (session == .idle) {
      problems.append("the session is \(session.rawValue), and \(selected.isEmpty ? "no" : "a") canvas is selected")
    }
    if (take != nil) != session.isLocked {
      problems.append("the session is \(session.rawValue), and there is \(take == nil ? "no" : "a") take")
    }
    if let take, [take.canvas] != selected { problems.append("the take is on another canvas than the selected one") }
    for canvas in canvases {
      let status = Status(isSelected: canvas.isSelected, in: session)
      if canvas.status != status {
        problems.append("\(canvas.id) has the status \(canvas.status.rawValue) instead of \(status.rawValue)")
      }
      if (canvas.clip == nil) != (canvas.cover == .none) {
        problems.append("\(canvas.id) has \(canvas.clip == nil ? "a cover without" : "no cover for") its clip")
      }
      let files = (canvas.takes.map(\.clip) + [canvas.clip].compactMap(\.self)).map(\.file.path)
      if Set(files).count < files.count { problems.append("two takes of \(canvas.id) have one file") }
      if canvas.takes.contains(where: { $0.cover == .none }) {
        problems.append("a take of \(canvas.id) has no state of its cover")
      }
    }
    return problems
  }
}

extension Board {
  /// Returns a closure that returns whether the canvas with an index has the same keys as in an earlier board.
  package func canvasesUnchanged(since earlier: Board) -> (Int) -> Bool {
    // Other canvases have the same status in every session.
    let focuses = [session.focus, earlier.session.focus]
    return { [canvases] index in
      index < earlier.canvases.count && canvases[index] == earlier.canvases[index]
        && !focuses.contains(canvases[index].id)
    }
  }
}

/// An error that describes why a snapshot does not represent a valid board.
package struct InvalidSnapshot: Error, Hashable, Sendable {
  /// The problems; at least one.
  package let problems: [String]
}

extension Board {
  /// Creates the board that a snapshot represents.
  ///
  /// - Throws: ``InvalidSnapshot`` if the snapshot contradicts itself, or has a clip from a later revision, because the
  ///   next clip could then get the same generation.
  package init(_ snapshot: Snapshot, revision: Int, history: History) throws(InvalidSnapshot) {
    let problems = snapshot.problems + snapshot.clips(after: revision)
    guard problems.isEmpty, let session = snapshot.boardSession else { throw InvalidSnapshot(problems: problems) }
    canvases = snapshot.canvases.map { canvas in
      Canvas(
        id: canvas.id,
        region: canvas.region,
        clip: canvas.clip,
        cover: canvas.cover,
        takes: canvas.takes.sorted(by: KeptTake.precedes)
      )
    }
    (self.session, self.revision, self.history) = (session, revision, history)
    coverSide = snapshot.coverSide
  }
}

extension Snapshot {
  /// Returns a message for each clip that is newer than a revision.
  fileprivate func clips(after revision: Int) -> [String] {
    canvases.compactMap { canvas in
      let clips = canvas.takes.map(\.clip) + [canvas.clip].compactMap(\.self)
      guard let clip = clips.first(where: { $0.generation > revision }) else { return nil }
      return "\(canvas.id) has a clip of generation \(clip.generation), and the revision is \(revision)"
    }
  }

  /// The session, or `nil` if the parts of the snapshot do not match.
  fileprivate var boardSession: Session? {
    let focus = canvases.first(where: \.isSelected)?.id
    switch session {
    case .idle: return .idle
    case .selected: return focus.map { .selected($0) }
    case .previewing: return focus.map { .previewing($0) }
    case .recording: return take.map { .recording($0) }
    case .paused: return take.map { .paused($0) }
    case .finalizing: return take.map { .finalizing($0) }
    }
  }
}
