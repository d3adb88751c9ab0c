public import CanvasModel
public import KeyValueObserving

/// A board as models that can be observed: one for each canvas, one for the session.
///
/// Data drives the view: a store's changes come in here, and whoever observes a key that they concern is told.
public struct BoardModels: Sendable {
  /// Of the whole board.
  public let session: Observed<SessionState>
  /// The canvases in order.
  public private(set) var order: [CanvasID] = []

  private var canvases: [CanvasID: Observed<CanvasState>] = [:]
  private var board: Board
  /// Where the recording is, whose time goes on by itself.
  private var takeCanvas: CanvasID?
  private let ledger: Ledger

  /// The models of a board.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - now: Up to when an open recording lasts.
  ///   - ledger: Keeps account of who observes.
  public init(_ board: Board, now: Instant, ledger: Ledger) {
    (self.board, self.ledger) = (board, ledger)
    session = Observed(SessionState(board), ledger: ledger)
    takeOver(board, canvases: nil, now: now)
  }

  /// The canvases in order, each with its model.
  public var items: [(id: CanvasID, model: Observed<CanvasState>)] {
    order.compactMap { id in canvases[id].map { (id, $0) } }
  }

  /// The model of a canvas.
  public subscript(id: CanvasID) -> Observed<CanvasState>? { canvases[id] }

  /// Brings the models to what a board is now.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - changes: What leads there from the board before; `nil` when that is not known.
  ///   - now: Up to when an open recording lasts.
  /// - Returns: Whether canvases came, went or moved.
  public mutating func update(to board: Board, changes: [CanvasModel.Change]?, now: Instant) -> Bool {
    let keepsOrder = changes.map { changes in !changes.contains { $0.key == .canvases } } ?? false
    let touched = changes.map { Set($0.compactMap(\.canvas)) }
    let before = order
    takeOver(board, canvases: keepsOrder ? touched : nil, now: now)
    return order != before
  }

  /// Lets the time of an open recording go on.
  public mutating func tick(now: Instant) {
    takeOver(board, canvases: [], now: now)
  }

  /// - Parameter touched: The canvases that may be different; `nil` for any, which may be others.
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
