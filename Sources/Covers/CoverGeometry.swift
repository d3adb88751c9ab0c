/// The sizes of a cover: from the stored frame to square pixels, upright, within the limit.
public enum CoverGeometry {
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
