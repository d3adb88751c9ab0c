internal import BoardSupport
internal import CanvasModel
internal import KeyValueObserving

extension LiveScreen {
  /// Returns the bytes that update the terminal from the last frame to this one.
  mutating func takeFrame() -> [UInt8] {
    let foot = footLines
    // The rows of a longer message hide cells.
    if foot.count < drawnFootRows { redraw() }
    drawnFootRows = foot.count
    for (index, face) in view.takeChanged() {
      let place = layout.rectangle(of: index, from: firstRow)
      let key = painter.draw(face, hasCursor: index == cursor, isRemoving: isRemoving, in: place, on: &writer)
      if let key { awaiting[key, default: []].insert(index) }
    }
    if let drawn = drawnBeforeChange.take() { drawnByLastChange = view.drawnInTotal - drawn }
    if let status = view.takeHeader() { drawHead(status) }
    if isHelpOpen { drawHelp() }
    draw(foot)
    if showsCounters { drawCounters() }
    return writer.takeFrame(erasing: showsCounters ? countersRow : nil)
  }

  private mutating func drawHead(_ status: BoardStatus) {
    let left = CellText.cut(" " + status.title, to: size.columns)
    let rest = size.columns - CellText.width(left)
    let details = status.details
    let right = CellText.width(details) + 2 <= rest ? details + " " : ""
    writer.move(row: 0, column: 0)
    writer.write(CellText.padded(left, to: size.columns - CellText.width(right)) + right, .inverse)
  }

  // MARK: - Counters

  private var countersRow: Int { size.rows - 2 }

  /// Draws the line that is erased first and drawn last; while it is visible, the frame is complete.
  private mutating func drawCounters() {
    let text =
      " cells \(view.visibleCells) · registrations \(view.ledger.counts.live) · drawn \(view.drawnInTotal)"
      + " (\(drawnByLastChange) by the last change) · headers \(view.headersDrawn)"
    drawLine(text, .faint, row: countersRow)
  }

  // MARK: - Foot

  private typealias FootLine = (text: String, look: ScreenWriter.Look)

  /// The lines at the bottom: a question, a message over as many rows as it needs, or which keys are useful.
  private var footLines: [FootLine] {
    if let prompt { return lines(of: prompt) }
    switch message {
    case .refused(let text), .lasting(let text): return messageLines(text, .redBold)
    case .info(let text): return messageLines(text, .yellow)
    case nil: return [(isRemoving ? Self.removingHint : board.hint, .faint)]
    }
  }

  private static let removingHint = "enter or a click removes a canvas · u undoes · D or esc ends"

  private func lines(of prompt: PathPrompt) -> [FootLine] {
    let question = "\(prompt.replaces ? "new clip" : "clip") for \(DisplayName.of(prompt.canvas)): "
    let room = size.columns - 3 - CellText.width(question)
    let last = (question + CellText.cutStart(prompt.text, to: max(1, room)) + "▏", ScreenWriter.Look.bold)
    if let problem = prompt.problem { return messageLines(problem, .redBold) + [last] }
    guard prompt.candidates.isEmpty else { return [(prompt.candidates.joined(separator: "  "), .plain), last] }
    return [("enter adds the clip · tab completes its name · esc cancels", .faint), last]
  }

  private func messageLines(_ text: String, _ look: ScreenWriter.Look) -> [FootLine] {
    let lines = CellText.lines(of: text, width: max(1, size.columns - 2))
    let rest = lines.dropFirst(Self.maximumMessageRows - 1)
    let shown = lines.prefix(Self.maximumMessageRows - 1) + (rest.isEmpty ? [] : [rest.joined(separator: " ")])
    return shown.map { ($0, look) }
  }

  private static let maximumMessageRows = 4

  private mutating func draw(_ foot: [FootLine]) {
    for (index, line) in foot.enumerated() {
      // Only the last line is below the counters.
      let isLast = index == foot.count - 1
      drawLine(" " + line.text, line.look, row: size.rows - (isLast ? 1 : footRows) - (foot.count - 1 - index))
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

  // MARK: - Help

  private mutating func drawHelp() {
    let lines = LiveAction.help.map { keys, words in
      CellText.padded(keys + " ", to: 14) + words
    }
    let width = min(size.columns, (lines.map(CellText.width).max() ?? 0) + 4)
    let top = max(Self.headRows, (size.rows - lines.count - 2) / 2)
    let left = (size.columns - width) / 2
    for (row, line) in ([""] + lines + [""]).enumerated() where top + row < size.rows - footRows {
      let text = CellText.cut(line.isEmpty ? "" : "  " + line, to: width)
      // Nothing of the canvases is left beside the text.
      drawLine("", .plain, row: top + row)
      writer.move(row: top + row, column: left)
      writer.write(CellText.padded(text, to: width), .inverse)
    }
  }
}

extension BoardStatus {
  /// The right part of the header, such as `0:12 · covers 2/5 · 1–12`.
  fileprivate var details: String {
    let mode = isRemoving ? ["removing"] : []
    let progress = covers.map { ["covers \($0.done)/\($0.total)"] } ?? []
    let part =
      visible.count < canvasCount && !visible.isEmpty ? ["\(visible.lowerBound + 1)–\(visible.upperBound)"] : []
    let time = recordSeconds.map { [CanvasFace.Recording.text(ofSeconds: $0)] } ?? []
    return (time + mode + progress + part).joined(separator: " · ")
  }
}
