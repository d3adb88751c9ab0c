import PictureDrawing
import Pictures
import TestSupport
import Testing

@Suite("Hostile text")
struct HostileTextTests {
  private func drawn(_ text: String) throws -> [UInt8] {
    let fonts = try SampleFonts.dejavu()
    var picture = Picture(width: 500, height: 30, layout: .rgb)
    try picture.draw(text, in: TextBox(x: 0, y: 0, width: 500, height: 30), style: .white(14), fonts: fonts)
    return picture.bytes
  }

  @Test(
    "Control characters and marks that change the direction are drawn as escapes",
    arguments: [
      ("a\nb", #"a\x0ab"#), ("a\0b", #"a\x00b"#), ("a\u{1B}[1mb", #"a\x1b[1mb"#), ("a\tb", #"a\x09b"#),
      ("a\u{202E}4pm.exe", #"a\xe2\x80\xae4pm.exe"#), ("a\u{2067}b", #"a\xe2\x81\xa7b"#),
      ("a\u{2028}b", #"a\xe2\x80\xa8b"#), ("a\u{85}b", #"a\xc2\x85b"#),
    ]
  )
  func controls(text: String, visible: String) throws {
    #expect(try drawn(text) == drawn(visible))
    #expect(try drawn(text) != drawn("ab"))
  }

  @Test("Markup is drawn, not applied")
  func markup() throws {
    let fonts = try SampleFonts.dejavu()
    let plain = try fonts.measure("b", style: .white(14)).width
    #expect(try fonts.measure("<b>b</b>&amp;", style: .white(14)).width > 5 * plain)
  }

  @Test("Very long text is bounded and keeps what the truncation promises")
  func long() throws {
    let fonts = try SampleFonts.dejavu()
    let text = "start" + String(repeating: "x", count: 2_000_000) + "end"
    #expect(try fonts.measure(text, style: .white(14)).width < 14 * 1000)
    let expected = "start" + String(repeating: "x", count: 600) + "end"
    for truncation in [Truncation.middle, .end] {
      func drawn(_ text: String) throws -> [UInt8] {
        var picture = Picture(width: 300, height: 30, layout: .rgb)
        let box = TextBox(x: 0, y: 0, width: 300, height: 30, truncation: truncation)
        try picture.draw(text, in: box, style: .white(14), fonts: fonts)
        return picture.bytes
      }
      #expect(try drawn(text) == drawn(expected))
    }
    // Escapes are longer than what they replace.
    _ = try fonts.measure(String(repeating: "\u{202E}", count: 100_000), style: .white(128))
    _ = try fonts.measure(String(repeating: "\u{FDFD}", count: 100_000), style: .white(128))
  }

  @Test("Piles of marks stay in the box and do not make the line higher")
  func piles() throws {
    let fonts = try SampleFonts.dejavu()
    let text = "a" + String(repeating: "\u{301}", count: 20)
    #expect(try fonts.measure(text, style: .white(16)).height == fonts.measure("a", style: .white(16)).height)
    var picture = Picture(width: 100, height: 100, layout: .rgb)
    try picture.draw(text, in: TextBox(x: 10, y: 40, width: 80, height: 20), style: .white(16), fonts: fonts)
    let ink = try picture.ink()
    #expect(ink.rows.lowerBound >= 40 && ink.rows.upperBound <= 60)
  }

  @Test("Text without any glyph in the installed fonts is drawn as boxes")
  func missingGlyphs() throws {
    #expect(try drawn("\u{12000}\u{13000}\u{F0000}").contains { $0 > 0 })
  }

  @Test(
    "No text and no box, whatever they are, changes a byte outside the box and the picture",
    .enabled(if: Scope.isFull)
  )
  func random() throws {
    let fonts = try SampleFonts.dejavu()
    var numbers = SeededNumbers(seed: 7)
    for _ in 0..<LongForm.count(short: 300, long: 10_000, variable: "TORTURE_TEXTS") {
      try RandomText.check(fonts, &numbers)
    }
  }
}

/// Random text in a random box of a random picture.
private enum RandomText {
  private static let blocks: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0x20...0x7E, 0...0x1F, 0x80...0x24F, 0x300...0x36F, 0x370...0x52F, 0x590...0x6FF, 0x900...0xDFF,
    0xE00...0x1FFF, 0x2000...0x206F, 0x2100...0x2BFF, 0x3000...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
    0xE000...0xF8FF, 0xF900...0xFFFF, 0x1_0000...0x10_FFFF, 0x1_D100...0x1_D7FF, 0x1_F1E6...0x1_FAFF, 0xFE00...0xFE0F,
  ]

  private static func text(_ numbers: inout SeededNumbers) -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...60, using: &numbers) {
      let block = blocks[Int.random(in: 0..<blocks.count, using: &numbers)]
      let scalar = Unicode.Scalar(UInt32.random(in: block, using: &numbers)) ?? "\u{FFFD}"
      let isRun = Int.random(in: 0..<16, using: &numbers) == 0
      scalars.append(contentsOf: repeatElement(scalar, count: isRun ? Int.random(in: 1...40, using: &numbers) : 1))
    }
    return String(scalars)
  }

  static func check(_ fonts: borrowing Fonts, _ numbers: inout SeededNumbers) throws {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }
    let layout = Bool.random(using: &numbers) ? Picture.Layout.rgb : .rgba
    let (width, height) = (number(1...150), number(1...50))
    let rowBytes = width * layout.pixelBytes + number(0...9)
    var picture = Picture(width: width, height: height, layout: layout, rowBytes: rowBytes, tailBytes: 64)
    picture.withMutableBytes { bytes in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 197 ^ index >> 3) }
    }
    let before = picture.bytes
    let box = TextBox(
      x: number(-60...150),
      y: number(-40...50),
      width: number(-1...160),
      height: number(-1...60),
      alignment: [.start, .centre, .end][number(0...2)],
      verticalAlignment: [.top, .centre, .bottom, .baseline(number(-20...60))][number(0...3)],
      truncation: Bool.random(using: &numbers) ? .middle : .end
    )
    let style = TextStyle(
      size: Double(number(1...40)),
      weight: Bool.random(using: &numbers) ? .regular : .bold,
      paint: Paint(200, 90, 10, opacity: Double(number(0...4)) / 4)
    )
    if Bool.random(using: &numbers) {
      try picture.draw(text(&numbers), in: box, style: style, fonts: fonts)
    } else {
      try picture.drawLabel(text(&numbers), in: box, style: style, fonts: fonts)
    }
    for (index, (old, new)) in zip(before, picture.bytes).enumerated() where old != new {
      let (x, y) = (index % rowBytes / layout.pixelBytes, index / rowBytes)
      let isInside = (box.x..<box.x + box.width).contains(x) && (box.y..<box.y + box.height).contains(y)
      #expect(isInside && x < width && y < height, "\(x), \(y) in \(box)")
    }
  }
}
