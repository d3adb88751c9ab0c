import PictureDrawing
import Pictures
import TestSupport
import Testing

@Suite("Placing text")
struct PlacingTests {
  private func ink(_ text: String, _ box: TextBox) throws -> Ink? {
    let fonts = try SampleFonts.dejavu()
    var picture = Picture(width: 400, height: 100, layout: .rgb)
    try picture.draw(text, in: box, style: .white(20), fonts: fonts)
    return Ink(picture)
  }

  @Test("Text begins at the left or right edge, as its script is written", .enabled(if: Scope.isFull))
  func start() throws {
    for (text, isAtRight) in [("Clip 1", false), ("קליפ 1", true), ("مقطع", true), ("12 קליפ", true), ("12", false)] {
      for alignment in [TextBox.Alignment.start, .end] {
        let box = TextBox(x: 50, y: 20, width: 300, height: 60, alignment: alignment)
        let ink = try #require(try ink(text, box))
        if isAtRight == (alignment == .start) {
          #expect((346...350).contains(ink.columns.upperBound), "\(text)")
        } else {
          #expect((50...54).contains(ink.columns.lowerBound), "\(text)")
        }
      }
    }
  }

  @Test("A centred line has the same space on all sides")
  func centre() throws {
    let box = TextBox(x: 50, y: 20, width: 300, height: 60, alignment: .centre)
    let ink = try #require(try ink("Hxo", box))
    #expect(abs((ink.columns.lowerBound - 50) - (350 - ink.columns.upperBound)) <= 2)
    let extent = try SampleFonts.dejavu().measure("Hxo", style: .white(20))
    #expect(ink.rows.upperBound == 20 + (60 - extent.height) / 2 + extent.baseline)
  }

  @Test("A line at the top and one at the bottom are inside the box")
  func topAndBottom() throws {
    let top = try #require(try ink("ÅQg", TextBox(x: 50, y: 20, width: 300, height: 60, verticalAlignment: .top)))
    let bottom = try #require(try ink("ÅQg", TextBox(x: 50, y: 20, width: 300, height: 60, verticalAlignment: .bottom)))
    let height = try SampleFonts.dejavu().measure("ÅQg", style: .white(20)).height
    #expect((20...24).contains(top.rows.lowerBound) && (76...80).contains(bottom.rows.upperBound))
    #expect(bottom.rows.lowerBound - top.rows.lowerBound == 60 - height)
  }

  @Test("The words of right-to-left text are ordered from the right, and its numbers from the left")
  func order() throws {
    // A wide word of one script and a narrow one of the other: the wide one is on the side where the text begins.
    let box = TextBox(x: 0, y: 0, width: 400, height: 100)
    let mixed = try #require(try ink("ווווו WWWWW", box))
    let latin = try #require(try ink("WWWWW", box))
    let fonts = try SampleFonts.dejavu()
    var picture = Picture(width: 400, height: 100, layout: .rgb)
    try picture.draw("ווווו WWWWW", in: box, style: .white(20), fonts: fonts)
    // The Latin word is at the left end of the mixed line, with the same pixels as alone.
    var alone = Picture(width: 400, height: 100, layout: .rgb)
    try alone.draw("WWWWW", in: box, style: .white(20), fonts: fonts)
    let shift = mixed.columns.lowerBound - latin.columns.lowerBound
    for y in 0..<100 {
      for x in latin.columns where alone.pixel(x: x, y: y) != picture.pixel(x: x + shift, y: y) {
        Issue.record("differs at \(x), \(y)")
        return
      }
    }
  }

  @Test("Opacity weakens every pixel, and transparent text changes none")
  func opacity() throws {
    let fonts = try SampleFonts.dejavu()
    let box = TextBox(x: 0, y: 0, width: 200, height: 40)
    func drawn(_ opacity: Double) throws -> [UInt8] {
      var picture = Picture(width: 200, height: 40, layout: .rgb)
      try picture.draw("Holiday", in: box, style: .white(20, opacity: opacity), fonts: fonts)
      return picture.bytes
    }
    let (full, half) = (try drawn(1), try drawn(0.5))
    #expect(full.contains(255) && zip(full, half).allSatisfy { abs(Int($0) - 2 * Int($1)) <= 2 })
    #expect(try drawn(0).allSatisfy { $0 == 0 })
  }

  @Test("On a transparent picture, text has its own colour and the coverage as alpha")
  func transparent() throws {
    let fonts = try SampleFonts.dejavu()
    let box = TextBox(x: 0, y: 0, width: 200, height: 40)
    let style = TextStyle(size: 20, paint: Paint(10, 120, 250))
    var clear = Picture(width: 200, height: 40, layout: .rgba)
    try clear.draw("Holiday", in: box, style: style, fonts: fonts)
    var black = Picture(width: 200, height: 40, layout: .rgb)
    try black.draw("Holiday", in: box, style: .white(20), fonts: fonts)
    for y in 0..<40 {
      for x in 0..<200 {
        let pixel = clear.pixel(x: x, y: y)
        #expect(pixel[3] == black.pixel(x: x, y: y)[0])
        // A premultiplied colour has few steps where the coverage is low.
        let tolerance = pixel[3] == 0 ? 256 : 256 / pixel[3] + 1
        #expect(zip(pixel, [10, 120, 250]).allSatisfy { abs($0 - $1) <= tolerance })
      }
    }
    let flat = clear.flattened(red: 255, green: 255, blue: 255)
    var white = Picture(width: 200, height: 40, layout: .rgb)
    white.fill(.rectangle(.init(x: 0, y: 0, width: 200, height: 40)), with: Paint(255, 255, 255))
    try white.draw("Holiday", in: box, style: style, fonts: fonts)
    #expect(zip(flat.bytes, white.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
  }
}
