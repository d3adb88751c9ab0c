internal import CanvasModel
package import Pictures

/// Paints one canvas: its sign, and the marks on top of the sign or cover.
package struct CellPainter {
  private let cell: BoardPlan.Cell
  private let place: PixelFrame
  private let palette: Palette
  /// The unit of all lengths: the shorter side of the canvas.
  private let unit: Double

  /// Creates a painter of a canvas.
  package init(_ cell: BoardPlan.Cell, _ palette: Palette) {
    (self.cell, self.palette, place) = (cell, palette, cell.place)
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

  /// Paints the sign of a canvas that shows no cover.
  package func paintSign(on picture: inout Picture) {
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
    case .live, .take: palette.takeGround
    case .preview: palette.previewGround
    case .plus, .playing, .cover, .coverPending, .coverMissing: palette.ground
    }
  }

  private func paintWithoutCover(on picture: inout Picture) {
    switch cell.face.cover {
    case .none, .pending: paintPending(on: &picture)
    case .ready, .failed: paintMissing(on: &picture)
    }
  }

  /// Paints the ring around the disc of a recording.
  private func paintRing(on picture: inout Picture) {
    let (radius, thickness) = (0.27 * unit, length(0.03))
    picture.fill(
      .disc(centre: centre, radius: radius),
      except: .disc(centre: centre, radius: radius - thickness),
      with: palette.ink
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
      picture.fill(box(at: middle, width: width, height: height), with: palette.ink)
    }
  }

  private func paintFinalizing(on picture: inout Picture) {
    let side = whole(0.32)
    picture.fill(box(at: centre, width: side, height: side), with: palette.ink)
  }

  /// Paints a viewfinder: the four corners of a frame, and in its middle the dot of a camera that is on.
  private func paintPreview(on picture: inout Picture) {
    let (width, height, arm, thickness) = (whole(0.56), whole(0.42), whole(0.12), whole(0.032))
    let (left, top) = ((centre.x - width / 2).rounded(), (centre.y - height / 2).rounded())
    for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
      func bar(_ long: Double, _ high: Double) -> Shape {
        .rectangle(.init(x: left + x * (width - long), y: top + y * (height - high), width: long, height: high))
      }
      picture.fill(bar(arm, thickness), with: palette.ink)
      picture.fill(bar(thickness, arm), with: palette.ink)
    }
    picture.fill(.disc(centre: centre, radius: length(0.075)), with: Palette.green)
  }

  private func paintPlus(on picture: inout Picture) {
    let (arm, thickness) = (whole(0.34), whole(0.06))
    // Both lengths are odd or both even, so that the bars share their centre and the arms are equally long.
    let odd = arm.truncatingRemainder(dividingBy: 2) != thickness.truncatingRemainder(dividingBy: 2)
    let long = odd ? arm + 1 : arm
    picture.fill(box(at: centre, width: long, height: thickness), with: palette.softInk)
    picture.fill(box(at: centre, width: thickness, height: long), with: palette.softInk)
  }

  private func paintPending(on picture: inout Picture) {
    for place in [-1.0, 0, 1] {
      let middle = Shape.Point(x: centre.x + place * 0.17 * unit, y: centre.y)
      picture.fill(.disc(centre: middle, radius: max(0.75, 0.05 * unit)), with: palette.softInk)
    }
  }

  /// Paints a struck-through picture: a frame with a sun and a mountain.
  private func paintMissing(on picture: inout Picture) {
    let (width, height, thickness) = (0.5 * unit, 0.36 * unit, length(0.03))
    let frame = Shape.Frame(x: centre.x - width / 2, y: centre.y - height / 2, width: width, height: height)
    let inner = frame.inset(by: thickness)
    if inner.width > 0, inner.height > 0 {
      let radius = 0.05 * unit
      picture.fill(
        .roundedRectangle(frame, radius: radius),
        except: .roundedRectangle(inner, radius: max(0, radius - thickness)),
        with: palette.amber
      )
    }
    picture.fill(.disc(centre: point(-0.12, -0.07), radius: 0.035 * unit), with: palette.amber)
    picture.fill(.polygon([point(-0.06, 0.13), point(0.08, -0.06), point(0.2, 0.13)]), with: palette.amber)
    // Clear a margin beside the stroke, so that it stands out from the frame.
    let (start, end) = (point(-0.28, 0.24), point(0.28, -0.24))
    picture.fill(.stroke(from: start, to: end, thickness: 3.4 * thickness), with: ground)
    picture.fill(.stroke(from: start, to: end, thickness: 1.2 * thickness), with: palette.amber)
  }

  /// Returns a point relative to the middle of the canvas.
  private func point(_ x: Double, _ y: Double) -> Shape.Point {
    Shape.Point(x: centre.x + x * unit, y: centre.y + y * unit)
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

  /// Paints a small triangle in the upper right corner.
  private func paintPlaying(on picture: inout Picture) {
    let radius = Double(cell.markSide) / 2
    let distance = Double(cell.margin) + radius
    let middle = Shape.Point(x: Double(place.x + place.width) - distance, y: Double(place.y) + distance)
    picture.fill(.disc(centre: middle, radius: radius), with: Palette.shade)
    picture.fill(triangle(at: middle, radius: 0.6 * radius), with: Palette.white)
  }

  /// Paints a red border, with a dark line inside that separates it from a red cover.
  private func paintBorder(on picture: inout Picture) {
    let thickness = min(max(2, whole(0.035)), Double(max(1, place.shorterSide / 4)))
    let inner = place.frame.inset(by: thickness)
    picture.fill(.rectangle(place.frame), except: .rectangle(inner), with: Palette.red)
    let line = max(1, (thickness / 4).rounded())
    guard inner.width > 4 * line, inner.height > 4 * line else { return }
    picture.fill(.rectangle(inner), except: .rectangle(inner.inset(by: line)), with: palette.table)
  }
}
