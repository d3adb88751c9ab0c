import CanvasModel

/// A board as plain keys and values; changes can be applied forwards and backwards.
struct BoardPicture: Equatable {
  private struct Place: Hashable {
    let canvas: CanvasID?
    let key: Key
    /// The path of a take.
    var take: String?
  }

  /// The values by key, without default values: not selected, no preview, no cover, none.
  private var values: [Place: Value] = [:]

  init(_ board: Board) {
    self[nil, .canvases] = .canvases(board.canvases.map(\.id))
    self[nil, .session] = .session(board.session.name)
    self[nil, .take] = board.session.take.map { .take($0) } ?? .none
    for canvas in board.canvases {
      self[canvas.id, .isSelected] = .isSelected(board.session.focus == canvas.id)
      self[canvas.id, .status] = .status(board.session.status(of: canvas.id))
      self[canvas.id, .clip] = canvas.clip.map { .clip($0) } ?? .none
      self[canvas.id, .cover] = .cover(canvas.cover)
      self[canvas.id, .region] = .region(canvas.region)
      for take in canvas.takes { self[canvas.id, .takes, take.clip.file.path] = .keptTake(take) }
    }
  }

  private subscript(canvas: CanvasID?, key: Key, take: String? = nil) -> Value {
    get {
      if let value = values[Place(canvas: canvas, key: key, take: take)] { return value }
      switch key {
      case .isSelected: return .isSelected(false)
      case .status: return .status(.noPreview)
      case .cover: return .cover(.none)
      case .clip, .takes, .region, .position, .canvases, .take, .session: return .none
      }
    }
    set {
      let place = Place(canvas: canvas, key: key, take: take)
      values[place] = nil
      if newValue != self[canvas, key, take] { values[place] = newValue }
    }
  }

  /// Applies changes.
  ///
  /// - Returns: `false` if a change does not start from the current value or does not change it.
  mutating func play(_ changes: [Change]) -> Bool {
    for change in changes {
      let take = Self.path(in: change)
      guard self[change.canvas, change.key, take] == change.old, change.old != change.new else { return false }
      self[change.canvas, change.key, take] = change.new
    }
    return true
  }

  private static func path(in change: Change) -> String? {
    for value in [change.old, change.new] {
      if case .keptTake(let take) = value { return take.clip.file.path }
    }
    return nil
  }

  /// Reverts changes.
  ///
  /// - Returns: `false` if a change does not end with the current value.
  mutating func playBackwards(_ changes: [Change]) -> Bool {
    play(changes.reversed().map { Change(canvas: $0.canvas, key: $0.key, old: $0.new, new: $0.old) })
  }
}
