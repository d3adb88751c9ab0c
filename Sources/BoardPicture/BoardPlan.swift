public import CanvasModel

/// The layout of a board's picture.
public struct BoardPlan: Sendable {
  /// A canvas in the picture.
  public struct Cell: Hashable, Sendable {
    /// What the canvas shows.
    public let face: CanvasFace
    /// The position and size, without the surrounding gutter.
    public let place: PixelFrame

    /// The cover to show at the size of ``place``; `nil` if the canvas shows no cover.
    ///
    /// A picture does not move, so a playing clip is shown as its cover, with a mark.
    public var cover: CoverFile? {
      guard face.shows == .cover || face.shows == .playing, case .ready(let file) = face.cover else { return nil }
      return file
    }
  }

  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The canvases in board order; later ones are painted over earlier ones.
  public let cells: [Cell]

  /// Creates the plan of a board.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - regions: The regions of the canvases, at least one for each; `nil` for those of the board's layout.
  ///   - width: The width of the picture, in pixels; at least 1.
  ///   - height: The height of the picture, in pixels; at least 1.
  public init(_ board: Board, regions: [Region]? = nil, width: Int, height: Int) {
    let layout = regions.map { BoardLayout($0) } ?? BoardLayout(board)
    precondition(width >= 1 && height >= 1, "a picture has pixels")
    precondition(layout.regions.count >= board.canvases.count, "each canvas has a region")
    (self.width, self.height) = (width, height)
    // The duration of a recording is not shown, so a board has the same picture at any time.
    let anyTime = Instant.epoch
    cells = zip(board.canvases, layout.frames(width: width, height: height)).map { canvas, frame in
      let frame = PixelFrame(frame)
      let gutter = Self.gutter(of: frame, width: width, height: height)
      return Cell(face: board.face(of: canvas, at: anyTime), place: frame.inset(by: gutter))
    }
  }

  /// Returns the gutter on each side of a canvas: 1/180 of the picture's shorter side, less for small canvases.
  private static func gutter(of frame: PixelFrame, width: Int, height: Int) -> Int {
    let usual = max(1, (min(width, height) + 90) / 180)
    return min(usual, frame.shorterSide / 8)
  }
}
