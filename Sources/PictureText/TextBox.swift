/// The part of a picture that a line of text is drawn in, and how the line is placed there.
public struct TextBox: Hashable, Sendable {
  /// The horizontal position of a line.
  public enum Alignment: Hashable, Sendable {
    /// The left edge for text that begins in a left-to-right script, the right edge for other text.
    case start
    case centre
    /// The edge opposite to ``start``.
    case end
  }

  /// The vertical position of a line.
  public enum VerticalAlignment: Hashable, Sendable {
    case top
    case centre
    case bottom
    /// The baseline is this many pixels below the top of the box.
    case baseline(Int)
  }

  /// The distance of the left edge from the left edge of the picture, in pixels.
  public let x: Int
  /// The distance of the top edge from the top edge of the picture, in pixels.
  public let y: Int
  /// The width, in pixels.
  public let width: Int
  /// The height, in pixels.
  public let height: Int
  /// The horizontal position of the line.
  public let alignment: Alignment
  /// The vertical position of the line.
  public let verticalAlignment: VerticalAlignment
  /// The place where a line that does not fit is shortened.
  public let truncation: Truncation

  /// Creates a box; it may extend beyond the picture, and is empty if its width or height is not positive.
  public init(
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
public enum Truncation: Hashable, Sendable {
  /// In the middle, so that the extension of a file name stays visible.
  case middle
  case end
}

/// The size of a line of text, in pixels.
public struct TextExtent: Hashable, Sendable {
  /// The width; nothing is drawn outside it.
  public let width: Int
  /// The height from the ascent to the descent of the fonts.
  public let height: Int
  /// The distance of the baseline from the top.
  public let baseline: Int
  /// Whether the text begins in a right-to-left script.
  public let isRightToLeft: Bool
  /// Whether the text was shortened.
  public let isShortened: Bool

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
