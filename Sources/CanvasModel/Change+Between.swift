extension Change {
  /// The changes from one state of a board to another, in the order in which they are told: the old focus loses its
  /// border, the new one has it, the old status, the new status, then the other keys, and the session last.
  static func all(from old: Board, to new: Board) -> [Change] {
    let (before, after) = (Snapshot(old), Snapshot(new))
    let pairs = pairs(before, after)
    var changes: [Change] = []
    // Who loses the border or the preview comes before who gets it.
    for losing in [true, false] {
      for (id, old, new) in pairs {
        let (was, becomes) = (old?.isSelected ?? false, new?.isSelected ?? false)
        if was != becomes, was == losing {
          changes.append(.init(id, .isSelected, .isSelected(was), .isSelected(becomes)))
        }
      }
    }
    for losing in [true, false] {
      for (id, old, new) in pairs {
        let (was, becomes) = (old?.status ?? .noPreview, new?.status ?? .noPreview)
        let loses = becomes == .noPreview
        if was != becomes, loses == losing { changes.append(.init(id, .status, .status(was), .status(becomes))) }
      }
    }
    for (id, old, new) in pairs {
      changes.add(id, .clip, old?.clip.map { .clip($0) } ?? .none, new?.clip.map { .clip($0) } ?? .none)
      changes.add(id, .cover, .cover(old?.cover ?? .none), .cover(new?.cover ?? .none))
      changes.add(id, .region, old.map { .region($0.region) } ?? .none, new.map { .region($0.region) } ?? .none)
    }
    changes.add(nil, .canvases, .canvases(before.canvases.map(\.id)), .canvases(after.canvases.map(\.id)))
    changes.add(nil, .take, before.take.map { .take($0) } ?? .none, after.take.map { .take($0) } ?? .none)
    changes.add(nil, .session, .session(before.session), .session(after.session))
    return changes
  }

  private typealias Pair = (id: CanvasID, old: Snapshot.Canvas?, new: Snapshot.Canvas?)

  /// The canvases that are not the same in both, in the order of the new state, those that are gone last.
  private static func pairs(_ before: Snapshot, _ after: Snapshot) -> [Pair] {
    guard before.canvases.map(\.id) != after.canvases.map(\.id) else {
      return zip(before.canvases, after.canvases).lazy.filter { $0 != $1 }.map { ($0.id, $0, $1) }
    }
    let old = Dictionary(before.canvases.map { ($0.id, $0) }) { first, _ in first }
    let new = Set(after.canvases.map(\.id))
    return after.canvases.filter { old[$0.id] != $0 }.map { ($0.id, old[$0.id], $0) }
      + before.canvases.filter { !new.contains($0.id) }.map { ($0.id, $0, nil) }
  }

  private init(_ canvas: CanvasID?, _ key: Key, _ old: Value, _ new: Value) {
    self.init(canvas: canvas, key: key, old: old, new: new)
  }
}

extension [Change] {
  fileprivate mutating func add(_ canvas: CanvasID?, _ key: Key, _ old: Value, _ new: Value) {
    if old != new { append(Change(canvas: canvas, key: key, old: old, new: new)) }
  }
}

extension Board {
  /// Gives keys the new values of changes, whatever they are now.
  ///
  /// - Returns: `nil` where what comes out is no board, as when a history was changed by hand.
  func setting(_ changes: [Change]) -> Board? {
    var parts = Parts(Snapshot(self))
    for change in changes {
      parts.set(change)
    }
    return try? Board(parts.snapshot, revision: revision, history: history)
  }

  /// A snapshot whose canvases can come, go and change their order key by key.
  private struct Parts {
    var canvases: [CanvasID: Snapshot.Canvas]
    var order: [CanvasID]
    var take: Take?
    var session: SessionName

    init(_ snapshot: Snapshot) {
      canvases = Dictionary(snapshot.canvases.map { ($0.id, $0) }) { first, _ in first }
      order = snapshot.canvases.map(\.id)
      (take, session) = (snapshot.take, snapshot.session)
    }

    var snapshot: Snapshot { Snapshot(canvases: order.compactMap { canvases[$0] }, take: take, session: session) }

    mutating func set(_ change: Change) {
      guard let id = change.canvas else {
        switch change.new {
        case .canvases(let order): self.order = order
        case .take(let take): self.take = take
        case .session(let session): self.session = session
        case .none: take = nil
        case .isSelected, .status, .clip, .cover, .region: break
        }
        return
      }
      var canvas =
        canvases[id]
        ?? Snapshot.Canvas(id: id, isSelected: false, status: .noPreview, clip: nil, cover: .none, region: .whole)
      switch change.new {
      case .isSelected(let isSelected): canvas.isSelected = isSelected
      case .status(let status): canvas.status = status
      case .clip(let clip): canvas.clip = clip
      case .cover(let cover): canvas.cover = cover
      case .region(let region): canvas.region = region
      case .none:
        // Of a region that is none the canvas is gone, which the order tells.
        if change.key == .clip { canvas.clip = nil }
      case .canvases, .take, .session: break
      }
      canvases[id] = canvas
    }
  }
}

extension Board {
  /// The state before the newest transactions of the board.
  ///
  /// - Parameter transactions: The newest ones, oldest first.
  /// - Returns: `nil` where they do not fit the board.
  public func snapshot(before transactions: [Transaction]) -> Snapshot? {
    setting(transactions.flatMap(\.changes).reversed().map(\.reversed)).map { Snapshot($0) }
  }
}
