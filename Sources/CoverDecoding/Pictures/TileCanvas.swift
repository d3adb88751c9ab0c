internal import Covers
internal import Pictures

/// The picture that tiles are drawn on.
struct TileCanvas: ~Copyable {
  private let plan: SheetPlan
  /// The number of tiles that the picture has room for.
  var room: Int
  /// The picture; a single pixel until the size of a tile is known.
  private var picture = Picture(width: 1, height: 1, layout: .rgb)
  /// The tile that was drawn last.
  private var tile = Picture(width: 1, height: 1, layout: .rgb)
  /// The size of all tiles, as soon as it is known.
  private var knownTileSize: PixelSize?

  init(_ plan: SheetPlan) {
    self.plan = plan
    room = plan.capacity
  }

  /// The size of all tiles; a single pixel until a frame is known.
  var tileSize: PixelSize { knownTileSize ?? PixelSize(width: 1, height: 1) }

  /// Returns the size for a frame in its tile.
  ///
  /// The first frame decides the size of all tiles, unless the plan does.
  ///
  /// - Parameters:
  ///   - frame: The size of the upright frame.
  ///   - limit: The limit for tiles.
  mutating func size(of frame: PixelSize, within limit: SizeLimit) -> PixelSize {
    if knownTileSize == nil {
      let size = plan.tileSize.map { PixelSize(width: $0.width, height: $0.height) } ?? limit.fitting(frame)
      knownTileSize = size
    }
    return (SizeLimit(width: tileSize.width, height: tileSize.height) ?? .none).fitting(frame)
  }

  /// Draws a frame in the middle of a tile.
  mutating func draw(_ frame: borrowing Picture, at number: Int) {
    let size = tileSize
    tile = Picture(width: size.width, height: size.height, layout: .rgb)
    tile.draw(frame, left: (size.width - frame.width) / 2, top: (size.height - frame.height) / 2)
    repeatTile(at: number)
  }

  /// Draws the tile that was drawn last again.
  mutating func repeatTile(at number: Int) {
    let (left, top) = corner(of: number)
    makeRoom()
    picture.draw(tile, left: left, top: top)
  }

  private mutating func makeRoom() {
    let size = plan.size(tiles: room, tile: tileSize)
    guard picture.width != size.width || picture.height != size.height else { return }
    picture = Picture(width: size.width, height: size.height, layout: .rgb)
  }

  private func corner(of number: Int) -> (left: Int, top: Int) {
    (number % plan.columns * tileSize.width, number / plan.columns * tileSize.height)
  }

  /// Returns the sheet with its tiles; those without a frame are crossed out.
  ///
  /// Must be called only once.
  ///
  /// - Parameter times: A time for each tile that has a frame, and `nil` for the others.
  mutating func picture(of times: [Double?]) -> Picture {
    makeRoom()
    for (number, time) in times.enumerated() where time == nil { crossOut(number) }
    let size = plan.size(tiles: times.count, tile: tileSize)
    let isFull = size.width == picture.width && size.height == picture.height
    var sheet = Picture(width: isFull ? 1 : size.width, height: isFull ? 1 : size.height, layout: .rgb)
    if isFull { swap(&sheet, &picture) } else { sheet.draw(picture, left: 0, top: 0) }
    return sheet
  }

  /// Draws a cross in place of a frame.
  private mutating func crossOut(_ number: Int) {
    tile = Picture(width: tileSize.width, height: tileSize.height, layout: .rgb)
    let frame = Shape.Frame(x: 0, y: 0, width: Double(tileSize.width), height: Double(tileSize.height))
    tile.fill(.rectangle(frame), with: Paint(48, 48, 48))
    let inner = frame.inset(by: min(frame.width, frame.height) / 4)
    let (right, bottom) = (inner.x + inner.width, inner.y + inner.height)
    let thickness = max(1, min(frame.width, frame.height) / 24)
    let corners = [
      (Shape.Point(x: inner.x, y: inner.y), Shape.Point(x: right, y: bottom)),
      (Shape.Point(x: inner.x, y: bottom), Shape.Point(x: right, y: inner.y)),
    ]
    for (start, end) in corners {
      tile.fill(.stroke(from: start, to: end, thickness: thickness), with: Paint(128, 128, 128))
    }
    repeatTile(at: number)
  }
}
