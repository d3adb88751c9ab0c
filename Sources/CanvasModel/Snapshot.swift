/// A board's state as keys and values: what changes are made between, what is written down and read back.
///
/// Unlike a ``Board`` it can hold what no board is; ``problems`` tells.
public struct Snapshot: Hashable, Sendable {
  /// The keys of one canvas.
  public struct Canvas: Hashable, Sendable {
    /// Its name.
    public var id: CanvasID
    /// Whether it has the red border.
    public var isSelected: Bool
    /// What it is at.
    public var status: Status
    /// What was recorded or imported.
    public var clip: Clip?
    /// What it has of a cover.
    public var cover: Cover
    /// Where it lies.
    public var region: Region

    /// Makes one of its parts.
    public init(id: CanvasID, isSelected: Bool, status: Status, clip: Clip?, cover: Cover, region: Region) {
      (self.id, self.isSelected, self.status) = (id, isSelected, status)
      (self.clip, self.cover, self.region) = (clip, cover, region)
    }
  }

  /// In order.
  public var canvases: [Canvas]
  /// The recording that is open.
  public var take: Take?
  /// What the whole board is at.
  public var session: SessionName

  /// Makes one of its parts.
  public init(canvases: [Canvas], take: Take?, session: SessionName) {
    (self.canvases, self.take, self.session) = (canvases, take, session)
  }

  /// That of a board.
  public init(_ board: Board) {
    canvases = board.canvases.map { canvas in
      Canvas(
        id: canvas.id,
        isSelected: board.session.focus == canvas.id,
        status: board.session.status(of: canvas.id),
        clip: canvas.clip,
        cover: canvas.cover,
        region: canvas.region
      )
    }
    take = board.session.take
    session = board.session.name
  }

  /// What contradicts itself, in words; empty for what a board can be.
  public var problems: [String] {
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
    }
    return problems
  }
}

/// What keeps a snapshot from being a board.
public struct InvalidSnapshot: Error, Hashable, Sendable {
  /// At least one.
  public let problems: [String]
}

extension Board {
  /// The board of a snapshot.
  ///
  /// - Throws: ``InvalidSnapshot`` when it contradicts itself, or has a clip from a later revision: the next clip could
  ///   get the same generation.
  public init(_ snapshot: Snapshot, revision: Int, history: History) throws(InvalidSnapshot) {
    let problems = snapshot.problems + snapshot.clips(after: revision)
    guard problems.isEmpty, let session = snapshot.boardSession else { throw InvalidSnapshot(problems: problems) }
    canvases = snapshot.canvases.map { Canvas(id: $0.id, region: $0.region, clip: $0.clip, cover: $0.cover) }
    (self.session, self.revision, self.history) = (session, revision, history)
  }
}

extension Snapshot {
  /// The clips that a board of a revision cannot have yet, in words.
  fileprivate func clips(after revision: Int) -> [String] {
    canvases.compactMap { canvas in
      guard let clip = canvas.clip, clip.generation > revision else { return nil }
      return "\(canvas.id) has a clip of generation \(clip.generation), and the revision is \(revision)"
    }
  }

  /// `nil` where the parts do not fit together.
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
