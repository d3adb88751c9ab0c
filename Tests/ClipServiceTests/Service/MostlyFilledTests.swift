import Covers
import Testing

@testable import ClipService

@Suite("Boxes that pictures fill, or are shown whole in")
struct MostlyFilledTests {
  // The box is 1.2 times as wide as high. Two thirds of a picture of 0.8 would be shown; that is enough only for
  // pictures that are wide as well, such as one of 1.8.
  @Test(
    "A quarter may be cropped if one is upright and the other wide, otherwise two fifths",
    arguments: [((80, 100), "80x100"), ((180, 100), "120x100"), ((300, 100), "120x40"), ((96, 100), "120x100")]
  )
  func boxes(_ size: (Int, Int), _ expected: String) throws {
    let box = try #require(SizeLimit(width: 120, height: 100))
    #expect(box.mostlyFilled(with: PixelSize(width: size.0, height: size.1)) == SizeLimit(expected))
  }
}
