internal import CanvasModel
internal import KeyValueObserving

/// A board as observed models, one for each canvas.
///
/// Data drives the view: a store's changes come in here, and observers of the keys they concern are notified.
struct BoardModels {
  /// The canvases in order.
  private(set) var order: [CanvasID] = []

  private var faces: [CanvasID: Observed<CanvasFace>] = [:]
  private var board: Board
  private let ledger: Ledger

  /// - Parameters:
  ///   - board: The board.
  ///   - now: The end of an open segment of a recording.
  ///   - ledger: Keeps account of who observes.
  init(_ board: Board, now: Instant, ledger: Ledger) {
    (self.board, self.ledger) = (board, ledger)
    setAll(now: now)
  }

  /// The canvases in order, each with its model.
  var items: [(id: CanvasID, model: Observed<CanvasFace>)] {
    order.compactMap { id in faces[id].map { (id, $0) } }
  }

  /// Brings the models up to date with a board.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - changes: The changes from the board before; `nil` when they are not known.
  ///   - now: The end of an open segment of a recording.
  /// - Returns: Whether canvases were added, removed or moved.
  mutating func update(to board: Board, changes: [CanvasModel.Change]?, now: Instant) -> Bool {
    let before = order
    // While one canvas records, the others play.
    let staysRecording = (self.board.session.name == .recording) == (board.session.name == .recording)
    self.board = board
    if let changes, staysRecording, !changes.contains(where: { $0.key == .canvases }) {
      set(Set(changes.compactMap(\.canvas)), now: now)
    } else {
      setAll(now: now)
    }
    return order != before
  }

  /// Advances the time of an open recording.
  mutating func tick(now: Instant) { set([], now: now) }

  private mutating func setAll(now: Instant) {
    order = board.canvases.map(\.id)
    let present = Set(order)
    set(present, now: now)
    faces = faces.filter { present.contains($0.key) }
  }

  /// Sets the models of some canvases, and of the one with the open recording, whose time passes.
  private mutating func set(_ ids: Set<CanvasID>, now: Instant) {
    let recording = board.session.take?.canvas
    for canvas in board.canvases where canvas.id == recording || ids.contains(canvas.id) {
      let face = board.face(of: canvas, at: now)
      if let model = faces[canvas.id] {
        if model.snapshot != face { model.mutate { $0 = face } }
      } else {
        faces[canvas.id] = Observed(face, ledger: ledger)
      }
    }
  }
}
