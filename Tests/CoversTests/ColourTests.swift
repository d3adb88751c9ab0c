import Covers
import Testing

@Suite("Colours")
struct ColourTests {
  @Test(
    "Hexadecimal and named colours are parsed",
    arguments: [
      ("#ff8000", 255, 128, 0), ("#F80", 255, 136, 0), ("white", 255, 255, 255), ("Navy", 0, 0, 128), ("#000", 0, 0, 0),
    ] as [(String, UInt8, UInt8, UInt8)]
  )
  func forms(_ text: String, _ red: UInt8, _ green: UInt8, _ blue: UInt8) throws {
    let colour = try #require(Colour(text))
    #expect(colour.red == red && colour.green == green && colour.blue == blue)
    #expect(Colour(colour.description) == colour)
  }

  // The table in CSS Color Module Level 4, section 6.1.
  @Test(
    "The sixteen names of CSS level 1 are parsed",
    arguments: [
      "black": "#000000", "silver": "#c0c0c0", "gray": "#808080", "white": "#ffffff", "maroon": "#800000",
      "red": "#ff0000", "purple": "#800080", "fuchsia": "#ff00ff", "green": "#008000", "lime": "#00ff00",
      "olive": "#808000", "yellow": "#ffff00", "navy": "#000080", "blue": "#0000ff", "teal": "#008080",
      "aqua": "#00ffff",
    ]
  )
  func names(_ name: String, _ hexadecimal: String) {
    #expect(Colour(name)?.description == hexadecimal)
  }

  @Test(
    "Any other text is rejected",
    arguments: ["", "#", "#12", "#12345", "#1234567", "ff8000", "#gg0000", "#+12345", "whitish"]
  )
  func nonsense(_ text: String) {
    #expect(Colour(text) == nil)
  }
}
