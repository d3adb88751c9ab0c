public import CanvasModel
public import KeyValueObserving

/// A board as observable models: one for each canvas, and one for the session.
///
/// Changes from a store are written to the models, which notify the observers of the keys that changed.
public struct BoardModels: Sendable {
  /// The model of the board as a whole.
  public let session: Observed<SessionState>
  /// The IDs of the canvases, in order.
  public private(set) var order: [CanvasID] = []

  private var canvases: [CanvasID: Observed<CanvasState>] = [:]
  private var board: Board
  /// The canvas with the open recording, whose duration changes without an event.
  private var takeCanvas: CanvasID?
  private let ledger: Ledger

  /// Creates the models of a board.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - now: The current time, for the duration of an open recording.
  ///   - ledger: The ledger that records observers.
  public init(_ board: Board, now: Instant, ledger: Ledger) {
    (self.board, self.ledger) = (board, ledger)
    session = Observed(SessionState(board), ledger: ledger)
    takeOver(board, canvases: nil, now: now)
  }

  /// The IDs of the canvases, in order, each with its model.
  public var items: [(id: CanvasID, model: Observed<CanvasState>)] {
    order.compactMap { id in canvases[id].map { (id, $0) } }
  }

  /// The model of a canvas, if it exists.
  public subscript(id: CanvasID) -> Observed<CanvasState>? { canvases[id] }

  /// Updates the models to a new state of the board.
  ///
  /// - Parameters:
  ///   - board: The new state.
  ///   - changes: The changes since the previous state; `nil` if they are not known.
  ///   - now: The current time, for the duration of an open recording.
  /// - Returns: Whether canvases were added, removed or moved.
  public mutating func update(to board: Board, changes: [CanvasModel.Change]?, now: Instant) -> Bool {
    let keepsOrder = changes.map { changes in !changes.contains { $0.key == .canvases } } ?? false
    let touched = changes.map { Set($0.compactMap(\.canvas)) }
    let before = order
    takeOver(board, canvases: keepsOrder ? touched : nil, now: now)
    return order != before
  }

  /// Updates the duration of an open recording.
  public mutating func tick(now: Instant) {
    takeOver(board, canvases: [], now: now)
  }

  /// - Parameters:
  ///   - board: The new state.
  ///   - touched: The canvases that may have changed; `nil` if any canvas may have changed, or been added or removed.
  ///   - now: The current time.
  private mutating func takeOver(_ board: Board, canvases touched: Set<CanvasID>?, now: Instant) {
    self.board = board
    let take = board.session.take?.canvas
    if let touched {
      let others = [takeCanvas, take].compactMap(\.self)
      for id in touched.union(others) {
        if let canvas = board[id] { set(canvas, now: now) }
      }
    } else {
      for canvas in board.canvases { set(canvas, now: now) }
      order = board.canvases.map(\.id)
      let present = Set(order)
      canvases = canvases.filter { present.contains($0.key) }
    }
    takeCanvas = take
    let state = SessionState(board)
    if session.snapshot != state { session.mutate { $0 = state } }
  }

  private mutating func set(_ canvas: Canvas, now: Instant) {
    let state = CanvasState(canvas, of: board, now: now)
    guard let model = canvases[canvas.id] else {
      canvases[canvas.id] = Observed(state, ledger: ledger)
      return
    }
    if model.snapshot != state { model.mutate { $0 = state } }
  }
}
