package import CanvasModel
internal import Glibc

/// The search for the shape of a board that shows most of its clips.
package enum BestShape {
  /// The shape of a board whose clips have no known shape.
  package static let usual = 16.0 / 9

  /// Returns the width of a board divided by its height.
  ///
  /// Each clip suggests the shape that lets it fill its place. The result is the suggestion that lets all clips
  /// together, shown whole, cover the largest part of the board; among equals, the one nearest to ``usual``.
  ///
  /// - Parameter clips: The places of the clips on the board, and the width of each clip divided by its height.
  package static func shape(for clips: [(place: Region, shape: Double)]) -> Double {
    let candidates = clips.map { $0.shape * $0.place.height / $0.place.width }
    let ranked = candidates.map { (shape: $0, share: share(of: clips, in: $0), distance: distance($0)) }
    guard let best = ranked.map(\.share).max() else { return usual }
    return ranked.filter { $0.share > best - tolerance }.min { $0.distance < $1.distance }?.shape ?? usual
  }

  private static let tolerance = 1e-6

  /// Returns the part of a board that its clips cover.
  private static func share(of clips: [(place: Region, shape: Double)], in board: Double) -> Double {
    clips.reduce(0) { sum, clip in
      let place = board * clip.place.width / clip.place.height
      return sum + clip.place.width * clip.place.height * min(place / clip.shape, clip.shape / place)
    }
  }

  private static func distance(_ shape: Double) -> Double { abs(log(shape / usual)) }
}
