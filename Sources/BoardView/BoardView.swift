public import CanvasModel
public import KeyValueObserving

/// A part of a board, drawn on a surface by a few cells that are used again and again.
///
/// At every moment the live registrations are the visible cells times ``registrationsPerCell``. What is drawn is drawn
/// once a change, and only where it looks different.
public final class BoardView<Surface: CanvasSurface> {
  /// How many keys a visible cell observes: those of its canvas and of the session.
  public static var registrationsPerCell: Int { CanvasCell.displayKeys.count + CanvasCell.sessionKeys }

  /// Keeps account of who observes.
  public let ledger: Ledger
  /// How often a cell was drawn.
  public private(set) var drawnInTotal = 0

  private var models: BoardModels
  private let viewport: Viewport<CanvasID, CanvasCell>
  private let marks: CellMarks
  private let surface: Surface

  /// A view that shows nothing yet; see ``show(_:redrawing:)``.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - surface: Where it is drawn.
  ///   - now: Up to when an open recording lasts.
  ///   - ledger: Keeps account of who observes.
  public init(_ board: Board, on surface: Surface, now: Instant, ledger: Ledger = Ledger()) {
    let models = BoardModels(board, now: now, ledger: ledger)
    let marks = CellMarks()
    viewport = Viewport { [session = models.session] in CanvasCell(session: session, marks: marks) }
    viewport.setItems(models.items)
    (self.models, self.marks, self.surface, self.ledger) = (models, marks, surface, ledger)
  }

  /// How many cells are visible.
  public var visibleCells: Int { viewport.visibleCells.count }

  /// The canvases in order.
  public var order: [CanvasID] { models.order }

  /// Scrolls to these places among all canvases, and draws what comes into sight.
  ///
  /// - Parameters:
  ///   - range: Places from 0.
  ///   - redrawing: Whether all is drawn anew, as the surface was cleared or scrolled.
  public func show(_ range: Range<Int>, redrawing: Bool = false) {
    viewport.setVisible(range)
    redrawing ? redraw() : drawMarked()
  }

  /// Brings the view to what a board is now.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - changes: What leads there from the board before; `nil` when that is not known.
  ///   - now: Up to when an open recording lasts.
  /// - Returns: Whether canvases came, went or moved.
  @discardableResult
  public func update(to board: Board, changes: [CanvasModel.Change]?, now: Instant) -> Bool {
    let isOtherOrder = models.update(to: board, changes: changes, now: now)
    if isOtherOrder { viewport.setItems(models.items) }
    drawMarked()
    return isOtherOrder
  }

  /// Lets the time of an open recording go on.
  public func tick(now: Instant) {
    models.tick(now: now)
    drawMarked()
  }

  /// Draws visible cells anew, as what was drawn is gone.
  ///
  /// - Parameter places: Which; `nil` for all.
  public func redraw(_ places: Set<Int>? = nil) {
    for visible in viewport.visibleCells where places?.contains(visible.place.index) ?? true {
      visible.cell.content.forget()
    }
    drawMarked()
  }

  private func drawMarked() {
    for cell in marks.take() {
      let isDrawn = cell.drawIfChanged(on: surface)
      if isDrawn { drawnInTotal += 1 }
    }
  }
}
