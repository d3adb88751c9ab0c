internal import CanvasModel
internal import Pictures

/// Paints one canvas: its sign, and the marks on top of the sign or cover.
struct CellPainter {
  private let cell: BoardPlan.Cell
  private let place: PixelFrame
  /// The unit of all lengths: the shorter side of the canvas.
  private let unit: Double

  init(_ cell: BoardPlan.Cell) {
    (self.cell, place) = (cell, cell.place)
    unit = Double(cell.place.shorterSide)
  }

  private var centre: Shape.Point { place.frame.centre }

  /// Returns a fraction of the unit, but at least one pixel.
  private func length(_ share: Double) -> Double { max(1, share * unit) }

  /// Returns a fraction of the unit in whole pixels, so that straight edges are sharp.
  private func whole(_ share: Double) -> Double { length(share).rounded() }

  /// Returns a rectangle centred on a point, with its edges on whole pixels.
  private func box(at centre: Shape.Point, width: Double, height: Double) -> Shape {
    .rectangle(
      .init(x: (centre.x - width / 2).rounded(), y: (centre.y - height / 2).rounded(), width: width, height: height)
    )
  }

  // MARK: - Signs

  func paintSign(on picture: inout Picture) {
    picture.fill(.rectangle(place.frame), with: ground)
    switch cell.face.shows {
    case .live: paintLive(on: &picture)
    case .take where cell.face.isPaused: paintPaused(on: &picture)
    case .take: paintFinalizing(on: &picture)
    case .preview: paintPreview(on: &picture)
    case .plus: paintPlus(on: &picture)
    case .playing, .cover, .coverPending, .coverMissing: paintWithoutCover(on: &picture)
    }
  }

  private var ground: Paint {
    switch cell.face.shows {
    case .live, .take: Palette.takeGround
    case .preview: Palette.previewGround
    case .plus, .playing, .cover, .coverPending, .coverMissing: Palette.ground
    }
  }

  private func paintWithoutCover(on picture: inout Picture) {
    switch cell.face.cover {
    case .none, .pending: paintPending(on: &picture)
    case .ready, .failed: paintMissing(on: &picture)
    }
  }

  /// Paints the ring around a disc or triangle.
  private func paintRing(on picture: inout Picture) {
    let (radius, thickness) = (0.27 * unit, length(0.03))
    picture.fill(
      .disc(centre: centre, radius: radius),
      except: .disc(centre: centre, radius: radius - thickness),
      with: Palette.ink
    )
  }

  /// Paints the red disc with a ring around it.
  private func paintLive(on picture: inout Picture) {
    paintRing(on: &picture)
    picture.fill(.disc(centre: centre, radius: length(0.19)), with: Palette.red)
  }

  private func paintPaused(on picture: inout Picture) {
    let (width, height, distance) = (whole(0.1), whole(0.36), whole(0.2))
    for side in [-0.5, 0.5] {
      let middle = Shape.Point(x: centre.x + side * distance, y: centre.y)
      picture.fill(box(at: middle, width: width, height: height), with: Palette.ink)
    }
  }

  private func paintFinalizing(on picture: inout Picture) {
    let side = whole(0.32)
    picture.fill(box(at: centre, width: side, height: side), with: Palette.ink)
  }

  private func paintPreview(on picture: inout Picture) {
    paintRing(on: &picture)
    picture.fill(triangle(at: centre, radius: length(0.16)), with: Palette.ink)
  }

  private func paintPlus(on picture: inout Picture) {
    let (arm, thickness) = (whole(0.34), whole(0.06))
    // Both lengths are odd or both even, so that the bars share their centre and the arms are equally long.
    let odd = arm.truncatingRemainder(dividingBy: 2) != thickness.truncatingRemainder(dividingBy: 2)
    let long = odd ? arm + 1 : arm
    picture.fill(box(at: centre, width: long, height: thickness), with: Palette.softInk)
    picture.fill(box(at: centre, width: thickness, height: long), with: Palette.softInk)
  }

  private func paintPending(on picture: inout Picture) {
    for place in [-1.0, 0, 1] {
      let middle = Shape.Point(x: centre.x + place * 0.17 * unit, y: centre.y)
      picture.fill(.disc(centre: middle, radius: max(0.75, 0.05 * unit)), with: Palette.softInk)
    }
  }

  /// Paints a struck-through frame.
  private func paintMissing(on picture: inout Picture) {
    let (width, height, thickness) = (0.52 * unit, 0.36 * unit, length(0.035))
    let frame = Shape.Frame(x: centre.x - width / 2, y: centre.y - height / 2, width: width, height: height)
    let inner = frame.inset(by: thickness)
    if inner.width > 0, inner.height > 0 {
      let radius = 0.06 * unit
      picture.fill(
        .roundedRectangle(frame, radius: radius),
        except: .roundedRectangle(inner, radius: max(0, radius - thickness)),
        with: Palette.amber
      )
    }
    let start = Shape.Point(x: centre.x - 0.3 * unit, y: centre.y + 0.26 * unit)
    let end = Shape.Point(x: centre.x + 0.3 * unit, y: centre.y - 0.26 * unit)
    // Clear a margin beside the stroke, so that it stands out from the frame.
    picture.fill(.stroke(from: start, to: end, thickness: 3 * thickness), with: ground)
    picture.fill(.stroke(from: start, to: end, thickness: thickness), with: Palette.amber)
  }

  /// Returns a triangle that points to the right, inscribed in a circle.
  private func triangle(at centre: Shape.Point, radius: Double) -> Shape {
    // cos 60° and sin 60°.
    let (back, half) = (radius * 0.5, radius * 0.75.squareRoot())
    return .polygon([
      .init(x: centre.x + radius, y: centre.y), .init(x: centre.x - back, y: centre.y + half),
      .init(x: centre.x - back, y: centre.y - half),
    ])
  }

  // MARK: - Marks

  func paintMarks(on picture: inout Picture) {
    if cell.face.shows == .playing { paintPlaying(on: &picture) }
    if cell.face.isSelected { paintBorder(on: &picture) }
  }

  /// Paints a small triangle in the lower left corner.
  private func paintPlaying(on picture: inout Picture) {
    let (radius, distance) = (0.1 * unit, 0.15 * unit)
    let middle = Shape.Point(x: Double(place.x) + distance, y: Double(place.y + place.height) - distance)
    picture.fill(.disc(centre: middle, radius: radius), with: Palette.shade)
    picture.fill(triangle(at: middle, radius: 0.6 * radius), with: Palette.ink)
  }

  /// Paints a red border, with a dark line inside that separates it from a red cover.
  private func paintBorder(on picture: inout Picture) {
    let thickness = min(max(2, whole(0.035)), Double(max(1, place.shorterSide / 4)))
    let inner = place.frame.inset(by: thickness)
    picture.fill(.rectangle(place.frame), except: .rectangle(inner), with: Palette.red)
    let line = max(1, (thickness / 4).rounded())
    guard inner.width > 4 * line, inner.height > 4 * line else { return }
    picture.fill(.rectangle(inner), except: .rectangle(inner.inset(by: line)), with: Palette.table)
  }
}
