internal import BoardText
internal import CanvasModel

/// A board drawn with characters: one box per canvas, with a red frame around the selected one.
struct BoardDrawing {
  /// The abilities of the terminal.
  struct Style {
    var hasColours: Bool

    func red(_ text: String) -> String { hasColours ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
  }

  private let faces: [CanvasFace]
  private let columns: Int
  private let style: Style

  private static let narrowestCell = 18
  private static let widestCell = 30
  private static let boxHeight = 6

  /// - Parameters:
  ///   - board: The board to draw.
  ///   - now: The current time, for the duration of an open recording.
  ///   - style: The abilities of the terminal.
  init(_ board: Board, now: Instant, style: Style) {
    faces = board.canvases.map { board.face(of: $0, at: now) }
    columns = board.gridColumns
    self.style = style
  }

  /// Returns the drawing, or a table if the drawing would be too wide.
  func lines(width: Int) -> [String] {
    guard !faces.isEmpty else { return ["no canvases; 'clipcanvas board canvas add' adds one"] }
    let cell = min((width - columns + 1) / columns, Self.widestCell)
    return cell >= Self.narrowestCell ? grid(cell: cell) : table
  }

  // MARK: - Grid

  private func grid(cell: Int) -> [String] {
    var lines: [String] = []
    for start in stride(from: 0, to: faces.count, by: columns) {
      let end = min(start + columns, faces.count)
      let boxes: [[String]] = faces[start..<end].map { face in box(face, width: cell) }
      for line in 0..<Self.boxHeight {
        let parts: [String] = boxes.map { box in box[line] }
        lines.append(parts.joined(separator: " "))
      }
    }
    return lines
  }

  private func box(_ face: CanvasFace, width: Int) -> [String] {
    let frame = face.isSelected ? BoxFrame.heavy : BoxFrame.light
    func border(_ text: String) -> String { face.isSelected ? style.red(text) : text }
    let inner = width - 2
    let title = CellText.cut(DisplayName.of(face.id), to: inner - 4)
    let rule = frame.rule(inner - 3 - CellText.width(title))
    let middle: [String] = [sign(of: face), CellText.cut(text(of: face), to: inner - 2)].map { text in
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
    faces.map { face in
      let mark = face.isSelected ? style.red("▌") : " "
      return "\(mark)\(DisplayName.of(face.id))  \(sign(of: face))  \(text(of: face))"
    }
  }

  // MARK: - What a canvas shows

  private func sign(of face: CanvasFace) -> String { face.shows == .live ? style.red(face.sign) : face.sign }

  /// Returns the duration of an open recording, or the name of the clip.
  private func text(of face: CanvasFace) -> String {
    switch face.shows {
    case .live, .take: face.take?.time ?? ""
    case .plus: ""
    case .preview, .playing, .cover, .coverPending, .coverMissing: face.clipName
    }
  }
}
