/// The sizes of a cover: from the stored frame to square pixels, upright, within the limit.
public enum CoverGeometry {
  /// A picture scaled, and what of it is shown.
  public struct Filling: Hashable, Sendable {
    /// Of the whole picture; one side is that of the box, the other at least that.
    public let scaled: PixelSize
    /// Pixels that are cut off at the left.
    public let left: Int
    /// Pixels that are cut off at the top.
    public let top: Int
  }

  /// How a picture of a size fills a box.
  ///
  /// Scaled sides are rounded to the nearest pixel, as `ffmpeg -vf scale=W:H:force_original_aspect_ratio=increase` does.
  /// Of an odd rest more is cut off at the right and at the bottom.
  public static func filling(_ box: SizeLimit, with size: PixelSize) -> Filling {
    func rounded(_ side: Int, _ numerator: Int, _ denominator: Int) -> Int {
      (2 * side * numerator + denominator) / (2 * denominator)
    }
    let scaled = PixelSize(
      width: max(box.width, rounded(box.height, size.width, size.height)),
      height: max(box.height, rounded(box.width, size.height, size.width))
    )
    return Filling(scaled: scaled, left: (scaled.width - box.width) / 2, top: (scaled.height - box.height) / 2)
  }

  /// The full size of a cover.
  ///
  /// A quarter turn swaps the sides and inverts the aspect ratio of a sample; then the width is stretched until pixels
  /// are square and the height stays, as `ffmpeg -vf scale=iw*sar:ih` does after its automatic rotation. A fraction of
  /// a pixel is dropped, as there. No side exceeds ``SizeLimit/largestSide``.
  public static func uprightSize(
    stored: PixelSize,
    sampleAspectRatio: Rational?,
    orientation: Orientation
  ) -> PixelSize {
    var size = stored
    var aspect = sampleAspectRatio
    if orientation.transposes {
      size = PixelSize(width: stored.height, height: stored.width)
      aspect = sampleAspectRatio.flatMap { Rational($0.denominator, over: $0.numerator) }
    }
    if let aspect {
      // At most 2³¹ × 2³¹: a side and the parts of a ratio are 32-bit numbers in every container. Above 2⁴⁷ the height
      // that fits is 1 whatever the width, and the limit's products would overflow.
      size.width = min(1 << 47, max(1, size.width * aspect.numerator / aspect.denominator))
    }
    return SizeLimit.none.fitting(size)
  }
}
