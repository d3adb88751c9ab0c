package import CanvasModel

extension JSON {
  /// Creates the answer to an event.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the event.
  ///   - board: The board after the event, to include its state; `nil` to omit it.
  package init(_ outcome: Outcome, board: Board? = nil) {
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

  /// Creates a summary of a board's state: session, focus, and what each canvas shows.
  package init(stateOf board: Board) {
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

extension JSON {
  /// Creates the output of `show`: the state of a board with its clips, cover paths and regions.
  package init(showing board: Board) {
    guard case .object(let state) = JSON(stateOf: board), case .array(let canvases) = state["canvases"] else {
      preconditionFailure("the state of a board is an object with canvases")
    }
    let detailed = zip(canvases, board.canvases).map { short, canvas in
      guard case .object(let short) = short else { return short }
      var members = short.members.map { ($0.key, $0.value) }
      members.append(("region", JSON(canvas.region)))
      members.append(("clip", canvas.clip.map { JSON($0) } ?? .null))
      if case .ready(let file) = canvas.cover { members.append(("coverPath", .string(file.path))) }
      if case .failed(let reason) = canvas.cover { members.append(("coverReason", .string(reason))) }
      if !canvas.takes.isEmpty { members.append(("takes", .array(canvas.takes.map { JSON($0) }))) }
      return .object(JSONObject(members))
    }
    self = .object([
      "revision": JSON(board.revision),
      "session": state["session"],
      "focus": state["focus"],
      "take": board.session.take.map { JSON($0) },
      "coverSize": JSON(board.effectiveCoverSide),
      "canvases": .array(detailed),
    ])
  }
}
