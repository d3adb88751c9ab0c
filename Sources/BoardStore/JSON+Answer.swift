public import CanvasModel

extension JSON {
  /// The answer to an event.
  ///
  /// - Parameters:
  ///   - outcome: What it did.
  ///   - board: The board after it, when its state is to be told too.
  public init(_ outcome: Outcome, board: Board? = nil) {
    var members: [(String, JSON)]
    switch outcome {
    case .changed(let revision, let changes):
      members = [
        ("outcome", .string("changed")), ("revision", JSON(revision)), ("changes", .array(changes.map { JSON($0) })),
      ]
    case .noop(let reason): members = [("outcome", .string("noop")), ("reason", .string(reason.rawValue))]
    case .refused(let reason): members = [("outcome", .string("refused")), ("reason", .string(reason.rawValue))]
    }
    if let board { members.append(("state", JSON(stateOf: board))) }
    self = .object(JSONObject(members))
  }

  /// What a board is at, in short: session, focus, and of each canvas what it shows.
  public init(stateOf board: Board) {
    self = .object([
      "session": .string(board.session.name.rawValue),
      "focus": JSON(board.session.focus?.description),
      "canvases": .array(
        board.canvases.map { canvas in
          .object([
            "id": .string(canvas.id.description),
            "isSelected": .bool(board.session.focus == canvas.id),
            "status": .string(board.session.status(of: canvas.id).rawValue),
            "shows": .string(board.shows(canvas).rawValue),
            "generation": canvas.clip.map { JSON($0.generation) } ?? .null,
            "cover": .string(canvas.cover.name.rawValue),
          ])
        }
      ),
    ])
  }
}
