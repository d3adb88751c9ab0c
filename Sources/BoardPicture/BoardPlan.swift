public import CanvasModel

/// What is where on the picture of a board.
public struct BoardPlan: Sendable {
  /// A canvas on the picture.
  public struct Cell: Hashable, Sendable {
    /// What it shows.
    public let face: CanvasFace
    /// Where; without the gutter around it.
    public let place: PixelFrame

    /// The cover that is shown, the size of ``place``; `nil` for a canvas that shows none.
    ///
    /// A picture does not move: a clip that plays is its cover, with a mark.
    public var cover: CoverFile? {
      guard face.shows == .cover || face.shows == .playing, case .ready(let file) = face.cover else { return nil }
      return file
    }
  }

  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// The canvases in their order; a later one lies over an earlier one.
  public let cells: [Cell]

  /// A plan of a board.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - regions: Where its canvases lie, at least one for each; `nil` for where the board has them.
  ///   - width: Of the picture in pixels, at least 1.
  ///   - height: Of the picture in pixels, at least 1.
  public init(_ board: Board, regions: [Region]? = nil, width: Int, height: Int) {
    let regions = regions ?? board.canvases.map(\.region)
    precondition(width >= 1 && height >= 1, "a picture has pixels")
    precondition(regions.count >= board.canvases.count, "each canvas has a region")
    (self.width, self.height) = (width, height)
    // How long a recording lasts is not shown, so the same board is the same picture at any time.
    let anyTime = Instant.epoch
    cells = zip(board.canvases, regions).map { canvas, region in
      let frame = PixelFrame(region, ofWidth: width, height: height)
      let gutter = Self.gutter(of: frame, width: width, height: height)
      return Cell(face: board.face(of: canvas, at: anyTime), place: frame.inset(by: gutter))
    }
  }

  /// A 180th of the picture's shorter side on each side of a canvas; less between canvases that are small.
  private static func gutter(of frame: PixelFrame, width: Int, height: Int) -> Int {
    let usual = max(1, (min(width, height) + 90) / 180)
    return min(usual, frame.shorterSide / 8)
  }
}
