/// A convex shape on a picture, in pixels from the top left corner; a pixel is a unit square.
package enum Shape: Hashable, Sendable {
  /// A point on a picture.
  package struct Point: Hashable, Sendable {
    /// The distance from the left edge of the picture.
    package var x: Double
    /// The distance from the top edge of the picture.
    package var y: Double

    /// Creates a point.
    package init(x: Double, y: Double) {
      (self.x, self.y) = (x, y)
    }
  }

  /// An axis-aligned rectangle.
  package struct Frame: Hashable, Sendable {
    /// The position of the left edge.
    package var x: Double
    /// The position of the top edge.
    package var y: Double
    /// The width of the rectangle.
    package var width: Double
    /// The height of the rectangle.
    package var height: Double

    /// Creates a rectangle.
    package init(x: Double, y: Double, width: Double, height: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The centre of the rectangle.
    package var centre: Point { Point(x: x + width / 2, y: y + height / 2) }

    /// Returns the rectangle with each edge moved inwards by a distance.
    package func inset(by distance: Double) -> Frame {
      Frame(x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
    }
  }

  case rectangle(Frame)
  /// A rectangle with rounded corners; the radius is at most half of the shorter side.
  case roundedRectangle(Frame, radius: Double)
  case disc(centre: Point, radius: Double)
  /// A polygon with its corners in order around the outline.
  case polygon([Point])

  /// Returns a straight stroke with butt ends.
  ///
  /// - Parameters:
  ///   - start: The middle of one end.
  ///   - end: The middle of the other end, which must differ from `start`.
  ///   - thickness: The width of the stroke.
  package static func stroke(from start: Point, to end: Point, thickness: Double) -> Shape {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let half = thickness / 2 / (dx * dx + dy * dy).squareRoot()
    let (x, y) = (-dy * half, dx * half)
    return .polygon([
      Point(x: start.x + x, y: start.y + y), Point(x: end.x + x, y: end.y + y), Point(x: end.x - x, y: end.y - y),
      Point(x: start.x - x, y: start.y - y),
    ])
  }

  /// The top and bottom of the shape, as distances from the top of the picture.
  var rows: (top: Double, bottom: Double) {
    switch self {
    case .rectangle(let frame), .roundedRectangle(let frame, _): (frame.y, frame.y + frame.height)
    case .disc(let centre, let radius): (centre.y - radius, centre.y + radius)
    case .polygon(let corners): (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
    }
  }

  /// Returns the part of a horizontal line that is inside the shape, or `nil` if the line misses it.
  func span(at y: Double) -> (left: Double, right: Double)? {
    switch self {
    case .rectangle(let frame):
      guard y >= frame.y, y < frame.y + frame.height else { return nil }
      return (frame.x, frame.x + frame.width)
    case .roundedRectangle(let frame, let radius):
      guard y >= frame.y, y < frame.y + frame.height else { return nil }
      let beyond = max(frame.y + radius - y, y - (frame.y + frame.height - radius), 0)
      let inset = radius - max(0, radius * radius - beyond * beyond).squareRoot()
      return (frame.x + inset, frame.x + frame.width - inset)
    case .disc(let centre, let radius):
      let distance = y - centre.y
      guard abs(distance) < radius else { return nil }
      let half = (radius * radius - distance * distance).squareRoot()
      return (centre.x - half, centre.x + half)
    case .polygon(let corners):
      return Self.span(of: corners, at: y)
    }
  }

  private static func span(of corners: [Point], at y: Double) -> (left: Double, right: Double)? {
    var (left, right) = (Double.infinity, -Double.infinity)
    for (index, start) in corners.enumerated() {
      let end = corners[(index + 1) % corners.count]
      guard (start.y <= y) != (end.y <= y) else { continue }
      let x = start.x + (end.x - start.x) * (y - start.y) / (end.y - start.y)
      (left, right) = (min(left, x), max(right, x))
    }
    return left < right ? (left, right) : nil
  }
}
