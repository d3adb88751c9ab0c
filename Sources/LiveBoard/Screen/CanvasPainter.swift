internal import BoardSupport
internal import CanvasModel
internal import SystemPackage

/// Draws canvases into their cells on the screen.
struct CanvasPainter {
  private let folder: FilePath
  private let style: LiveStyle
  private var covers: CoverCache

  /// - Parameters:
  ///   - folder: The board's folder.
  ///   - style: The drawing style.
  ///   - reader: The reader of cover files.
  init(folder: FilePath, style: LiveStyle, reader: CoverReader) {
    (self.folder, self.style) = (folder, style)
    covers = CoverCache(reader)
  }

  /// The size of a character in pixels.
  var character: CharacterSize {
    get { covers.character }
    set { covers.character = newValue }
  }

  /// Allows covers that could not be read to be requested again.
  mutating func forgetUnreadableCovers() { covers.forgetUnreadable() }

  /// Accepts the covers that have been read.
  ///
  /// - Returns: The keys of these covers, and a problem to report, if any.
  mutating func takeCovers() -> (keys: [CoverCache.Key], problem: String?) { covers.takeDelivery() }

  /// Deletes the pictures that clearing the screen does not remove, and cancels all cover requests.
  mutating func clear(on screen: inout ScreenWriter) {
    covers.forgetOrders()
    if style.capabilities.kind == .kitty { screen.write(raw: Array("\u{1B}_Ga=d\u{1B}\\".utf8)) }
  }

  /// Deletes a kitty picture in a cell; characters and sixel pictures are simply overwritten.
  private func clear(_ place: GridLayout.Rectangle, on screen: inout ScreenWriter) {
    guard style.capabilities.kind == .kitty else { return }
    let (column, row) = (place.column + place.width / 2 + 1, place.row + place.height / 2 + 1)
    screen.write(raw: Array("\u{1B}_Ga=d,d=p,x=\(column),y=\(row)\u{1B}\\".utf8))
  }

  /// Draws a canvas.
  ///
  /// - Parameters:
  ///   - face: What the canvas shows.
  ///   - hasCursor: Whether the canvas has the cursor.
  ///   - isRemoving: Whether a tap removes the canvas, which a mark shows.
  ///   - place: The canvas's cell.
  ///   - screen: The writer to draw with.
  /// - Returns: The key of a cover that is still being read; once it has been read, the canvas must be redrawn.
  mutating func draw(
    _ face: CanvasFace,
    hasCursor: Bool,
    isRemoving: Bool,
    in place: GridLayout.Rectangle,
    on screen: inout ScreenWriter
  ) -> CoverCache.Key? {
    clear(place, on: &screen)
    drawFrame(face, hasCursor: hasCursor, isRemoving: isRemoving, in: place, on: &screen)
    let inner = GridLayout.Rectangle(
      row: place.row + 1,
      column: place.column + 1,
      width: place.width - 2,
      height: place.height - 2
    )
    switch face.shows {
    case .cover, .playing:
      return drawCover(face, in: inner, on: &screen)
    case .live, .take, .preview, .plus, .coverPending, .coverMissing:
      drawMiddle(Sign(face), in: inner, on: &screen)
      return nil
    }
  }

  // MARK: - Frame

  private func drawFrame(
    _ face: CanvasFace,
    hasCursor: Bool,
    isRemoving: Bool,
    in place: GridLayout.Rectangle,
    on screen: inout ScreenWriter
  ) {
    let (frame, look): (BoxFrame, ScreenWriter.Look) = face.isSelected ? (.heavy, .redBold) : (.light, .faint)
    let mark = isRemoving ? "✕ " : ""
    let name = CellText.cut(DisplayName.of(face.id), to: place.width - 8 - mark.count)
    let title = "\(hasCursor ? "▸" : " ")\(name) \(mark)"
    screen.move(row: place.row, column: place.column)
    screen.write(frame.topLeft + frame.horizontal, look)
    screen.write(title, hasCursor ? .inverse : face.isSelected || isRemoving ? .redBold : .bold)
    screen.write(frame.rule(place.width - 3 - CellText.width(title)) + frame.topRight, look)
    for row in 1..<place.height - 1 {
      screen.move(row: place.row + row, column: place.column)
      screen.write(frame.vertical, look)
      screen.move(row: place.row + row, column: place.column + place.width - 1)
      screen.write(frame.vertical, look)
    }
    let caption = face.clip == nil ? "" : " " + CellText.cut(Self.caption(of: face), to: place.width - 6) + " "
    screen.move(row: place.row + place.height - 1, column: place.column)
    screen.write(frame.bottomLeft + (caption.isEmpty ? "" : frame.horizontal), look)
    screen.write(caption)
    let used = 2 + CellText.width(caption) + (caption.isEmpty ? 0 : 1)
    screen.write(frame.rule(place.width - used) + frame.bottomRight, look)
  }

