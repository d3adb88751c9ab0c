extension Change {
  /// Returns the changes from one state of a board to another, in the order they are reported: the old focus
  /// loses its border, the new focus gains it, then the old focus's status, the new focus's status, the other keys, and
  /// the session last.
  static func all(from old: Board, to new: Board) -> [Change] {
    let pairs = pairs(old, new)
    var changes: [Change] = []
    // The canvas that loses the border or the preview comes before the canvas that gains it.
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
      changes.add(takesOf: id, old?.takes ?? [], new?.takes ?? [])
      changes.add(id, .region, old.map { .region($0.region) } ?? .none, new.map { .region($0.region) } ?? .none)
    }
    if !haveSameOrder(old, new) {
      changes.add(nil, .canvases, .canvases(old.canvases.map(\.id)), .canvases(new.canvases.map(\.id)))
    }
    changes.add(nil, .take, old.session.take.map { .take($0) } ?? .none, new.session.take.map { .take($0) } ?? .none)
    changes.add(nil, .session, .session(old.session.name), .session(new.session.name))
    return changes
  }

  private typealias Pair = (id: CanvasID, old: Snapshot.Canvas?, new: Snapshot.Canvas?)

  /// Returns the canvases that differ between the states, in the order of the new state, with removed canvases last.
  private static func pairs(_ board: Board, _ newer: Board) -> [Pair] {
    guard !haveSameOrder(board, newer) else {
      let isUnchanged = newer.canvasesUnchanged(since: board)
      return newer.canvases.indices.compactMap { index in
        guard !isUnchanged(index) else { return nil }
        let old = Snapshot.Canvas(board.canvases[index], in: board.session)
        let new = Snapshot.Canvas(newer.canvases[index], in: newer.session)
        return old == new ? nil : (new.id, old, new)
      }
    }
    let (before, after) = (Snapshot(board), Snapshot(newer))
    let old = Dictionary(before.canvases.map { ($0.id, $0) }) { first, _ in first }
    let new = Set(after.canvases.map(\.id))
    return after.canvases.filter { old[$0.id] != $0 }.map { ($0.id, old[$0.id], $0) }
      + before.canvases.filter { !new.contains($0.id) }.map { ($0.id, $0, nil) }
  }

  private static func haveSameOrder(_ one: Board, _ other: Board) -> Bool {
    one.canvases.count == other.canvases.count && zip(one.canvases, other.canvases).allSatisfy { $0.id == $1.id }
  }

  private init(_ canvas: CanvasID?, _ key: Key, _ old: Value, _ new: Value) {
    self.init(canvas: canvas, key: key, old: old, new: new)
  }
}

extension [Change] {
  fileprivate mutating func add(_ canvas: CanvasID?, _ key: Key, _ old: Value, _ new: Value) {
    if old != new { append(Change(canvas: canvas, key: key, old: old, new: new)) }
  }

  fileprivate mutating func add(takesOf canvas: CanvasID, _ old: [KeptTake], _ new: [KeptTake]) {
    guard old != new else { return }
    func byPath(_ takes: [KeptTake]) -> [String: KeptTake] {
      Dictionary(takes.map { ($0.clip.file.path, $0) }) { first, _ in first }
    }
    let (before, after) = (byPath(old), byPath(new))
    for take in old {
      add(canvas, .takes, .keptTake(take), after[take.clip.file.path].map { .keptTake($0) } ?? .none)
    }
    for take in new where before[take.clip.file.path] == nil { add(canvas, .takes, .none, .keptTake(take)) }
  }
}

extension Board {
  /// Returns the board with its keys set to the new values of changes, whatever their current values.
  ///
  /// - Parameter transactions: The changes of each transaction, in the order they are applied.
  /// - Returns: `nil` if the result is not a valid board, for example because a history was edited by hand.
  func setting(_ transactions: [[Change]]) -> Board? {
    var parts = Parts(Snapshot(self))
    for changes in transactions {
      for change in changes { parts.set(change) }
      parts.move(changes)
    }
    return try? Board(parts.snapshot, revision: revision, history: history)
  }

  /// A snapshot whose canvases can be added, removed and reordered key by key.
  private struct Parts {
    var canvases: [CanvasID: Snapshot.Canvas]
    var order: [CanvasID]
    var take: Take?
    var session: SessionName
    let coverSide: Int?

    init(_ snapshot: Snapshot) {
      coverSide = snapshot.coverSide
      canvases = Dictionary(snapshot.canvases.map { ($0.id, $0) }) { first, _ in first }
      order = snapshot.canvases.map(\.id)
      (take, session) = (snapshot.take, snapshot.session)
    }

    var snapshot: Snapshot {
      Snapshot(canvases: order.compactMap { canvases[$0] }, take: take, session: session, coverSide: coverSide)
    }

    /// Applies the changes of position of one transaction, which belong together.
    mutating func move(_ changes: [Change]) {
      let moves = changes.filter { $0.key == .position }
      if !moves.isEmpty { order = Change.order(order, after: moves) }
    }

    mutating func set(_ change: Change) {
      guard change.key != .position else { return }
      guard let id = change.canvas else {
        switch change.new {
        case .canvases(let order): self.order = order
        case .take(let take): self.take = take
        case .session(let session): self.session = session
        case .none: take = nil
        case .isSelected, .status, .clip, .cover, .keptTake, .region, .position: break
        }
        return
      }
      var canvas =
        canvases[id]
        ?? Snapshot.Canvas(id: id, isSelected: false, status: .noPreview, clip: nil, cover: .none, region: .whole)
      // A take replaces the one with the same file; without a new value, that is removed.
      if let path = change.takePath { canvas.takes.removeAll { $0.clip.file.path == path } }
      switch change.new {
      case .isSelected(let isSelected): canvas.isSelected = isSelected
      case .status(let status): canvas.status = status
      case .clip(let clip): canvas.clip = clip
      case .cover(let cover): canvas.cover = cover
      case .keptTake(let take):
        canvas.takes.append(take)
        canvas.takes.sort(by: KeptTake.precedes)
      case .region(let region): canvas.region = region
      case .none:
        // A region without a value means that the canvas was removed; the order of canvases takes care of that.
        if change.key == .clip { canvas.clip = nil }
      case .position, .canvases, .take, .session: break
      }
      canvases[id] = canvas
    }
  }
}

extension Board {
  /// Returns the state before the newest transactions of the board.
  ///
  /// - Parameter transactions: The newest transactions, oldest first.
  /// - Returns: `nil` if the transactions do not match the board.
  package func snapshot(before transactions: [Transaction]) -> Snapshot? {
    setting(transactions.reversed().map { $0.changes.map(\.reversed) }).map { Snapshot($0) }
  }
}
