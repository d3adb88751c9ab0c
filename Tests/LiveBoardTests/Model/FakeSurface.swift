import CanvasModel
import LiveBoard

/// A surface that records what is drawn.
final class FakeSurface {
  private let view: BoardView
  /// The contents of the surface, by index.
  private(set) var present: [Int: CanvasFace] = [:]

  init(of view: BoardView) {
    self.view = view
  }

  /// Draws what has changed since the last call, and returns it in the order of drawing.
  func takeDrawn() -> [(index: Int, face: CanvasFace)] {
    let drawn = view.takeChanged()
    for (index, face) in drawn { present[index] = face }
    return drawn
  }

  /// Removes and returns what was drawn since the last call, in words such as `c2 preview red`.
  func takeWords() -> [String] {
    takeDrawn().map { "\($0.face.id) \($0.face.shows.rawValue)\($0.face.isSelected ? " red" : "")" }
  }
}

extension Instant {
  static func at(_ seconds: Double) -> Instant {
    guard let instant = Instant(secondsSince1970: seconds) else { preconditionFailure("the seconds are finite") }
    return instant
  }
}
