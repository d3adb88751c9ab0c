internal import CText
internal import Pictures

/// A line of text that is laid out.
struct Line: ~Copyable {
  private let handle: OpaquePointer
  /// The size of the line.
  let extent: TextExtent

  /// Lays out a text; see ``Fonts/measure(_:style:maximumWidth:truncation:)``.
  init(
    _ text: String,
    _ style: TextStyle,
    maximumWidth: Int?,
    _ truncation: Truncation,
    fonts: borrowing Fonts
  ) throws(TextError) {
    let layout = ctext_layout(
      size: style.size,
      is_bold: style.weight == .bold ? 1 : 0,
      has_tabular_digits: style.hasTabularDigits ? 1 : 0,
      max_width: maximumWidth.map { Int32(min(max(0, $0), Int(CTEXT_MAX_WIDTH))) } ?? -1,
      ellipsis: truncation == .middle ? CTEXT_ELLIPSIS_MIDDLE : CTEXT_ELLIPSIS_END
    )
    handle = try fonts.line(LineText.of(text, truncation), layout)
    let extent = ctext_line_extent(handle)
    self.extent = TextExtent(
      width: Int(extent.width),
      height: Int(extent.height),
      baseline: Int(extent.baseline),
      isRightToLeft: extent.is_right_to_left != 0,
      isShortened: extent.is_shortened != 0
    )
  }

  deinit {
    ctext_line_free(handle)
  }

  /// Draws the line, within the box and the picture.
  borrowing func draw(in box: TextBox, of picture: inout Picture, paint: Paint) throws(TextError) {
    let (left, top) = box.origin(of: extent)
    let (width, height) = (picture.width, picture.height)
    let (channels, rowBytes) = (picture.layout.channels, picture.rowBytes)
    var error = ctext_error()
    let failed = picture.withMutableBytes { bytes in
      guard let pixels = bytes.bindMemory(to: UInt8.self).baseAddress else { return Int32(0) }
      var target = ctext_target(
        pixels: pixels,
        width: Int32(width),
        height: Int32(height),
        channels: Int32(channels),
        row_bytes: rowBytes,
        clip: box.clip
      )
      return ctext_line_draw(handle, &target, Int32(clamping: left), Int32(clamping: top), paint.colour, &error)
    }
    guard failed == 0 else { throw TextError(error) }
  }
}

extension TextBox {
  fileprivate var clip: ctext_box {
    ctext_box(
      x: Int32(clamping: x),
      y: Int32(clamping: y),
      width: Int32(clamping: width),
      height: Int32(clamping: height)
    )
  }
}

extension Paint {
  fileprivate var colour: ctext_paint {
    let opacity = UInt8((min(1, max(0, opacity)) * 255).rounded())
    return ctext_paint(red: red, green: green, blue: blue, opacity: opacity)
  }
}
