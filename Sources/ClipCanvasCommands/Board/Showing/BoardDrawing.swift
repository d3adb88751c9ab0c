internal import BoardSupport
internal import CanvasModel

/// A board drawn with characters: one box per canvas, with a red frame around the selected one.
struct BoardDrawing {
  /// The abilities of the terminal.
  struct Style {
    var hasColours: Bool

    func red(_ text: String) -> String { hasColours ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
  }

  private let faces: [CanvasFace]
  private let layout: BoardLayout
  private let style: Style

  private static let narrowestBox = 18
  private static let widestBox = 30
  private static let boxHeight = 6
  private static let lowestBox = 5

  /// - Parameters:
  ///   - board: The board to draw.
  ///   - now: The current time, for the duration of an open recording.
  ///   - style: The abilities of the terminal.
  init(_ board: Board, now: Instant, style: Style) {
    faces = board.canvases.map { board.face(of: $0, at: now) }
    let layout = BoardLayout(board)
    // Characters cannot show canvases that overlap.
    self.layout = layout.hasOverlaps ? BoardLayout(Region.squareGrid(of: faces.count)) : layout
    self.style = style
  }

  /// Returns the drawing, or a table if the drawing would be too wide or its boxes too small.
  func lines(width: Int) -> [String] {
    guard !faces.isEmpty else { return ["no canvases; 'clipcanvas board canvas add' adds one"] }
    return boxes(width: width).map { drawing(of: $0) } ?? table
  }

  // MARK: - Boxes

  /// Returns the frames of the boxes; `nil` if they do not fit.
  private func boxes(width: Int) -> [BoardLayout.Frame]? {
    guard let narrowest = layout.regions.map(\.width).min(), let lowest = layout.regions.map(\.height).min() else {
      return nil
    }
    // A box is followed by an empty column, so the surface has one column more than the terminal.
    let columns = Self.length(
      layout.columns,
      ofSmallest: narrowest,
      as: min(Self.widestBox + 1, Int(Double(width + 1) * narrowest + 1e-6))
    )
    let rows = Self.length(layout.rows, ofSmallest: lowest, as: Self.boxHeight)
    guard let columns, let rows, columns >= 1, rows <= max(2, faces.count) * Self.boxHeight else { return nil }
    let frames = layout.frames(width: columns, height: rows).map { frame in
      BoardLayout.Frame(x: frame.x, y: frame.y, width: frame.width - 1, height: frame.height)
    }
    return frames.allSatisfy { $0.width >= Self.narrowestBox && $0.height >= Self.lowestBox } ? frames : nil
  }

  /// Returns the length of a surface that gives the smallest canvas a certain length; `nil` if it would be enormous.
  ///
  /// - Parameters:
  ///   - divisions: The number of equal parts that the edges of all canvases fall on, if there is such a number.
  ///   - smallest: The length of the smallest canvas, as a fraction of the surface.
  ///   - length: The length that it has on the surface.
  private static func length(_ divisions: Int?, ofSmallest smallest: Double, as length: Int) -> Int? {
    guard let divisions else {
      let quotient = Double(length) / smallest
      return quotient < Double(UInt16.max) ? Int(quotient) : nil
    }
    // With parts of the same length, canvases of the same size have boxes of the same size.
    return divisions * (length / max(1, Int((smallest * Double(divisions)).rounded())))
  }

  private func drawing(of frames: [BoardLayout.Frame]) -> [String] {
    var parts: [Int: [(x: Int, width: Int, text: String)]] = [:]
    for (face, frame) in zip(faces, frames) {
      for (row, text) in box(face, width: frame.width, height: frame.height).enumerated() {
        parts[frame.y + row, default: []].append((frame.x, frame.width, text))
      }
    }
    return (0...(parts.keys.max() ?? 0)).map { row in
      var (line, column) = ("", 0)
      for part in (parts[row] ?? []).sorted(by: { $0.x < $1.x }) {
        line += String(repeating: " ", count: max(0, part.x - column)) + part.text
        column = part.x + part.width
      }
      return line
    }
  }

  private func box(_ face: CanvasFace, width: Int, height: Int) -> [String] {
    let frame = face.isSelected ? BoxFrame.heavy : BoxFrame.light
    func border(_ text: String) -> String { face.isSelected ? style.red(text) : text }
    let inner = width - 2
    let title = CellText.cut(DisplayName.of(face.id), to: inner - 4)
    let rule = frame.rule(inner - 3 - CellText.width(title))
    let middle: [String] = [sign(of: face), CellText.cut(text(of: face), to: inner - 2)].map { text in
      border(frame.vertical) + CellText.centred(text, in: inner) + border(frame.vertical)
    }
    let empty = border(frame.vertical) + String(repeating: " ", count: inner) + border(frame.vertical)
    let above = max(0, height - 2 - middle.count) / 2
    let below = max(0, height - 2 - middle.count - above)
    let top = border("\(frame.topLeft)\(frame.horizontal) ") + title + border(" \(rule)\(frame.topRight)")
    let bottom = border("\(frame.bottomLeft)\(frame.rule(inner))\(frame.bottomRight)")
    return [top] + Array(repeating: empty, count: above) + middle + Array(repeating: empty, count: below) + [bottom]
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
