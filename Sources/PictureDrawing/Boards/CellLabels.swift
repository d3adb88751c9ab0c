internal import CanvasModel
internal import Pictures

/// Writes the texts of one canvas: its name and state at the top, the reason for a missing cover below the sign, and
/// the clip at the bottom.
struct CellLabels {
  private let cell: BoardPlan.Cell
  private let text: FaceText
  private let size: Double
  private let palette: Palette
  /// Whether the text is on a cover, and needs a background to be legible.
  private let hasCover: Bool
  /// The part of the canvas that is written on.
  private let room: PixelFrame

  /// - Parameters:
  ///   - cell: The canvas.
  ///   - text: What is written on it.
  ///   - size: The font size.
  ///   - palette: The colours.
  ///   - hasCover: Whether the canvas shows a cover.
  init(_ cell: BoardPlan.Cell, _ text: FaceText, size: Double, palette: Palette, hasCover: Bool) {
    (self.cell, self.text, self.size, self.palette, self.hasCover) = (cell, text, size, palette, hasCover)
    room = cell.place.inset(by: cell.margin)
  }

  private var padding: Int { Int((size * Picture.labelPadding).rounded(.up)) }
  /// The height of a line with the space around it.
  private var lineHeight: Int { Int((1.6 * size).rounded(.up)) }

  func paint(on picture: inout Picture, with fonts: borrowing Fonts) throws(TextError) {
    let state = try paintState(on: &picture, with: fonts)
    let name = leftBox(width: room.width - state, .top, truncation: .end)
    try write(text.name, in: name, weight: .bold, paint: palette.ink, on: &picture, with: fonts)
    if let reason = text.reason { try paintReason(reason, on: &picture, with: fonts) }
    guard let clip = text.clip else { return }
    let duration = try paintDuration(on: &picture, with: fonts)
    let box = leftBox(width: room.width - duration, .bottom, truncation: .middle)
    try write(clip, in: box, paint: palette.softInk, on: &picture, with: fonts)
  }

  /// Returns a box as high as the room, from its left edge.
  private func leftBox(width: Int, _ alignment: TextBox.VerticalAlignment, truncation: Truncation) -> TextBox {
    TextBox(
      x: room.x,
      y: room.y,
      width: width,
      height: room.height,
      verticalAlignment: alignment,
      truncation: truncation
    )
  }

  /// Returns a box as high as the room, at its right edge.
  private func rightBox(width: Int, _ alignment: TextBox.VerticalAlignment) -> TextBox {
    TextBox(
      x: room.x + room.width - width,
      y: room.y,
      width: width,
      height: room.height,
      verticalAlignment: alignment
    )
  }

  // MARK: - Parts

  /// Writes the state in the top right corner and returns the width that it, or the mark there, takes up.
  private func paintState(on picture: inout Picture, with fonts: borrowing Fonts) throws(TextError) -> Int {
    guard let state = text.state else { return cell.face.shows == .playing ? cell.markSide + padding : 0 }
    let style = style(.bold, Palette.white)
    let width = try fonts.measure(state, style: style, maximumWidth: room.width - 2 * padding).width + 2 * padding
    try picture.drawLabel(state, in: rightBox(width: width, .top), style: style, background: stateGround, fonts: fonts)
    return width + padding
  }

  private var stateGround: Paint {
    switch cell.face.shows {
    case .live: Palette.red
    case .preview: Palette.blue
    case .take where cell.face.isPaused: Palette.ochre
    case .take, .plus, .playing, .cover, .coverPending, .coverMissing: Palette.grey
    }
  }

  /// Writes the reason for a missing cover, if there is room between the sign and the clip.
  private func paintReason(
    _ reason: String,
    on picture: inout Picture,
    with fonts: borrowing Fonts
  ) throws(TextError) {
    let (middle, unit) = (cell.place.frame.centre.y, Double(cell.place.shorterSide))
    let top = min(Int(middle + 0.3 * unit), room.y + room.height - 2 * lineHeight)
    guard Double(top) >= middle + 0.25 * unit else { return }
    let box = TextBox(
      x: room.x + padding,
      y: top,
      width: room.width - 2 * padding,
      height: lineHeight,
      alignment: .centre
    )
    try picture.draw(reason, in: box, style: style(.regular, palette.amber), fonts: fonts)
  }

  /// Writes the duration in the bottom right corner and returns the width it takes up.
  private func paintDuration(on picture: inout Picture, with fonts: borrowing Fonts) throws(TextError) -> Int {
    guard let duration = text.duration else { return 0 }
    let extent = try fonts.measure(duration, style: style(.regular, Palette.white))
    let width = extent.width + 2 * padding
    // A truncated duration is useless, and the name is more important.
    guard width <= room.width / 2 else { return 0 }
    try write(duration, in: rightBox(width: width, .bottom), paint: palette.softInk, on: &picture, with: fonts)
    return width + padding
  }

  // MARK: - Lines

  private func style(_ weight: TextStyle.Weight, _ paint: Paint) -> TextStyle {
    TextStyle(size: size, weight: weight, paint: paint, hasTabularDigits: true)
  }

  /// Writes a line, at the same place with and without a background.
  private func write(
    _ text: String,
    in box: TextBox,
    weight: TextStyle.Weight = .regular,
    paint: Paint,
    on picture: inout Picture,
    with fonts: borrowing Fonts
  ) throws(TextError) {
    let background = hasCover ? Palette.shade : Paint(0, 0, 0, opacity: 0)
    let style = style(weight, hasCover ? Palette.white : paint)
    try picture.drawLabel(text, in: box, style: style, background: background, fonts: fonts)
  }
}
