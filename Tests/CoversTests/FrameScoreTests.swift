import Covers
import Testing

@Suite("Scores of frames")
struct FrameScoreTests {
  private func total(
    entropy: Double = 1,
    sharpness: Double = 1,
    colourfulness: Double = 1,
    extremes: Double = 0,
    change: Double = 0
  ) -> Double {
    FrameScore(
      entropy: entropy,
      sharpness: sharpness,
      colourfulness: colourfulness,
      extremes: extremes,
      change: change
    )
    .total
  }

  private func expect(_ total: Double, _ expected: Double) { #expect(abs(total - expected) < 1e-9, "\(total)") }

  // The expected values were computed by hand.
  @Test("Entropy and sharpness count most")
  func parts() {
    expect(total(), 1)
    expect(total(entropy: 0), 0.65)
    expect(total(sharpness: 0), 0.65)
    expect(total(colourfulness: 0), 0.85)
    expect(total(entropy: 0, sharpness: 0, colourfulness: 0), 0.15)
  }

  @Test("Black and white pixels lower the score, to 0 for a picture that has no others")
  func extremes() {
    expect(total(extremes: 1), 0)
    expect(total(extremes: 0.5), 0.925 * 0.75)
  }

  @Test("A change from the next frame counts from 0.02, and no more from 0.12")
  func change() {
    expect(total(change: 0.02), 1)
    expect(total(change: 0.07), 0.825)
    expect(total(change: 0.12), 0.65)
    expect(total(change: 1), 0.65)
  }
}
