package import CanvasModel
package import KeyValueObserving

/// A view of the visible part of a board, with a small number of reused cells.
///
/// The number of live registrations is always the number of visible cells times ``registrationsPerCell``, plus those of
/// the header. A canvas is drawn only if its appearance changed, and at most once per call of ``takeChanged()``.
package final class BoardView {
  /// The number of keys that a visible cell observes: those of its canvas, and the mode of the screen.
  package static var registrationsPerCell: Int { CanvasCell.displayKeys.count + 1 }
  /// The number of keys that the header observes.
  package static var registrationsOfHeader: Int { HeaderContent.displayKeys.count }

  /// The ledger that records observers.
  package let ledger: Ledger
  /// The number of times that a cell was drawn.
  package private(set) var drawnInTotal = 0
  /// The number of times that the header was drawn.
  package private(set) var headersDrawn = 0
  /// What the header shows, and the mode that every cell follows.
  package let status: Observed<BoardStatus>

  private var models: BoardModels
  private let viewport: Viewport<CanvasID, CanvasCell>
  private let marks = CellMarks()
  private let header = Cell(HeaderContent())
  /// The mode when the view was suspended.
  private var wasRemoving = false

  /// Creates a view that shows nothing yet; see ``show(_:redrawing:)``.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - title: The title in the header.
  ///   - now: The current time, for the duration of an open recording.
  ///   - ledger: The ledger that records observers.
  package init(_ board: Board, title: String = "", now: Instant, ledger: Ledger = Ledger()) {
    models = BoardModels(board, now: now, ledger: ledger)
    status = Observed(BoardStatus(title: title, canvasCount: board.canvases.count), ledger: ledger)
    // Changes are delivered at once: they only mark cells, and the caller, which owns the thread,
    // draws when it is ready.
    viewport = Viewport { [marks, status] in CanvasCell(marks: marks, status: status) }
    viewport.setItems(models.items)
    self.ledger = ledger
    header.configure(for: status)
    viewport.willDisplay(header, at: SupplementaryPlace(.header, section: 0))
  }

  /// The number of visible cells.
  package var visibleCells: Int { viewport.visibleCells.count }

  /// The IDs of the canvases, in order.
  package var order: [CanvasID] { models.order }

  /// Returns the visible canvases whose appearance changed since the last call, sorted by index; the caller draws them.
  package func takeChanged() -> [(index: Int, face: CanvasFace)] {
    let changed = marks.take().compactMap(\.drawing).sorted { $0.index < $1.index }
    drawnInTotal += changed.count
    return changed
  }

  /// Returns the status if the header changed since the last call; the caller draws it.
  package func takeHeader() -> BoardStatus? {
    let status = header.content.take()
    headersDrawn += status == nil ? 0 : 1
    return status
  }

  /// Scrolls to a range of canvases.
  ///
  /// - Parameters:
  ///   - range: The indices of the visible canvases, from 0.
  ///   - redrawing: Whether to redraw everything, because the surface was cleared or scrolled.
  package func show(_ range: Range<Int>, redrawing: Bool = false) {
    viewport.setVisible(range)
    status.visible = range
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
  package func update(to board: Board, changes: [Change]?, now: Instant) -> Bool {
    let isOtherOrder = models.update(to: board, changes: changes, now: now)
    if isOtherOrder { viewport.setItems(models.items) }
    status.canvasCount = board.canvases.count
    return isOtherOrder
  }

  /// Updates the duration of an open recording.
  package func tick(now: Instant) { models.tick(now: now) }

  /// Marks visible cells whose content on the surface was lost.
  ///
  /// - Parameter places: The indices of the canvases to redraw; `nil` for all visible ones and the header.
  package func redraw(_ places: Set<Int>? = nil) {
    for visible in viewport.visibleCells where places?.contains(visible.place.index) ?? true {
      marks.mark(visible.cell.content)
    }
    if places == nil { header.content.mark(status.snapshot) }
  }

  /// Stops observing while the surface belongs to another program; nothing more is marked.
  package func suspend() {
    wasRemoving = status.isRemoving
    viewport.suspend()
    for visible in viewport.visibleCells { visible.cell.content.stopFollowing() }
  }

  /// Observes again, and marks what has changed since ``suspend()``.
  package func resume() {
    for visible in viewport.visibleCells { visible.cell.content.follow() }
    viewport.resume()
    if status.isRemoving != wasRemoving { redraw() }
  }
}
