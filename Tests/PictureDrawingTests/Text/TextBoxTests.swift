import PictureDrawing
import Pictures
import Testing

@Suite("Text in boxes")
struct TextBoxTests {
  private let box = TextBox(x: 10, y: 10, width: 180, height: 80, alignment: .end, verticalAlignment: .bottom)

  /// Returns a picture of one grey with a label.
  private func labelled(_ grey: UInt8, layout: Picture.Layout = .rgb, box: TextBox? = nil) throws -> Picture {
    let fonts = try SampleFonts.dejavu()
    var picture = Picture(width: 200, height: 100, layout: layout)
    picture.fill(.rectangle(.init(x: 0, y: 0, width: 200, height: 100)), with: Paint(grey, grey, grey))
    try picture.drawLabel("0:12:34", in: box ?? self.box, style: .white(16), fonts: fonts)
    return picture
  }

  @Test("A label is readable on black, grey and white", arguments: [UInt8(0), 128, 255])
  func contrast(grey: UInt8) throws {
    let picture = try labelled(grey)
    // The brightest pixel is a stroke; the ground beside it is the grey under 60 % black.
    let values = (70..<88).flatMap { y in (130..<185).map { x in picture.value(x: x, y: y, channel: 0) } }
    let ground = Int((Double(grey) * 0.4).rounded())
    #expect(values.max() == 255 && abs((values.min() ?? 255) - ground) <= 1)
    #expect(255 - ground >= 150)
  }

  @Test("A label is in its corner, with rounded corners")
  func corner() throws {
    let picture = try labelled(255)
    let ink = try picture.ink()
    #expect(ink.columns.upperBound == 190 && ink.rows.upperBound == 90)
    #expect(picture.pixel(x: ink.columns.lowerBound, y: ink.rows.lowerBound)[0] > 240)
    #expect(picture.pixel(x: ink.columns.lowerBound + 6, y: ink.rows.lowerBound)[0] == 102)
  }

  @Test("A label on an opaque picture with alpha has the same colours")
  func alpha() throws {
    let plain = try labelled(90)
    let alpha = try labelled(90, layout: .rgba)
    #expect(alpha.droppingAlpha().bytes == plain.bytes)
    #expect(alpha.pixel(x: 189, y: 80)[3] == 255)
  }

  @Test("A box without room for a label stays as it is")
  func noRoom() throws {
    for (width, height) in [(15, 80), (180, 15), (0, 0), (1, 1)] {
      let picture = try labelled(255, box: TextBox(x: 10, y: 10, width: width, height: height))
      let ink = Ink(picture)
      #expect(ink == nil)
    }
  }

  @Test("A long label is shortened to its box")
  func long() throws {
    let fonts = try SampleFonts.dejavu()
    var picture = Picture(width: 200, height: 40, layout: .rgb)
    picture.fill(.rectangle(.init(x: 0, y: 0, width: 200, height: 40)), with: Paint(255, 255, 255))
    let box = TextBox(x: 20, y: 5, width: 160, height: 30, truncation: .middle)
    try picture.drawLabel("A very long name of a clip.mp4", in: box, style: .white(14), fonts: fonts)
    let ink = try picture.ink()
    #expect(ink.columns.lowerBound >= 20 && ink.columns.upperBound <= 180 && ink.columns.count > 140)
  }
}
