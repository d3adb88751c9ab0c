/// The part of a picture that a line of text is drawn in, and how the line is placed there.
package struct TextBox: Hashable, Sendable {
  /// The horizontal position of a line.
  package enum Alignment: Hashable, Sendable {
    /// The left edge for text that begins in a left-to-right script, the right edge for other text.
    case start
    case centre
    /// The edge opposite to ``start``.
    case end
  }

  /// The vertical position of a line.
  package enum VerticalAlignment: Hashable, Sendable {
    case top
    case centre
    case bottom
    /// The baseline is this many pixels below the top of the box.
    case baseline(Int)
  }

  /// The distance of the left edge from the left edge of the picture, in pixels.
  package let x: Int
  /// The distance of the top edge from the top edge of the picture, in pixels.
  package let y: Int
  /// The width, in pixels.
  package let width: Int
  /// The height, in pixels.
  package let height: Int
  /// The horizontal position of the line.
  package let alignment: Alignment
  /// The vertical position of the line.
  package let verticalAlignment: VerticalAlignment
  /// The place where a line that does not fit is shortened.
  package let truncation: Truncation

  /// Creates a box; it may extend beyond the picture, and is empty if its width or height is not positive.
  package init(
    x: Int,
    y: Int,
    width: Int,
    height: Int,
    alignment: Alignment = .start,
    verticalAlignment: VerticalAlignment = .centre,
    truncation: Truncation = .end
  ) {
    (self.x, self.y, self.width, self.height) = (x, y, max(0, width), max(0, height))
    (self.alignment, self.verticalAlignment, self.truncation) = (alignment, verticalAlignment, truncation)
  }

  /// Returns the column of a line's left edge and the row of its top edge.
  func origin(of extent: TextExtent) -> (left: Int, top: Int) {
    let slack = width - extent.width
    let isAtRight = (alignment == .end) != extent.isRightToLeft
    let left =
      switch alignment {
      case .centre: x + slack / 2
      case .start, .end: isAtRight ? x + slack : x
      }
    let top =
      switch verticalAlignment {
      case .top: y
      case .centre: y + (height - extent.height) / 2
      case .bottom: y + height - extent.height
      case .baseline(let distance): y + distance - extent.baseline
      }
    return (left, top)
  }
}

/// The place where a line that does not fit is shortened.
package enum Truncation: Hashable, Sendable {
  /// In the middle, so that the extension of a file name stays visible.
  case middle
  case end
}

/// The size of a line of text, in pixels.
package struct TextExtent: Hashable, Sendable {
  /// The width; nothing is drawn outside it.
  package let width: Int
  /// The height from the ascent to the descent of the fonts.
  package let height: Int
  /// The distance of the baseline from the top.
  package let baseline: Int
  /// Whether the text begins in a right-to-left script.
  package let isRightToLeft: Bool
  /// Whether the text was shortened.
  package let isShortened: Bool

  /// Returns the extent with space around it.
  func padded(beside: Int, above: Int) -> TextExtent {
    TextExtent(
      width: width + 2 * beside,
      height: height + 2 * above,
      baseline: baseline + above,
      isRightToLeft: isRightToLeft,
      isShortened: isShortened
    )
  }
}
