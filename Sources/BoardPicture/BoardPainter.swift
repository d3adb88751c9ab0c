public import Pictures

/// Paints a board, canvas by canvas.
///
/// All sizes follow from those of the canvas, and no line is thinner than a pixel.
public struct BoardPainter: ~Copyable {
  /// What lies under the transparent parts of a cover.
  public static let coverGround = Palette.ground

  private let plan: BoardPlan
  private var picture: Picture

  /// A painter with nothing but the dark ground on its picture.
  public init(_ plan: BoardPlan) {
    self.plan = plan
    picture = Picture(width: plan.width, height: plan.height, layout: .rgb)
    let whole = PixelFrame(x: 0, y: 0, width: plan.width, height: plan.height)
    picture.fill(.rectangle(whole.frame), with: Palette.table)
  }

  /// Paints a canvas without a cover; the sign that it is missing where there should be one.
  public mutating func paint(_ cell: BoardPlan.Cell) {
    let painter = CellPainter(cell)
    painter.paintSign(on: &picture)
    painter.paintMarks(on: &picture)
  }

  /// Paints a canvas with its cover.
  ///
  /// - Parameters:
  ///   - cell: The canvas.
  ///   - cover: RGB with 8 bits a channel, as large as the cell's place.
  public mutating func paint(_ cell: BoardPlan.Cell, cover: borrowing Picture) {
    precondition(cover.width == cell.place.width && cover.height == cell.place.height, "the cover fills its place")
    picture.draw(cover, left: cell.place.x, top: cell.place.y)
    CellPainter(cell).paintMarks(on: &picture)
  }

  /// The picture of what was painted.
  public consuming func finish() -> Picture { picture }
}

/// The colours of a board.
enum Palette {
  /// Behind the canvases.
  static let table = Paint(15, 17, 20)
  /// Of a canvas.
  static let ground = Paint(38, 42, 49)
  /// Of the canvas in preview.
  static let previewGround = Paint(28, 50, 76)
  /// Of the canvas with a recording.
  static let takeGround = Paint(52, 26, 29)
  static let ink = Paint(232, 235, 239)
  static let softInk = Paint(150, 157, 168)
  static let red = Paint(230, 38, 44)
  static let amber = Paint(236, 172, 62)
  static let shade = Paint(0, 0, 0, opacity: 0.62)
}
