internal import BoardText
internal import BoardView
internal import CanvasModel
internal import Covers
internal import Files
internal import KeyValueObserving
internal import SystemPackage
internal import Terminal

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
  var isHelpOpen = false {
    didSet { if isHelpOpen != oldValue { redraw() } }
  }

  private let style: LiveStyle
  private let showsCounters: Bool
  private let view: BoardView
  private var painter: CanvasPainter
  private var writer: ScreenWriter
  private var size = Terminal.Size(columns: 1, rows: 1)
  private var layout: GridLayout
  private var firstRow = 0
  /// The index of the canvas with the cursor; 0 on an empty board.
  private var cursor = 0
  private var drawnBeforeChange: Int?
  private var drawnByLastChange = 0
  private var drawnMessageRows = 1
  /// The indices of the canvases that wait for each cover.
  private var awaiting: [CoverCache.Key: Set<Int>] = [:]

  private static let headRows = 1

  init(_ board: Board, folder: FilePath, style: LiveStyle, showsCounters: Bool, reader: CoverReader) {
    (self.board, self.style, self.showsCounters) = (board, style, showsCounters)
    view = BoardView(board, now: .now)
    painter = CanvasPainter(folder: folder, style: style, reader: reader)
    writer = ScreenWriter(hasColours: style.hasColours)
    layout = GridLayout(count: 0, columns: 1, top: 0, width: 1, height: 1)
  }

  private var footRows: Int { showsCounters ? 2 : 1 }

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
      : "too small for a canvas: \(GridLayout.narrowestCell) × \(GridLayout.lowestCell + Self.headRows + footRows) is the least"
    writer.move(row: size.rows / 2, column: 0)
    writer.write(CellText.centred(CellText.cut(words, to: size.columns), in: size.columns))
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
    if isOtherOrder {
      if let canvas, let index = view.order.firstIndex(of: canvas) { cursor = index }
      cursor = min(cursor, max(0, board.canvases.count - 1))
    }
    if isOtherOrder || board.canvases.map(\.region) != oldRegions { lay() }
  }

  /// Updates the duration of an open recording.
  func tick() { view.tick(now: .now) }

  /// Shows the covers that have been read since the last call.
  mutating func takeCovers() {
    let (keys, problem) = painter.takeCovers()
    let places = keys.reduce(into: Set<Int>()) { $0.formUnion(awaiting.removeValue(forKey: $1) ?? []) }
    if !places.isEmpty { view.redraw(places) }
    guard let problem else { return }
    if case .lasting = message { return }
    // Part of the text may come from a decoder.
    message = .refused(DisplayText.of(problem.utf8))
  }

  // MARK: - Frames

  /// Returns the bytes that update the terminal from the last frame to this one.
  mutating func takeFrame() -> [UInt8] {
    let messageRows = footLines.lines.count
    // The rows of a longer message hide cells.
    if messageRows < drawnMessageRows { redraw() }
    drawnMessageRows = messageRows
    for (index, face) in view.takeChanged() {
      let place = layout.rectangle(of: index, from: firstRow)
      if let key = painter.draw(face, hasCursor: index == cursor, in: place, on: &writer) {
        awaiting[key, default: []].insert(index)
      }
    }
    if let drawn = drawnBeforeChange.take() { drawnByLastChange = view.drawnInTotal - drawn }
    drawHead()
    if isHelpOpen { drawHelp() }
    drawMessage()
    if showsCounters { drawCounters() }
    return writer.takeFrame(erasing: showsCounters ? countersRow : nil)
  }

  private mutating func drawHead() {
    let visible = layout.visible(from: firstRow)
    let part = visible.count < layout.count && !visible.isEmpty ? "\(visible.lowerBound + 1)–\(visible.upperBound)" : ""
    let left = CellText.cut(" " + board.headline, to: size.columns)
    let rest = size.columns - CellText.width(left)
    let right = CellText.width(part) + 2 <= rest ? part + " " : ""
    writer.move(row: 0, column: 0)
    writer.write(left + String(repeating: " ", count: rest - CellText.width(right)) + right, .inverse)
  }

  private var countersRow: Int { size.rows - 2 }

  /// Draws the line that is erased first and drawn last; while it is visible, the frame is complete.
  private mutating func drawCounters() {
    let text =
      " cells \(view.visibleCells) · registrations \(view.ledger.counts.live) · drawn \(view.drawnInTotal)"
      + " (\(drawnByLastChange) by the last change)"
    drawLine(text, .faint, row: countersRow)
  }

  /// The lines at the bottom: a message over as many rows as it needs, or which keys are useful.
  private var footLines: (lines: [String], look: ScreenWriter.Look) {
    switch message {
    case .refused(let text), .lasting(let text): (messageLines(text), .redBold)
    case .info(let text): (messageLines(text), .yellow)
    case nil: ([board.session.name.hint], .faint)
    }
  }

  private func messageLines(_ text: String) -> [String] {
    let lines = CellText.lines(of: text, width: max(1, size.columns - 2))
    return lines.count <= Self.maximumMessageRows
      ? lines
      : Array(lines.prefix(Self.maximumMessageRows - 1)) + [
        lines.dropFirst(Self.maximumMessageRows - 1).joined(separator: " ")
      ]
  }

  private static let maximumMessageRows = 4

  private mutating func drawMessage() {
    let (lines, look) = footLines
    for (index, line) in lines.enumerated() {
      // Only the last line is below the counters.
      let isLast = index == lines.count - 1
      drawLine(" " + line, look, row: size.rows - (isLast ? 1 : footRows) - (lines.count - 1 - index))
    }
  }

  /// Draws a line that spans the screen except for the last column, which makes some terminals scroll.
  private mutating func drawLine(_ text: String, _ look: ScreenWriter.Look, row: Int) {
    guard row > 0 else { return }
    let text = CellText.cut(text, to: size.columns - 1)
    writer.move(row: row, column: 0)
    writer.write(text, look)
    writer.write(String(repeating: " ", count: max(0, size.columns - 1 - CellText.width(text))))
  }

  private mutating func drawHelp() {
    let lines = LiveAction.help.map { keys, words in
      keys + String(repeating: " ", count: max(1, 14 - CellText.width(keys))) + words
    }
    let width = min(size.columns, (lines.map(CellText.width).max() ?? 0) + 4)
    let top = max(Self.headRows, (size.rows - lines.count - 2) / 2)
    let left = (size.columns - width) / 2
    let empty = String(repeating: " ", count: width)
    for (row, line) in ([""] + lines + [""]).enumerated() where top + row < size.rows - footRows {
      let text = CellText.cut("  " + line, to: width)
      writer.move(row: top + row, column: left)
      writer.write(line.isEmpty ? empty : text + String(repeating: " ", count: width - CellText.width(text)), .inverse)
    }
  }
}
