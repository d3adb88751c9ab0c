internal import BoardStore
internal import BoardSupport
internal import CanvasModel

/// Finds out which events would change a board now, by applying them to copies.
struct Trials {
  private let board: Board
  /// The answers for canvases that are alike: the same events change them.
  private var known: [Likeness: JSON] = [:]

  private struct Likeness: Hashable {
    let hasFocus: Bool
    let hasClip: Bool
    let isTrimmed: Bool
    let cover: CoverName
  }

  init(of board: Board) {
    self.board = board
  }

  /// Returns the events of the board as a whole.
  static func json(of board: Board) -> JSON {
    let take = board.nextTake
    let events: [(String, Event)] = [
      ("recordStart", .recordStart(take: take)), ("recordStartReplacing", .recordStart(take: take, replace: true)),
      ("recordPause", .recordPause), ("recordResume", .recordResume()), ("recordStop", .recordStop),
      ("recordDiscard", .recordDiscard), ("deselect", .deselect), ("stopPreview", .stopPreview), ("undo", .undo),
      ("redo", .redo),
    ]
    return .object(JSONObject(events.map { ($0, .bool(wouldChange(board, $1))) }))
  }

  /// Returns the events of a canvas.
  mutating func json(for canvas: Canvas) -> JSON {
    let likeness = Likeness(
      hasFocus: board.session.focus == canvas.id,
      hasClip: canvas.clip != nil,
      isTrimmed: canvas.clip?.trim != nil,
      cover: canvas.cover.name
    )
    if let answer = known[likeness] { return answer }
    // Any name will do for a clip that is only tried.
    guard let clip = ClipFile(path: "clip") else { preconditionFailure("the path is not empty") }
    let others = board.canvases.count > 1
    let position = board.canvases.first?.id == canvas.id ? board.canvases.count - 1 : 0
    let events: [(String, Event)] = [
      ("tap", .tap(canvas.id)), ("select", .select(canvas.id)), ("removeClip", .removeClip(canvas.id)),
      // Any other part will do.
      ("trimClip", .trimClip(canvas.id, canvas.clip?.trim == nil ? Trim(from: .ulpOfOne) : nil)),
      ("coverRetry", .coverRetry(canvas.id)), ("importClip", .importClip(canvas.id, clip)),
      ("importClipReplacing", .importClip(canvas.id, clip, replace: true)),
      ("removeCanvas", .removeCanvas(canvas.id)),
    ]
    var members = events.map { ($0, JSON.bool(Self.wouldChange(board, $1))) }
    members.append(("moveCanvas", .bool(others && Self.wouldChange(board, .moveCanvas(canvas.id, to: position)))))
    let answer = JSON.object(JSONObject(members))
    known[likeness] = answer
    return answer
  }

  private static func wouldChange(_ board: Board, _ event: Event) -> Bool {
    var copy = board
    // Any time will do, because no event depends on it.
    if case .changed = copy.apply(event, at: .epoch) { return true }
    return false
  }
}
