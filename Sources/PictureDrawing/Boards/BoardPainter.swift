package import BoardSupport
internal import CanvasModel
package import Pictures

/// Paints a board, canvas by canvas.
///
/// All dimensions are proportional to the canvas, and no line is thinner than a pixel.
package struct BoardPainter: ~Copyable {
  private let plan: BoardPlan
  private let labels: BoardStyle.Labels
  private let palette: Palette
  /// `nil` if nothing is written.
  private let fonts: OpenFonts?
  private var picture: Picture

  /// Creates a painter whose picture contains only the background.
  ///
  /// - Parameters:
  ///   - plan: The layout of the picture.
  ///   - style: Its appearance.
  /// - Throws: `TextError` if the style has labels and no font can be opened.
  package init(_ plan: BoardPlan, style: BoardStyle = BoardStyle()) throws(TextError) {
    self.plan = plan
    (labels, palette) = (style.labels, Palette(style.theme))
    fonts = labels == .none ? nil : OpenFonts(try Fonts())
    picture = Picture(width: plan.width, height: plan.height, layout: .rgb)
    let whole = PixelFrame(x: 0, y: 0, width: plan.width, height: plan.height)
    picture.fill(.rectangle(whole.frame), with: palette.table)
  }

  /// Paints a canvas without a cover; if it should have a cover, the missing sign is shown instead.
  ///
  /// - Parameters:
  ///   - cell: The canvas.
  ///   - reason: Why its cover cannot be shown, if it has one.
  /// - Throws: `TextError`.
  package mutating func paint(_ cell: BoardPlan.Cell, reason: String? = nil) throws(TextError) {
    paintGutter(of: cell)
    let painter = CellPainter(cell, palette)
    painter.paintSign(on: &picture)
    painter.paintMarks(on: &picture)
    let text = FaceText(cell.face, labels: labels, clipSeconds: nil, reason: reason)
    try write(text, on: cell, hasCover: false)
  }

  /// Paints a canvas with its cover.
  ///
  /// - Parameters:
  ///   - cell: The canvas.
  ///   - cover: An RGB picture with 8 bits per channel, of the same size as `cell.place`.
  ///   - clipSeconds: The duration of the clip, unless the board has it.
  /// - Throws: `TextError`.
  package mutating func paint(
    _ cell: BoardPlan.Cell,
    cover: borrowing Picture,
    clipSeconds: Double? = nil
  ) throws(TextError) {
    precondition(cover.width == cell.place.width && cover.height == cell.place.height, "the cover fills its place")
    paintGutter(of: cell)
    picture.draw(cover, left: cell.place.x, top: cell.place.y)
    CellPainter(cell, palette).paintMarks(on: &picture)
    let text = FaceText(cell.face, labels: labels, clipSeconds: clipSeconds, reason: nil)
    try write(text, on: cell, hasCover: true)
  }

  /// Returns the finished picture.
  package consuming func finish() -> Picture { picture }

  private mutating func paintGutter(of cell: BoardPlan.Cell) {
    picture.fill(.rectangle(cell.outline.frame), with: palette.table)
  }

  private mutating func write(_ text: FaceText, on cell: BoardPlan.Cell, hasCover: Bool) throws(TextError) {
    guard let fonts, let size = plan.fontSize(in: cell) else { return }
    let labels = CellLabels(cell, text, size: size, palette: palette, hasCover: hasCover)
    try labels.paint(on: &picture, with: fonts.fonts)
  }
}

/// Fonts with shared ownership.
private final class OpenFonts {
  let fonts: Fonts

  init(_ fonts: consuming Fonts) {
    self.fonts = fonts
  }
}
