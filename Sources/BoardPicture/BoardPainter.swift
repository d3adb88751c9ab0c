public import Pictures

/// Paints a board, canvas by canvas.
///
/// All dimensions are proportional to the canvas, and no line is thinner than a pixel.
public struct BoardPainter: ~Copyable {
  /// The background behind the transparent parts of a cover.
  public static let coverGround = Palette.ground

  private let plan: BoardPlan
  private var picture: Picture

  /// Creates a painter whose picture contains only the dark background.
  public init(_ plan: BoardPlan) {
    self.plan = plan
    picture = Picture(width: plan.width, height: plan.height, layout: .rgb)
    let whole = PixelFrame(x: 0, y: 0, width: plan.width, height: plan.height)
    picture.fill(.rectangle(whole.frame), with: Palette.table)
  }

  /// Paints a canvas without a cover; if it should have a cover, the missing sign is shown instead.
  public mutating func paint(_ cell: BoardPlan.Cell) {
    let painter = CellPainter(cell)
    painter.paintSign(on: &picture)
    painter.paintMarks(on: &picture)
  }

  /// Paints a canvas with its cover.
  ///
  /// - Parameters:
  ///   - cell: The canvas.
  ///   - cover: An RGB picture with 8 bits per channel, of the same size as `cell.place`.
  public mutating func paint(_ cell: BoardPlan.Cell, cover: borrowing Picture) {
    precondition(cover.width == cell.place.width && cover.height == cell.place.height, "the cover fills its place")
    picture.draw(cover, left: cell.place.x, top: cell.place.y)
    CellPainter(cell).paintMarks(on: &picture)
  }

  /// Returns the finished picture.
  public consuming func finish() -> Picture { picture }
}

/// The colours of a board.
enum Palette {
  /// The background behind the canvases.
  static let table = Paint(15, 17, 20)
  /// The background of a canvas.
  static let ground = Paint(38, 42, 49)
  /// The background of the canvas in preview.
  static let previewGround = Paint(28, 50, 76)
  /// The background of a canvas with an open recording.
  static let takeGround = Paint(52, 26, 29)
  static let ink = Paint(232, 235, 239)
  static let softInk = Paint(150, 157, 168)
  static let red = Paint(230, 38, 44)
  static let amber = Paint(236, 172, 62)
  static let shade = Paint(0, 0, 0, opacity: 0.62)
}
