import BoardView
import CanvasModel

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

/// A random number generator with reproducible results (SplitMix64; Steele, Lea and Flood, 2014).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
