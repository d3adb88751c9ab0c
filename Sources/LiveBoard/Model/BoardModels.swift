internal import CanvasModel
internal import KeyValueObserving

/// A board as observable models, one for each canvas.
///
/// Changes from a store are written to the models, which notify the observers of the keys that changed.
struct BoardModels {
  /// The IDs of the canvases, in order.
  private(set) var order: [CanvasID] = []

  private var faces: [CanvasID: Observed<CanvasFace>] = [:]
  private var board: Board
  private let ledger: Ledger

  /// - Parameters:
  ///   - board: The board.
  ///   - now: The current time, for the duration of an open recording.
  ///   - ledger: The ledger that records observers.
  init(_ board: Board, now: Instant, ledger: Ledger) {
    (self.board, self.ledger) = (board, ledger)
    setAll(now: now)
  }

  /// The IDs of the canvases, in order, each with its model.
  var items: [(id: CanvasID, model: Observed<CanvasFace>)] {
    order.compactMap { id in faces[id].map { (id, $0) } }
  }

  /// Updates the models to a new state of the board.
  ///
  /// - Parameters:
  ///   - board: The new state.
  ///   - changes: The changes since the previous state; `nil` if they are not known.
  ///   - now: The current time, for the duration of an open recording.
  /// - Returns: Whether canvases were added, removed or moved.
  mutating func update(to board: Board, changes: [Change]?, now: Instant) -> Bool {
    let before = order
    // While one canvas records, the others play.
    let staysRecording = (self.board.session.name == .recording) == (board.session.name == .recording)
    self.board = board
    if let changes, staysRecording, !changes.contains(where: { [.position, .canvases].contains($0.key) }) {
      set(Set(changes.compactMap(\.canvas)), now: now)
    } else {
      setAll(now: now)
    }
    return order != before
  }

  /// Updates the duration of an open recording.
  mutating func tick(now: Instant) { set([], now: now) }

  private mutating func setAll(now: Instant) {
    order = board.canvases.map(\.id)
    let present = Set(order)
    set(present, now: now)
    faces = faces.filter { present.contains($0.key) }
  }

  /// Updates the models of some canvases, and of the canvas with the open recording, whose duration changes without an
  /// event.
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
