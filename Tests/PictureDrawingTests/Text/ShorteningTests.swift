import PictureDrawing
import Pictures
import TestSupport
import Testing

@Suite("Shortening text")
struct ShorteningTests {
  @Test(
    "A shortened line never exceeds its box",
    arguments: [
      "A long name of a holiday clip (final).mp4", "שם ארוך מאוד של קליפ מהחופשה.mp4",
      "jfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjfjf",
    ]
  )
  func width(text: String) throws {
    let fonts = try SampleFonts.dejavu()
    for width in stride(from: 30, through: 400, by: 7) {
      for truncation in [Truncation.middle, .end] {
        let extent = try fonts.measure(text, style: .white(19), maximumWidth: width, truncation: truncation)
        #expect(extent.width <= width)
        let whole = try fonts.measure(text, style: .white(19))
        #expect(extent.isShortened == (whole.width > width))
      }
    }
  }

  /// Draws a text in a box and returns the columns from one edge as they would be in a longer line.
  private func drawn(_ text: String, _ truncation: Truncation, width: Int) throws -> Picture {
    let fonts = try SampleFonts.dejavu()
    var picture = Picture(width: width, height: 40, layout: .rgb)
    let box = TextBox(x: 0, y: 0, width: width, height: 40, truncation: truncation)
    try picture.draw(text, in: box, style: .white(16), fonts: fonts)
    return picture
  }

  @Test("A name that is shortened in the middle keeps its beginning and its extension")
  func middle() throws {
    let name = "Beginning of a very long name of a clip.webm"
    let short = try drawn(name, .middle, width: 200)
    let whole = try drawn(name, .middle, width: 600)
    let ending = try whole.ink().columns.upperBound
    let edge = try short.ink().columns.upperBound
    #expect((180...200).contains(edge))
    for y in 0..<40 {
      for x in 0..<60 {
        #expect(short.pixel(x: x, y: y) == whole.pixel(x: x, y: y))
        #expect(short.pixel(x: edge - 1 - x, y: y) == whole.pixel(x: ending - 1 - x, y: y))
      }
    }
  }

  @Test("An ellipsis is not followed by a gap", .enabled(if: Scope.isFull), arguments: [Truncation.middle, .end])
  func gap(truncation: Truncation) throws {
    let fonts = try SampleFonts.dejavu()
    let text = String(repeating: "W", count: 40)
    for width in 100..<140 {
      var picture = Picture(width: 150, height: 40, layout: .rgb)
      let box = TextBox(x: 0, y: 0, width: width, height: 40, truncation: truncation)
      let extent = try picture.draw(text, in: box, style: .white(20), fonts: fonts)
      let ink = try picture.ink()
      var (blank, longest) = (0, 0)
      for x in ink.columns {
        let isBlank = (0..<40).allSatisfy { picture.value(x: x, y: $0, channel: 0) == 0 }
        blank = isBlank ? blank + 1 : 0
        longest = max(longest, blank)
      }
      // The space between the dots of an ellipsis.
      #expect(longest <= 6 && extent.width - ink.columns.upperBound <= 4, "\(width)")
    }
  }

  @Test("A line that is shortened at its end keeps its beginning")
  func end() throws {
    let text = "Beginning of a very long name of a clip.webm"
    let short = try drawn(text, .end, width: 200)
    let whole = try drawn(text, .end, width: 600)
    for y in 0..<40 {
      for x in 0..<150 { #expect(short.pixel(x: x, y: y) == whole.pixel(x: x, y: y)) }
    }
  }

  @Test("A box that is narrower than an ellipsis is not left")
  func narrow() throws {
    let fonts = try SampleFonts.dejavu()
    for width in 0...12 {
      var picture = Picture(width: 60, height: 40, layout: .rgb)
      let box = TextBox(x: 20, y: 0, width: width, height: 40)
      try picture.draw("Holiday", in: box, style: .white(24), fonts: fonts)
      for y in 0..<40 {
        for x in 0..<60 where !(20..<20 + width).contains(x) { #expect(picture.pixel(x: x, y: y) == [0, 0, 0]) }
      }
    }
  }
}