  /// Returns the clip's name and, as text cannot be written over a pixel picture, whether the clip is playing.
  private static func caption(of face: CanvasFace) -> String {
    face.shows == .playing ? "\(face.sign) \(face.clipName)" : face.clipName
  }

  // MARK: - Content

  /// A short text in the middle of a cell.
  private struct Sign {
    var text: String
    var look = ScreenWriter.Look.plain
    var detail = ""

    static let unreadable = Sign(text: "▢ cover unreadable", detail: "its file is missing or damaged")

    init(text: String, detail: String = "") {
      (self.text, self.detail) = (text, detail)
    }

    init(_ face: CanvasFace) {
      text = face.sign
      switch face.shows {
      case .live: (text, look) = ("\(face.sign) \(face.take?.time ?? "")", .redBold)
      case .take: text += " \(face.take?.time ?? "")"
      case .plus: look = .bold
      case .preview, .playing, .cover, .coverPending, .coverMissing: break
      }
      if case .failed(let reason) = face.cover, face.shows == .coverMissing { detail = DisplayName.of(reason) }
      if let interruption = face.take?.interruption { detail = DisplayName.of(interruption) }
    }
  }

  private func drawMiddle(_ sign: Sign, in place: GridLayout.Rectangle, on screen: inout ScreenWriter) {
    let middle = place.row + (place.height - 1) / 2
    for row in place.row..<place.row + place.height {
      switch row {
      case middle: draw(sign, row: row, column: place.column, width: place.width, on: &screen)
      case middle + 1:
        draw(Sign(text: sign.detail), row: row, column: place.column, width: place.width, on: &screen)
      default: fill(row: row, column: place.column, width: place.width, on: &screen)
      }
    }
  }

  private func draw(_ sign: Sign, row: Int, column: Int, width: Int, on screen: inout ScreenWriter) {
    let text = CellText.cut(sign.text, to: width)
    let rest = width - CellText.width(text)
    screen.move(row: row, column: column)
    screen.write(String(repeating: " ", count: rest / 2))
    screen.write(text, sign.look)
    screen.write(String(repeating: " ", count: rest - rest / 2))
  }

  private func fill(row: Int, column: Int, width: Int, on screen: inout ScreenWriter) {
    screen.move(row: row, column: column)
    screen.write(String(repeating: " ", count: width))
  }

  private mutating func drawCover(
    _ face: CanvasFace,
    in place: GridLayout.Rectangle,
    on screen: inout ScreenWriter
  ) -> CoverCache.Key? {
    let sign = Sign(face)
    guard style.showsPictures, place.height > 0, case .ready(let file) = face.cover else {
      drawMiddle(sign, in: place, on: &screen)
      return nil
    }
    let most = TerminalPicture.Size(columns: place.width, rows: place.height)
    switch covers.find(BoardPath.path(of: file.path, in: folder), fitting: most) {
    case .picture(let picture):
      draw(picture, in: place, on: &screen)
      return nil
    case .unreadable:
      drawMiddle(face.shows == .cover ? .unreadable : sign, in: place, on: &screen)
      return nil
    case .awaited(let key):
      drawMiddle(face.shows == .cover ? Sign(text: "\(face.sign) …") : sign, in: place, on: &screen)
      return key
    }
  }

  private func draw(_ picture: TerminalPicture, in place: GridLayout.Rectangle, on screen: inout ScreenWriter) {
    let most = TerminalPicture.Size(columns: place.width, rows: place.height)
    let (left, top) = ((most.columns - picture.size.columns) / 2, (most.rows - picture.size.rows) / 2)
    for row in 0..<most.rows {
      fill(row: place.row + row, column: place.column, width: place.width, on: &screen)
    }
    screen.move(row: place.row + top, column: place.column + left)
    switch picture.content {
    case .pixels(let bytes): screen.write(raw: bytes)
    case .lines(let lines):
      for (row, line) in lines.enumerated() {
        screen.move(row: place.row + top + row, column: place.column + left)
        screen.write(raw: line)
      }
    }
  }
}
