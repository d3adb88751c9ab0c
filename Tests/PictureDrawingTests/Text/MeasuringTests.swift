import PictureDrawing
import Pictures
import TestSupport
import Testing

@Suite("Measuring text")
struct MeasuringTests {
  static let texts = [
    "Hello, World 0123", "jÅf (Qg) – ffi", "مرحبا بالعالم", "שלום עולם", "Ελληνικά Русский", "f", "", " ", "a b  ",
    "日本語", "ที่นี่", "क्षत्रिय", "A\u{301}\u{302}\u{303}",
  ]

  @Test(
    "The measured width is that of the pixels that are drawn",
    .enabled(if: Scope.isFull),
    arguments: texts,
    [11.0, 16, 40]
  )
  func width(text: String, size: Double) throws {
    let fonts = try SampleFonts.dejavu()
    let extent = try fonts.measure(text, style: .white(size))
    var picture = Picture(width: 900, height: 200, layout: .rgb)
    let box = TextBox(x: 100, y: 60, width: 700, height: 100)
    #expect(try picture.draw(text, in: box, style: .white(size), fonts: fonts) == extent)
    guard let ink = Ink(picture) else {
      #expect(text.allSatisfy { $0 == " " })
      return
    }
    let left = extent.isRightToLeft ? 800 - extent.width : 100
    #expect(ink.columns.lowerBound >= left && ink.columns.upperBound <= left + extent.width)
    // A glyph has little space at its sides.
    #expect(ink.columns.count >= extent.width - Int(size) || text.hasSuffix("  "))
  }

  @Test("A line fits into a box of its measured size without being shortened", arguments: texts, [11.0, 16, 40])
  func exactBox(text: String, size: Double) throws {
    let fonts = try SampleFonts.dejavu()
    let extent = try fonts.measure(text, style: .white(size))
    let fitted = try fonts.measure(text, style: .white(size), maximumWidth: extent.width)
    #expect(fitted == extent && !extent.isShortened)
  }

  @Test(
    "The baseline is where letters without descenders end",
    .enabled(if: Scope.isFull),
    arguments: [11.0, 16, 24, 40]
  )
  func baseline(size: Double) throws {
    let fonts = try SampleFonts.dejavu()
    let extent = try fonts.measure("HHH", style: .white(size))
    var picture = Picture(width: 300, height: 100, layout: .rgb)
    let box = TextBox(x: 0, y: 20, width: 300, height: 70, verticalAlignment: .baseline(50))
    try picture.draw("HHH", in: box, style: .white(size), fonts: fonts)
    let ink = try picture.ink()
    #expect(ink.rows.upperBound == 70)
    #expect(extent.baseline > ink.rows.count && extent.baseline < extent.height)
  }

  @Test(
    "A glyph that reaches beyond its advance is drawn whole",
    .enabled(if: Scope.isFull),
    arguments: ["j", "ĵ", "ƒ", "f"],
    [9.0, 10, 16, 29]
  )
  func overhang(glyph: String, size: Double) throws {
    let fonts = try SampleFonts.dejavu()
    var coverage: [Double] = []
    for text in [glyph, " \(glyph) "] {
      var picture = Picture(width: 100, height: 60, layout: .rgb)
      try picture.draw(text, in: TextBox(x: 5, y: 5, width: 90, height: 50), style: .white(size), fonts: fonts)
      coverage.append(try picture.ink().coverage)
    }
    #expect(coverage[0] == coverage[1])
  }

  @Test("Bold text is wider and darker than regular text")
  func bold() throws {
    let fonts = try SampleFonts.dejavu()
    let (regular, bold) = (TextStyle.white(20), TextStyle.white(20, weight: .bold))
    #expect(try fonts.measure("Holiday", style: bold).width > fonts.measure("Holiday", style: regular).width + 5)
    var thin = Picture(width: 200, height: 40, layout: .rgb)
    var thick = Picture(width: 200, height: 40, layout: .rgb)
    let box = TextBox(x: 2, y: 2, width: 190, height: 30)
    try thin.draw("Holiday", in: box, style: regular, fonts: fonts)
    try thick.draw("Holiday", in: box, style: bold, fonts: fonts)
    #expect(try thick.ink().coverage > 1.3 * thin.ink().coverage)
  }

  @Test("Times with tabular digits have the same width, in a font whose digits have different widths")
  func tabularDigits() throws {
    let fonts = try Fonts(configuration: SampleFonts.configuration("inter"))
    func widths(hasTabularDigits: Bool) throws -> Set<Int> {
      let style = TextStyle(size: 20, paint: Paint(255, 255, 255), hasTabularDigits: hasTabularDigits)
      return Set(try ["11:11:11", "00:00:00", "44:44:44"].map { try fonts.measure($0, style: style).width })
    }
    #expect(try widths(hasTabularDigits: true).count == 1 && widths(hasTabularDigits: false).count > 1)
  }

  @Test("The same text has the same pixels when it is drawn again and when the fonts are opened again")
  func repetition() throws {
    func draw(_ fonts: borrowing Fonts) throws -> [UInt8] {
      var picture = Picture(width: 200, height: 30, layout: .rgb)
      try picture.draw(
        "Wave – مرحبا.mp4",
        in: TextBox(x: 0, y: 0, width: 200, height: 30),
        style: .white(15),
        fonts: fonts
      )
      return picture.bytes
    }
    let first = try SampleFonts.dejavu()
    let second = try SampleFonts.dejavu()
    let bytes = try draw(first)
    #expect(try draw(first) == bytes && draw(second) == bytes)
  }
}
