import Covers
import Pictures
import TestSupport
import Testing

@testable import CoverDecoding

@Suite("Measuring frames")
struct FrameSampleTests {
  /// Returns the share of very dark and very bright pixels in a picture of stripes of two greys.
  private func extremes(_ one: UInt8, _ other: UInt8) -> Double {
    var picture = Picture(width: 32, height: 32, layout: .rgb)
    for x in 0..<32 {
      let grey = x.isMultiple(of: 2) ? one : other
      picture.fill(.rectangle(.init(x: Double(x), y: 0, width: 1, height: 32)), with: Paint(grey, grey, grey))
    }
    return FrameSample(of: picture).score(followedBy: nil).extremes
  }

  @Test("Pixels that are nearly black or nearly white are extreme", .enabled(if: Scope.isFull))
  func extremes() {
    #expect(extremes(100, 200) == 0 && extremes(10, 250) == 1)
    // Dark columns at the edge may count as a border.
    #expect((0.45...0.55).contains(extremes(100, 250)) && (0.45...0.55).contains(extremes(10, 100)))
  }
}
