/// A convex shape on a picture, in pixels from its top left corner; a pixel is a square with sides of 1.
public enum Shape: Hashable, Sendable {
  /// A place on a picture.
  public struct Point: Hashable, Sendable {
    /// From the left.
    public var x: Double
    /// From the top.
    public var y: Double

    /// Makes one of its parts.
    public init(x: Double, y: Double) {
      (self.x, self.y) = (x, y)
    }
  }

  /// An upright rectangle.
  public struct Frame: Hashable, Sendable {
    /// Of the left side.
    public var x: Double
    /// Of the top side.
    public var y: Double
    /// From left to right.
    public var width: Double
    /// From top to bottom.
    public var height: Double

    /// Makes one of its parts.
    public init(x: Double, y: Double, width: Double, height: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Its middle.
    public var centre: Point { Point(x: x + width / 2, y: y + height / 2) }

    /// The same, smaller by a distance on each side.
    public func inset(by distance: Double) -> Frame {
      Frame(x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
    }
  }

  case rectangle(Frame)
  /// The radius is at most half of the shorter side.
  case roundedRectangle(Frame, radius: Double)
  case disc(centre: Point, radius: Double)
  /// Of the corners in their order around it.
  case polygon([Point])

  /// A straight stroke with square ends.
  ///
  /// - Parameters:
  ///   - start: In the middle of one end.
  ///   - end: In the middle of the other one; another point than `start`.
  ///   - thickness: Across.
  public static func stroke(from start: Point, to end: Point, thickness: Double) -> Shape {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let half = thickness / 2 / (dx * dx + dy * dy).squareRoot()
    let (x, y) = (-dy * half, dx * half)
    return .polygon([
      Point(x: start.x + x, y: start.y + y), Point(x: end.x + x, y: end.y + y), Point(x: end.x - x, y: end.y - y),
      Point(x: start.x - x, y: start.y - y),
    ])
  }

  /// The rows between which it lies, as distances from the top.
  var rows: (top: Double, bottom: Double) {
    switch self {
    case .rectangle(let frame), .roundedRectangle(let frame, _): (frame.y, frame.y + frame.height)
    case .disc(let centre, let radius): (centre.y - radius, centre.y + radius)
    case .polygon(let corners): (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
    }
  }

  /// From where to where a horizontal line lies in it; `nil` where it does not.
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
