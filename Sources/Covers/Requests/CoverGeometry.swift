/// Size computations for covers: from the stored frame to upright, square pixels within the limit.
package enum CoverGeometry {
  /// A picture is cropped to fill a place if at least this share of its shape remains; otherwise it is shown whole.
  package static let leastShown = 0.6
  /// Like ``leastShown``, if the picture is upright and the place is wide, or the other way round.
  package static let leastShownIfTurned = 0.75

  /// The scaled size of a picture that fills a box, and the position of the visible part.
  package struct Filling: Hashable, Sendable {
    /// The size of the whole scaled picture; one side equals that of the box, the other is at least as long.
    package let scaled: PixelSize
    /// The number of pixels cropped at the left.
    package let left: Int
    /// The number of pixels cropped at the top.
    package let top: Int
  }

  /// Returns how a picture of the given size fills a box.
  ///
  /// Scaled sides are rounded to the nearest pixel, as `ffmpeg -vf scale=W:H:force_original_aspect_ratio=increase` does.
  /// If an odd number of pixels is cropped, the extra pixel is removed at the right or the bottom.
  package static func filling(_ box: SizeLimit, with size: PixelSize) -> Filling {
    func rounded(_ side: Int, _ numerator: Int, _ denominator: Int) -> Int {
      (2 * side * numerator + denominator) / (2 * denominator)
    }
    let scaled = PixelSize(
      width: max(box.width, rounded(box.height, size.width, size.height)),
      height: max(box.height, rounded(box.width, size.height, size.width))
    )
    return Filling(scaled: scaled, left: (scaled.width - box.width) / 2, top: (scaled.height - box.height) / 2)
  }

  /// Returns the full size of a cover.
  ///
  /// A quarter turn swaps the sides and inverts the sample aspect ratio. The width is then stretched until pixels are
  /// square, while the height stays the same, as `ffmpeg -vf 'scale=round(iw*sar):ih'` does after its automatic rotation.
  /// No side exceeds ``SizeLimit/largestSide``.
  package static func uprightSize(
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
      // At most 2³¹ × 2³¹, because sides and the terms of a ratio are 32-bit numbers in every container. Above 2⁴⁷ the
      // fitted height is 1 whatever the width, and the products in `SizeLimit` would overflow.
      let width = (size.width * aspect.numerator + aspect.denominator / 2) / aspect.denominator
      size.width = min(1 << 47, max(1, width))
    }
    return SizeLimit.none.fitting(size)
  }
}
