/// Shows a range of many models by a few cells that are used again and again.
///
/// It alone says which cell comes into sight and which goes, on scrolling, inserting, deleting and moving alike, so at
/// every step the live registrations are the visible cells times their keys (and those of headers and footers).
///
///     let viewport = Viewport<CanvasID, CanvasContent>(columns: 3) { CanvasContent(screen: screen) }
///     viewport.setItems(canvases.map { ($0.id, $0.model) })
///     viewport.setVisible(0..<9)
///
/// All of it can be called from any thread, also from inside a drawing: then it is done when that is over.
public final class Viewport<ItemID: Hashable & Sendable, Content: CellContent>: Sendable {
  /// What a cell shows.
  public typealias Model = Content.Model

  /// How many cells stand beside each other.
  public let columns: Int
  let makeContent: @Sendable () -> Content
  let state = Guarded(State())
  let turn = Turn()

  struct State: Sendable {
    var commands: [Command] = []
    var items: [ItemID] = []
    var models: [ItemID: Observed<Model>] = [:]
    var visible = 0..<0
    var displayed: [ItemID: Display] = [:]
    var pool: [Cell<Content>] = []
    var supplementary: [SupplementaryPlace: any DisplayedView] = [:]
    var isSuspended = false
    var isClosed = false

    /// The visible part of what is there.
    var shown: Range<Int> { visible.clamped(to: items.indices) }
  }

  struct Display: Sendable {
    let cell: Cell<Content>
    let model: Observed<Model>
    var index: Int
  }

  /// Makes a viewport that shows nothing.
  ///
  /// - Parameters:
  ///   - columns: How many cells stand beside each other, at least 1.
  ///   - makeContent: Makes the content of another cell; called as often as more cells are visible than ever before.
  public init(columns: Int = 1, makeContent: @escaping @Sendable () -> Content) {
    precondition(columns > 0, "a grid has at least one column")
    self.columns = columns
    self.makeContent = makeContent
  }

  deinit {
    // Cells end their registrations by being freed; other views may be held by someone else.
    for view in state.withLock({ Array($0.supplementary.values) }) { view.endDisplaying() }
  }

  // MARK: - What is shown

  /// A cell in sight.
  public struct VisibleCell: Sendable {
    /// What it shows.
    public let item: ItemID
    /// Where it stands.
    public let place: CellPlace
    /// The cell.
    public let cell: Cell<Content>
  }

  /// The cells in sight, by place.
  public var visibleCells: [VisibleCell] {
    state.withLock { state in
      state.displayed
        .map { item, display in
          VisibleCell(item: item, place: CellPlace(index: display.index, columns: columns), cell: display.cell)
        }
        .sorted { $0.place.index < $1.place.index }
    }
  }

  /// All items, in their order.
  public var items: [ItemID] { state.withLock { $0.items } }

  /// How many cells wait to be used again.
  public var pooledCells: Int { state.withLock { $0.pool.count } }

  // MARK: - Changing what is shown

  /// Replaces all items; those that stay keep their cells.
  ///
  /// - Parameter items: The items in their order. Of those with the same identity the last one counts.
  public func setItems(_ items: [(id: ItemID, model: Observed<Model>)]) { send(.setItems(items)) }

  /// Puts an item before the one at an index; an index out of range is taken as the nearest.
  ///
  /// An item that is there already is moved, and shows the given model.
  public func insert(_ item: ItemID, _ model: Observed<Model>, at index: Int) { send(.insert(item, model, index)) }

  /// Takes an item away; one that is not there is none.
  public func delete(_ item: ItemID) { send(.delete(item)) }

  /// Moves an item, so that it is at an index afterwards; an index out of range is taken as the nearest.
  public func move(_ item: ItemID, to index: Int) { send(.move(item, index)) }

  /// Scrolls: says which positions are visible.
  ///
  /// What is beyond the items is empty.
  public func setVisible(_ range: Range<Int>) { send(.setVisible(range)) }

  /// Shows a view beside the cells.
  ///
  /// One that is there already is ended.
  ///
  /// - Parameters:
  ///   - view: A view that is configured, such as a ``Cell`` of any content.
  ///   - place: Where.
  public func willDisplay(_ view: any DisplayedView, at place: SupplementaryPlace) { send(.begin(view, place)) }

  /// Says that a view beside the cells went out of sight.
  ///
  /// If another one has its place by now, that one stays.
  public func didEndDisplaying(_ view: any DisplayedView, at place: SupplementaryPlace) { send(.end(view, place)) }

  /// Ends all registrations and keeps what is shown; done twice, it does nothing.
  public func suspend() { send(.suspend(true)) }

  /// Registers what is visible now, and draws what has changed since ``suspend()``, once.
  public func resume() { send(.suspend(false)) }

  /// Ends the viewport: nothing is shown, registered or held any more, and nothing else that is asked of it is done.
  public func close() { send(.close) }
}
