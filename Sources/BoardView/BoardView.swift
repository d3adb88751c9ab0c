public import CanvasModel
public import KeyValueObserving

/// A view that draws the visible part of a board on a surface with a small number of reused cells.
///
/// The number of live registrations is always the number of visible cells times ``registrationsPerCell``. Each cell is
/// drawn at most once per change, and only if its appearance changed.
public final class BoardView<Surface: CanvasSurface> {
  /// The number of keys that a visible cell observes: those of its canvas and of the session.
  public static var registrationsPerCell: Int { CanvasCell.displayKeys.count + CanvasCell.sessionKeys }

  /// The ledger that records observers.
  public let ledger: Ledger
  /// The number of times that a cell was drawn.
  public private(set) var drawnInTotal = 0

  private var models: BoardModels
  private let viewport: Viewport<CanvasID, CanvasCell>
  private let marks: CellMarks
  private let surface: Surface

  /// Creates a view that shows nothing yet; see ``show(_:redrawing:)``.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - surface: The surface to draw on.
  ///   - now: The current time, for the duration of an open recording.
  ///   - ledger: The ledger that records observers.
  public init(_ board: Board, on surface: Surface, now: Instant, ledger: Ledger = Ledger()) {
    let models = BoardModels(board, now: now, ledger: ledger)
    let marks = CellMarks()
    viewport = Viewport { [session = models.session] in CanvasCell(session: session, marks: marks) }
    viewport.setItems(models.items)
    (self.models, self.marks, self.surface, self.ledger) = (models, marks, surface, ledger)
  }

  /// The number of visible cells.
  public var visibleCells: Int { viewport.visibleCells.count }

  /// The IDs of the canvases, in order.
  public var order: [CanvasID] { models.order }

  /// Scrolls to a range of canvases, and draws those that become visible.
  ///
  /// - Parameters:
  ///   - range: The indices of the visible canvases, from 0.
  ///   - redrawing: Whether to redraw everything, because the surface was cleared or scrolled.
  public func show(_ range: Range<Int>, redrawing: Bool = false) {
    viewport.setVisible(range)
    redrawing ? redraw() : drawMarked()
  }

  /// Updates the view to a new state of the board.
  ///
  /// - Parameters:
  ///   - board: The new state.
  ///   - changes: The changes since the previous state; `nil` if they are not known.
  ///   - now: The current time, for the duration of an open recording.
  /// - Returns: Whether canvases were added, removed or moved.
  @discardableResult
  public func update(to board: Board, changes: [CanvasModel.Change]?, now: Instant) -> Bool {
    let isOtherOrder = models.update(to: board, changes: changes, now: now)
    if isOtherOrder { viewport.setItems(models.items) }
    drawMarked()
    return isOtherOrder
  }

  /// Updates the displayed duration of an open recording.
  public func tick(now: Instant) {
    models.tick(now: now)
    drawMarked()
  }

  /// Redraws visible cells whose content on the surface was lost.
  ///
  /// - Parameter places: The indices of the canvases to redraw; `nil` for all visible ones.
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
