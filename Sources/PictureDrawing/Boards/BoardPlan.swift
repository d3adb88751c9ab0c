package import CanvasModel

/// The layout of a board's picture.
package struct BoardPlan: Sendable {
  /// A canvas in the picture.
  package struct Cell: Hashable, Sendable {
    /// What the canvas shows.
    package let face: CanvasFace
    /// The position and size, without the surrounding gutter.
    package let place: PixelFrame
    /// The position and size with the gutter, which separates the canvas from those that it overlaps.
    let outline: PixelFrame

    /// Creates a canvas in a picture.
    package init(face: CanvasFace, place: PixelFrame) {
      (self.face, self.place, outline) = (face, place, place)
    }

    /// Creates a canvas that fills a frame except for its gutter.
    init(face: CanvasFace, outline: PixelFrame, gutter: Int) {
      (self.face, self.outline, place) = (face, outline, outline.inset(by: gutter))
    }

    /// The cover to show at the size of ``place``; `nil` if the canvas shows no cover.
    ///
    /// A picture does not move, so a playing clip is shown as its cover, with a mark.
    package var cover: CoverFile? {
      guard face.shows == .cover || face.shows == .playing, case .ready(let file) = face.cover else { return nil }
      return file
    }

    /// The distance of texts and marks from the edges, which is more than the thickness of a border.
    var margin: Int { min(max(4, place.shorterSide * 13 / 200), place.shorterSide / 4) }

    /// The width and height of the mark in the corner.
    var markSide: Int { max(2, place.shorterSide * 11 / 100) }
  }

  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// The canvases in board order; later ones are painted over earlier ones.
  package let cells: [Cell]
  /// The median of the canvases' shorter sides.
  private let middleSide: Int

  /// Creates the plan of a board.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - regions: The regions of the canvases, at least one for each; `nil` for those of the board's layout.
  ///   - width: The width of the picture, in pixels; at least 1.
  ///   - height: The height of the picture, in pixels; at least 1.
  ///   - now: The current time, for the duration of an open recording.
  package init(_ board: Board, regions: [Region]? = nil, width: Int, height: Int, at now: Instant = .epoch) {
    self.init(board, regions: regions, width: width, height: height) { board.face(of: $0, at: now) }
  }

  /// Creates the plan of a board; a closure returns the appearance of each canvas.
  package init(
    _ board: Board,
    regions: [Region]?,
    width: Int,
    height: Int,
    face: (Canvas) -> CanvasFace
  ) {
    let layout = regions.map { BoardLayout($0) } ?? BoardLayout(board)
    precondition(width >= 1 && height >= 1, "a picture has pixels")
    precondition(layout.regions.count >= board.canvases.count, "each canvas has a region")
    (self.width, self.height) = (width, height)
    cells = zip(board.canvases, layout.frames(width: width, height: height)).map { canvas, frame in
      let gutter = Self.gutter(of: frame, width: width, height: height)
      return Cell(face: face(canvas), outline: frame, gutter: gutter)
    }
    let sides = cells.map(\.place.shorterSide).sorted()
    middleSide = sides.isEmpty ? 0 : sides[sides.count / 2]
  }

  /// Returns the gutter that separates a canvas from those it overlaps, in pixels; 0 if it overlaps none.
  package func gutterInFront(ofCell index: Int) -> Int {
    let cell = cells[index]
    return cells[..<index].contains { $0.place.overlaps(cell.outline) } ? cell.place.x - cell.outline.x : 0
  }

  /// Returns the size of all texts on a canvas, in pixels; `nil` if it is too small for text.
  ///
  /// It is the same on all canvases that are large enough, and depends on the one of middle size.
  func fontSize(in cell: Cell) -> Double? {
    let size = min(max(Self.smallestFont, 0.055 * Double(middleSide)), TextStyle.sizes.upperBound).rounded()
    let fitting = min(size, (0.12 * Double(cell.place.shorterSide)).rounded(.down))
    return fitting >= Self.smallestFont ? fitting : nil
  }

  private static let smallestFont = 10.0

  /// Returns the gutter on each side of a canvas: 1/180 of the picture's shorter side, less for small canvases.
  private static func gutter(of frame: PixelFrame, width: Int, height: Int) -> Int {
    let usual = max(1, (min(width, height) + 90) / 180)
    return min(usual, frame.shorterSide / 8)
  }
}
