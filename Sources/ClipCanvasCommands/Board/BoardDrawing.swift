internal import BoardText
internal import CanvasModel

/// A board drawn with characters: one box per canvas, with a red frame around the selected one.
struct BoardDrawing {
  /// The abilities of the terminal.
  struct Style {
    var hasColours: Bool

    func red(_ text: String) -> String { hasColours ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
  }

  private let board: Board
  private let now: Instant
  private let style: Style

  private static let narrowestCell = 18
  private static let widestCell = 30
  private static let boxHeight = 6

  /// - Parameters:
  ///   - board: The board to draw.
  ///   - now: The current time, for the duration of an open recording.
  ///   - style: The abilities of the terminal.
  init(_ board: Board, now: Instant, style: Style) {
    (self.board, self.now, self.style) = (board, now, style)
  }

  /// A summary of the board: `revision 7 · recording on c2 · 4 canvases`.
  var headline: String {
    let focus = board.session.focus.map { " on \(DisplayName.of($0))" } ?? ""
    let count = "\(board.canvases.count) \(board.canvases.count == 1 ? "canvas" : "canvases")"
    return "revision \(board.revision) · \(board.session.name.rawValue)\(focus) · \(count)"
  }

  /// Returns the drawing, or a table if the drawing would be too wide.
  func lines(width: Int) -> [String] {
    guard !board.canvases.isEmpty else { return ["no canvas yet; 'clipcanvas canvas add' adds one"] }
    let columns = board.gridColumns
    let cell = min((width - columns + 1) / columns, Self.widestCell)
    return cell >= Self.narrowestCell ? grid(columns: columns, cell: cell) : table
  }

  // MARK: - Grid

  private func grid(columns: Int, cell: Int) -> [String] {
    var lines: [String] = []
    for start in stride(from: 0, to: board.canvases.count, by: columns) {
      let end = min(start + columns, board.canvases.count)
      let boxes: [[String]] = board.canvases[start..<end].map { canvas in box(canvas, width: cell) }
      for line in 0..<Self.boxHeight {
        let parts: [String] = boxes.map { box in box[line] }
        lines.append(parts.joined(separator: " "))
      }
    }
    return lines
  }

  private func box(_ canvas: Canvas, width: Int) -> [String] {
    let isSelected = board.session.focus == canvas.id
    let frame = isSelected ? BoxFrame.heavy : BoxFrame.light
    func border(_ text: String) -> String { isSelected ? style.red(text) : text }
    let inner = width - 2
    let title = CellText.cut(DisplayName.of(canvas.id), to: inner - 4)
    let rule = frame.rule(inner - 3 - CellText.width(title))
    let (sign, words) = content(of: canvas)
    let middle: [String] = [sign, CellText.cut(words, to: inner - 2)].map { text in
      border(frame.vertical) + CellText.centred(text, in: inner) + border(frame.vertical)
    }
    let empty = border(frame.vertical) + String(repeating: " ", count: inner) + border(frame.vertical)
    let top = border("\(frame.topLeft)\(frame.horizontal) ") + title + border(" \(rule)\(frame.topRight)")
    let bottom = border(
      "\(frame.bottomLeft)\(frame.rule(inner))\(frame.bottomRight)"
    )
    return [top, empty] + middle + [empty, bottom]
  }

  // MARK: - Table

  private var table: [String] {
    board.canvases.map { canvas in
      let mark = board.session.focus == canvas.id ? style.red("▌") : " "
      let (sign, words) = content(of: canvas)
      return "\(mark)\(DisplayName.of(canvas.id))  \(sign)  \(words)"
    }
  }

  // MARK: - What a canvas shows

  /// Returns the sign and text of a canvas.
  private func content(of canvas: Canvas) -> (sign: String, words: String) {
    let clip = canvas.clip.map { DisplayName.of($0.file.path.split(separator: "/").last.map(String.init) ?? "") } ?? ""
    switch board.shows(canvas) {
    case .live: return (style.red("● REC"), runningTime)
    case .take: return board.session.name == .paused ? ("‖ paused", runningTime) : ("… finishing", runningTime)
    case .preview: return ("◉ preview", clip)
    case .plus: return ("+", "")
    case .playing: return ("▶ playing", clip)
    case .cover: return ("▣", clip)
    case .coverPending: return ("▢ cover pending", clip)
    case .coverMissing: return ("▢ no cover", clip)
    }
  }

  /// The duration of the open take, without pauses.
  private var runningTime: String {
    guard let take = board.session.take else { return "" }
    return take.runningTime(until: now) + (take.interruption == nil ? "" : " interrupted")
  }
}
