internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Files
internal import KeyValueObserving
internal import SystemPackage

/// The whole screen: a header line, the cells and a message line.
struct LiveScreen {
  /// A message in the bottom line.
  enum Message: Hashable {
    case refused(String)
    case info(String)
    /// The message for an unreadable board, which remains until the board can be read.
    case lasting(String)
  }

  /// The displayed board.
  private(set) var board: Board
  var message: Message?
  /// The question in the bottom line, if any, which replaces the message.
  var prompt: PathPrompt?
  var isHelpOpen = false {
    didSet { if isHelpOpen != oldValue { redraw() } }
  }
  /// Whether a tap removes a canvas.
  var isRemoving: Bool {
    get { view.status.isRemoving }
    set { view.status.isRemoving = newValue }
  }

  let style: LiveStyle
  let showsCounters: Bool
  let view: BoardView
  var painter: CanvasPainter
  var writer: ScreenWriter
  private(set) var size = Terminal.Size(columns: 1, rows: 1)
  private(set) var layout: GridLayout
  private(set) var firstRow = 0
  /// The index of the canvas with the cursor; 0 on an empty board.
  private(set) var cursor = 0
  var drawnBeforeChange: Int?
  var drawnByLastChange = 0
  var drawnFootRows = 1
  /// The indices of the canvases that wait for each cover.
  var awaiting: [CoverCache.Key: Set<Int>] = [:]
  /// The name of the board's file.
  private let name: String

  static let headRows = 1

  init(_ board: Board, of file: BoardFile, style: LiveStyle, showsCounters: Bool, reader: CoverReader) {
    (self.board, self.style, self.showsCounters) = (board, style, showsCounters)
    name = file.path.lastComponent.map { FilePath($0.string).displayText } ?? ""
    view = BoardView(board, title: "\(name) · \(board.headline)", now: .now)
    painter = CanvasPainter(folder: file.folder, style: style, reader: reader)
    writer = ScreenWriter(hasColours: style.hasColours)
    layout = GridLayout(count: 0, columns: 1, top: 0, width: 1, height: 1)
  }

  var footRows: Int { showsCounters ? 2 : 1 }

  /// The canvas with the cursor.
  var cursorCanvas: CanvasID? { view.order.indices.contains(cursor) ? view.order[cursor] : nil }

  // MARK: - Size and scrolling

  /// Redraws everything for a screen of this size.
  mutating func resize(_ size: Terminal.Size) {
    self.size = size
    painter.character = size.character ?? .usual
    lay()
  }

  /// Redraws everything and requests unreadable covers again.
  mutating func refresh(_ size: Terminal.Size) {
    painter.forgetUnreadableCovers()
    resize(size)
  }

  /// Redraws everything.
  mutating func redraw() { show(firstRow: firstRow, redrawing: true) }

  /// Stops observing the board while the terminal belongs to other programs.
  func suspend() { view.suspend() }

  /// Redraws everything once, with whatever changed since ``suspend()``.
  mutating func resume(_ size: Terminal.Size) {
    view.resume()
    resize(size)
  }

  private mutating func lay() {
    layout = GridLayout(
      BoardLayout(board),
      top: Self.headRows,
      width: size.columns,
      height: size.rows - Self.headRows - footRows
    )
    show(firstRow: layout.firstRow(showing: cursor, near: firstRow), redrawing: true)
  }

  private mutating func show(firstRow row: Int, redrawing: Bool) {
    guard redrawing || row != firstRow else { return }
    firstRow = row
    writer.clear()
    painter.clear(on: &writer)
    awaiting = [:]
    view.show(layout.visible(from: firstRow), redrawing: true)
    if layout.visibleRows == 0 || board.canvases.isEmpty { drawNotice() }
  }

  private mutating func drawNotice() {
    let words =
      board.canvases.isEmpty
      ? "no canvas yet; n adds one"
      : "too small for a canvas: at least \(GridLayout.narrowestCell) × \(GridLayout.lowestCell + Self.headRows + footRows)"
    writer.move(row: size.rows / 2, column: 0)
    writer.write(CellText.centred(CellText.cut(words, to: size.columns), in: size.columns))
  }

