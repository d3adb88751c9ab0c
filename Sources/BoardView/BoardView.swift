public import CanvasModel
public import KeyValueObserving

/// A view of the visible part of a board, with a small number of reused cells.
///
/// The number of live registrations is always the number of visible cells times ``registrationsPerCell``. A canvas is
/// drawn only if its appearance changed, and at most once per call of ``takeChanged()``.
public final class BoardView {
  /// The number of keys that a visible cell observes.
  public static var registrationsPerCell: Int { CanvasCell.displayKeys.count }

  /// The ledger that records observers.
  public let ledger: Ledger
  /// The number of times that a cell was drawn.
  public private(set) var drawnInTotal = 0

  private var models: BoardModels
  private let viewport: Viewport<CanvasID, CanvasCell>
  private let marks = CellMarks()

  /// Creates a view that shows nothing yet; see ``show(_:redrawing:)``.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - now: The current time, for the duration of an open recording.
  ///   - ledger: The ledger that records observers.
  public init(_ board: Board, now: Instant, ledger: Ledger = Ledger()) {
    models = BoardModels(board, now: now, ledger: ledger)
    viewport = Viewport { [marks] in CanvasCell(marks: marks) }
    viewport.setItems(models.items)
    self.ledger = ledger
  }

  /// The number of visible cells.
  public var visibleCells: Int { viewport.visibleCells.count }

  /// The IDs of the canvases, in order.
  public var order: [CanvasID] { models.order }

  /// Returns the visible canvases whose appearance changed since the last call, sorted by index; the caller draws them.
  public func takeChanged() -> [(index: Int, face: CanvasFace)] {
    let changed = marks.take().compactMap(\.drawing).sorted { $0.index < $1.index }
    drawnInTotal += changed.count
    return changed
  }

  /// Scrolls to a range of canvases.
  ///
  /// - Parameters:
  ///   - range: The indices of the visible canvases, from 0.
  ///   - redrawing: Whether to redraw everything, because the surface was cleared or scrolled.
  public func show(_ range: Range<Int>, redrawing: Bool = false) {
    viewport.setVisible(range)
    if redrawing { redraw() }
  }

  /// Updates the view to a new state of the board.
  ///
  /// - Parameters:
  ///   - board: The new state.
  ///   - changes: The changes since the previous state; `nil` if they are not known.
  ///   - now: The current time, for the duration of an open recording.
  /// - Returns: Whether canvases were added, removed or moved.
  @discardableResult
  public func update(to board: Board, changes: [Change]?, now: Instant) -> Bool {
    let isOtherOrder = models.update(to: board, changes: changes, now: now)
    if isOtherOrder { viewport.setItems(models.items) }
    return isOtherOrder
  }

  /// Updates the duration of an open recording.
  public func tick(now: Instant) { models.tick(now: now) }

  /// Marks visible cells whose content on the surface was lost.
  ///
  /// - Parameter places: The indices of the canvases to redraw; `nil` for all visible ones.
  public func redraw(_ places: Set<Int>? = nil) {
    for visible in viewport.visibleCells where places?.contains(visible.place.index) ?? true {
      marks.mark(visible.cell.content)
    }
  }
}
