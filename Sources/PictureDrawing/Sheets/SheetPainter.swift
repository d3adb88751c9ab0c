internal import BoardSupport
internal import Covers
internal import Pictures

/// Draws a contact sheet.
struct SheetPainter: ~Copyable {
  private let sheet: ContactSheet
  private let colours: SheetColours
  private var picture: Picture

  init(_ sheet: ContactSheet) {
    self.sheet = sheet
    colours = SheetColours(sheet.style.theme)
    picture = Picture(width: sheet.size.width, height: sheet.size.height, layout: .rgb)
    let all = Shape.Frame(x: 0, y: 0, width: Double(picture.width), height: Double(picture.height))
    picture.fill(.rectangle(all), with: colours.ground)
  }

  /// Draws a frame in its place.
  mutating func draw(_ tile: borrowing Picture, number: Int) {
    let (left, top) = sheet.corner(ofTile: number)
    picture.draw(tile, left: left, top: top)
  }

  /// Draws the header, and the time of each frame.
  mutating func drawTexts(with fonts: borrowing Fonts) throws(TextError) {
    if sheet.style.hasHeader { try drawHeader(with: fonts) }
    guard sheet.style.hasTimestamps else { return }
    let text = TimeText(of: sheet.tiles.times)
    for (number, time) in sheet.tiles.times.enumerated() {
      if let time { try drawTime(text.of(time), ofTile: number, with: fonts) }
    }
  }

  /// Returns the sheet.
  consuming func finish() -> Picture { picture }

  private mutating func drawHeader(with fonts: borrowing Fonts) throws(TextError) {
    var top = sheet.margin
    let header = SheetHeader(sheet.header)
    let lines = [
      (header.name, sheet.nameFontSize, TextStyle.Weight.bold, colours.name, Truncation.middle),
      (header.facts, sheet.factsFontSize, .regular, colours.facts, .end),
    ]
    for (text, size, weight, paint, truncation) in lines {
      let height = ContactSheet.lineHeight(of: size)
      let box = TextBox(
        x: sheet.margin,
        y: top,
        width: sheet.size.width - 2 * sheet.margin,
        height: height,
        truncation: truncation
      )
      let style = TextStyle(size: size, weight: weight, paint: paint, hasTabularDigits: true)
      try picture.draw(text, in: box, style: style, fonts: fonts)
      top += height
    }
  }

  private mutating func drawTime(
    _ text: String,
    ofTile number: Int,
    with fonts: borrowing Fonts
  ) throws(TextError) {
    let (left, top) = sheet.corner(ofTile: number)
    let inset = max(1, sheet.gap / 2)
    let box = TextBox(
      x: left + inset,
      y: top + inset,
      width: sheet.tiles.width - 2 * inset,
      height: sheet.tiles.height - 2 * inset,
      alignment: .end,
      verticalAlignment: .bottom
    )
    let style = TextStyle(size: sheet.timeFontSize, paint: Paint(255, 255, 255), hasTabularDigits: true)
    // A truncated time is useless, so a frame that is too small has no time.
    let room = box.width - Int((2 * Picture.labelPadding * style.size).rounded(.up))
    guard try !fonts.measure(text, style: style, maximumWidth: room).isShortened else { return }
    try picture.drawLabel(text, in: box, style: style, fonts: fonts)
  }
}

/// The colours of a theme.
private struct SheetColours {
  let ground: Paint
  let name: Paint
  let facts: Paint

  init(_ theme: SheetStyle.Theme) {
    switch theme {
    case .light: (ground, name, facts) = (Paint(255, 255, 255), Paint(24, 24, 27), Paint(82, 82, 91))
    case .dark: (ground, name, facts) = (Paint(24, 24, 27), Paint(250, 250, 250), Paint(176, 176, 186))
    }
  }
}
