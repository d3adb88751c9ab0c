/// Shows a visible range of many models with a small number of reused cells.
///
/// Only the viewport decides which cells appear and disappear when scrolling, inserting, deleting and moving, so the
/// number of live registrations is always the number of visible cells times their keys (plus those of headers and
/// footers).
///
///     let viewport = Viewport<CanvasID, CanvasContent>(columns: 3) { CanvasContent(screen: screen) }
///     viewport.setItems(canvases.map { ($0.id, $0.model) })
///     viewport.setVisible(0..<9)
///
/// All methods can be called from any thread. Calls from inside a drawing take effect when the drawing is finished.
public final class Viewport<ItemID: Hashable & Sendable, Content: CellContent>: Sendable {
  /// The type of the models that cells show.
  public typealias Model = Content.Model

  /// The number of columns.
  let columns: Int
  let makeContent: @Sendable () -> Content
  let delivery: Delivery
  let state = Guarded(State())
  let turn = Turn()

  struct State: Sendable {
    var commands = Queue<Command>()
    var items: [ItemID] = []
    var models: [ItemID: Observed<Model>] = [:]
    var visible = 0..<0
    var displayed: [ItemID: Slot] = [:]
    var pool: [Cell<Content>] = []
    var supplementary: [SupplementaryPlace: any DisplayedView] = [:]
    var isSuspended = false
    var isClosed = false

    /// The visible indices that contain items.
    var shown: Range<Int> { visible.clamped(to: items.indices) }
  }

  struct Slot: Sendable {
    let cell: Cell<Content>
    let model: Observed<Model>
    var index: Int
  }

  /// Creates a viewport that shows nothing.
  ///
  /// - Parameters:
  ///   - columns: The number of columns, at least 1.
  ///   - delivery: When and where the contents are created and called. With an executor, the viewport can be populated
  ///     on any thread; its methods return at once, and take effect on the executor in the order of the calls.
  ///   - makeContent: Returns the content for a new cell; called only when more cells are visible than ever before.
  public init(
    columns: Int = 1,
    delivery: Delivery = .synchronous,
    makeContent: @escaping @Sendable () -> Content
  ) {
    precondition(columns > 0, "a grid has at least one column")
    self.columns = columns
    self.delivery = delivery
    self.makeContent = makeContent
  }

  deinit {
    let state = state.withLock { $0 }
    let cells = state.displayed.values.sorted { $0.index < $1.index }.map(\.cell)
    for cell in cells { cell.unbind() }
    for view in state.supplementary.values { view.endDisplaying() }
    let end: @Sendable () -> Void = { for cell in cells { cell.content.didEndDisplaying() } }
    switch delivery {
    case .synchronous: end()
    case .async(let executor): executor.enqueue(end)
    }
  }

  // MARK: - Visible cells

  /// A visible cell.
  public struct VisibleCell: Sendable {
    /// The item that the cell shows.
    public let item: ItemID
    /// The position of the cell.
    public let place: CellPlace
    /// The cell.
    public let cell: Cell<Content>
  }

  /// The visible cells, sorted by position.
  public var visibleCells: [VisibleCell] {
    state.withLock { state in
      state.displayed
        .map { item, slot in
          VisibleCell(item: item, place: CellPlace(index: slot.index, columns: columns), cell: slot.cell)
        }
        .sorted { $0.place.index < $1.place.index }
    }
  }

  /// All items in order.
  public var items: [ItemID] { state.withLock { $0.items } }

  /// The number of cells available for reuse.
  package var pooledCells: Int { state.withLock { $0.pool.count } }

  // MARK: - Changing items

  /// Replaces all items; items that remain visible keep their cells.
  ///
  /// - Parameter items: The items in order. If several have the same identity, the last one is used.
  public func setItems(_ items: [(id: ItemID, model: Observed<Model>)]) { send(.setItems(items)) }

  /// Inserts an item at an index; an index out of range is clamped.
  ///
  /// An existing item is moved and shows the given model.
  public func insert(_ item: ItemID, _ model: Observed<Model>, at index: Int) { send(.insert(item, model, index)) }

  /// Deletes an item, if it exists.
  public func delete(_ item: ItemID) { send(.delete(item)) }

  /// Moves an item so that it ends up at an index; an index out of range is clamped.
  public func move(_ item: ItemID, to index: Int) { send(.move(item, index)) }

  /// Scrolls: sets which indices are visible.
  ///
  /// Indices beyond the last item show nothing.
  public func setVisible(_ range: Range<Int>) { send(.setVisible(range)) }

  /// Shows a supplementary view.
  ///
  /// A view already shown at the same place is ended.
  ///
  /// - Parameters:
  ///   - view: A configured view, such as a ``Cell`` with any content.
  ///   - place: The place of the view.
  public func willDisplay(_ view: any DisplayedView, at place: SupplementaryPlace) { send(.begin(view, place)) }

  /// Ends a supplementary view that has gone out of view.
  ///
  /// If another view has replaced it in the meantime, that view stays.
  public func didEndDisplaying(_ view: any DisplayedView, at place: SupplementaryPlace) { send(.end(view, place)) }

  /// Removes all registrations and keeps what is shown.
  ///
  /// Suspending again has no effect.
  public func suspend() { send(.suspend(true)) }

  /// Registers the cells that are now visible, and draws, once, what has changed since ``suspend()``.
  public func resume() { send(.suspend(false)) }

  /// Closes the viewport: removes all cells, registrations and models.
  ///
  /// Later calls have no effect. Releasing the viewport closes it, too.
  public func close() { send(.close) }
}
