package import Pictures

extension Picture {
  /// Draws a line of text.
  ///
  /// The picture must have 8 bits per channel. Only pixels within the box change. A line that does not fit is shortened.
  /// The text is plain text in any script that an installed font covers, and its base direction is that of its first
  /// letter. Control characters and marks that change the text direction are drawn in the form `\x0a`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - box: Where to draw it.
  ///   - style: Its appearance.
  ///   - fonts: The fonts to use.
  /// - Returns: The size of the line.
  /// - Throws: ``TextError``; the picture is then unchanged.
  @discardableResult
  package mutating func draw(
    _ text: String,
    in box: TextBox,
    style: TextStyle,
    fonts: borrowing Fonts
  ) throws(TextError) -> TextExtent {
    precondition(layout.bits == 8, "text is drawn on pictures of 8 bits")
    let line = try Line(text, style, maximumWidth: box.width, box.truncation, fonts: fonts)
    try line.draw(in: box, of: &self, paint: style.paint)
    return line.extent
  }

  /// The space of a label beside its text, as a share of the font size.
  package static let labelPadding = 0.4

  /// Draws a line of text on a rounded background, which keeps it readable on any picture.
  ///
  /// The box is around the background. Nothing is drawn if the background with an ellipsis does not fit into it.
  ///
  /// - Parameters:
  ///   - text: The text, as for ``draw(_:in:style:fonts:)``.
  ///   - box: Where to draw it.
  ///   - style: The appearance of the text.
  ///   - background: The colour and opacity of the background (default: black, 60 % opaque).
  ///   - fonts: The fonts to use.
  /// - Throws: ``TextError``.
  package mutating func drawLabel(
    _ text: String,
    in box: TextBox,
    style: TextStyle,
    background: Paint = Paint(0, 0, 0, opacity: 0.6),
    fonts: borrowing Fonts
  ) throws(TextError) {
    let (beside, above) = (Int((style.size * Self.labelPadding).rounded(.up)), Int((style.size * 0.15).rounded(.up)))
    let line = try Line(text, style, maximumWidth: box.width - 2 * beside, box.truncation, fonts: fonts)
    let extent = line.extent.padded(beside: beside, above: above)
    let (left, top) = box.origin(of: extent)
    guard extent.width <= box.width, top >= box.y, top + extent.height <= box.y + box.height else { return }
    let frame = Shape.Frame(
      x: Double(left),
      y: Double(top),
      width: Double(extent.width),
      height: Double(extent.height)
    )
    fill(.roundedRectangle(frame, radius: min(style.size * 0.3, frame.height / 2, frame.width / 2)), with: background)
    let inner = TextBox(x: left + beside, y: top + above, width: line.extent.width, height: line.extent.height)
    try line.draw(in: inner, of: &self, paint: style.paint)
  }
}