  /// Closes the help, or else ends removal mode.
  mutating func close() {
    if isHelpOpen { isHelpOpen = false } else { isRemoving = false }
  }

  // MARK: - Cursor

  /// Moves the cursor to a canvas, or the nearest valid one, and scrolls to make it visible.
  mutating func moveCursor(to index: Int) {
    let before = cursor
    cursor = min(max(0, index), max(0, board.canvases.count - 1))
    guard layout.visibleRows > 0 else { return }
    let row = layout.firstRow(showing: cursor, near: firstRow)
    if row != firstRow {
      show(firstRow: row, redrawing: false)
    } else if cursor != before {
      view.redraw([before, cursor])
    }
  }

  mutating func moveCursor(by count: Int) { moveCursor(to: cursor + count) }

  mutating func moveCursorRows(by count: Int) {
    if let target = layout.index(count, rowsFrom: cursor) { moveCursor(to: target) }
  }

  mutating func moveCursorPages(by count: Int) {
    moveCursor(by: count * max(1, layout.visibleRows) * layout.columns)
  }

  mutating func moveCursorToLast() { moveCursor(to: board.canvases.count - 1) }

  /// Scrolls by rows, keeping the cursor on the screen.
  mutating func scroll(by rows: Int) {
    let row = min(max(0, firstRow + rows), layout.lastFirstRow)
    guard row != firstRow else { return }
    let column = cursor % layout.columns
    let cursorRow = min(max(cursor / layout.columns, row), row + max(1, layout.visibleRows) - 1)
    cursor = min(cursorRow * layout.columns + column, max(0, board.canvases.count - 1))
    show(firstRow: row, redrawing: false)
  }

  /// Returns the index of the canvas at a screen position.
  func index(row: Int, column: Int) -> Int? { layout.index(row: row, column: column, from: firstRow) }

  // MARK: - The board

  /// Shows a new state of the board.
  ///
  /// - Parameters:
  ///   - board: The new state.
  ///   - changes: The changes that lead to the new state; `nil` if they are unknown.
  mutating func update(to board: Board, changes: [Change]?) {
    let canvas = cursorCanvas
    drawnBeforeChange = view.drawnInTotal
    let oldRegions = self.board.canvases.map(\.region)
    self.board = board
    let isOtherOrder = view.update(to: board, changes: changes, now: .now)
    view.status.title = "\(name) · \(board.headline)"
    showRecordTime()
    if isOtherOrder {
      if let canvas, let index = view.order.firstIndex(of: canvas) { cursor = index }
      cursor = min(cursor, max(0, board.canvases.count - 1))
    }
    if isOtherOrder || board.canvases.map(\.region) != oldRegions { lay() }
  }

  /// Updates the duration of an open recording.
  func tick() {
    view.tick(now: .now)
    showRecordTime()
  }

  private func showRecordTime() { view.status.recordSeconds = board.session.take?.seconds(until: .now) }

  /// Shows the covers that have been read since the last call.
  mutating func takeCovers() {
    let (keys, problem) = painter.takeCovers()
    let places = keys.reduce(into: Set<Int>()) { $0.formUnion(awaiting.removeValue(forKey: $1) ?? []) }
    if !places.isEmpty { view.redraw(places) }
    // Part of the text may come from a decoder.
    if let problem { report(.refused(DisplayText.of(problem.utf8))) }
  }

  /// Shows the progress of covers that are being made; `nil` if none are.
  func show(_ progress: BoardStatus.Progress?) { view.status.covers = progress }

  /// Removes the message, unless it is a lasting one.
  mutating func forgetMessage() {
    switch message {
    case .info, .refused: message = nil
    case .lasting, nil: break
    }
  }

  /// Shows a message, unless a lasting one is shown.
  mutating func report(_ message: Message) {
    if case .lasting = self.message { return }
    self.message = message
  }
}
