public import CanvasModel
public import KeyValueObserving

/// A part of a board, shown by a few cells that are reused.
///
/// At every moment the live registrations are the visible cells times ``registrationsPerCell``. A canvas is drawn only
/// where it looks different, and once, however many changes came since the last time.
public final class BoardView {
  /// How many keys a visible cell observes.
  public static var registrationsPerCell: Int { CanvasCell.displayKeys.count }

  /// Keeps account of who observes.
  public let ledger: Ledger
  /// How many times a canvas was drawn.
  public private(set) var drawnInTotal = 0

  private var models: BoardModels
  private let viewport: Viewport<CanvasID, CanvasCell>
  private let marks = CellMarks()

  /// Creates a view that shows nothing yet; see ``show(_:redrawing:)``.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - now: The end of an open segment of a recording.
  ///   - ledger: Keeps account of who observes.
  public init(_ board: Board, now: Instant, ledger: Ledger = Ledger()) {
    models = BoardModels(board, now: now, ledger: ledger)
    viewport = Viewport { [marks] in CanvasCell(marks: marks) }
    viewport.setItems(models.items)
    self.ledger = ledger
  }

  /// How many cells are visible.
  public var visibleCells: Int { viewport.visibleCells.count }

  /// The canvases in order.
  public var order: [CanvasID] { models.order }

  /// Returns the visible canvases that look different since the last call, by place.
  ///
  /// The caller draws them.
  public func takeChanged() -> [(index: Int, face: CanvasFace)] {
    let changed = marks.take().compactMap(\.drawing).sorted { $0.index < $1.index }
    drawnInTotal += changed.count
    return changed
  }

  /// Scrolls to these places among all canvases.
  ///
  /// - Parameters:
  ///   - range: Places from 0.
  ///   - redrawing: Whether all canvases are to be drawn again, because the surface was cleared or scrolled.
  public func show(_ range: Range<Int>, redrawing: Bool = false) {
    viewport.setVisible(range)
    if redrawing { redraw() }
  }

  /// Brings the view up to date with a board.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - changes: The changes from the board before; `nil` when they are not known.
  ///   - now: The end of an open segment of a recording.
  /// - Returns: Whether canvases were added, removed or moved.
  @discardableResult
  public func update(to board: Board, changes: [CanvasModel.Change]?, now: Instant) -> Bool {
    let isOtherOrder = models.update(to: board, changes: changes, now: now)
    if isOtherOrder { viewport.setItems(models.items) }
    return isOtherOrder
  }

  /// Advances the time of an open recording.
  public func tick(now: Instant) { models.tick(now: now) }

  /// Marks visible canvases to be drawn again, because what was drawn is gone.
  ///
  /// - Parameter places: Which; `nil` for all.
  public func redraw(_ places: Set<Int>? = nil) {
    for visible in viewport.visibleCells where places?.contains(visible.place.index) ?? true {
      marks.mark(visible.cell.content)
    }
  }
}
