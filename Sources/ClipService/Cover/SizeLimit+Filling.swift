internal import Covers

extension SizeLimit {
  /// Returns the display size of a picture in this box: that of the box if it can be filled without cropping too
  /// much of the picture, otherwise the largest size of the same shape as the picture, even if it is enlarged.
  ///
  /// Too much is a quarter if one is upright and the other is wide, otherwise two fifths.
  func mostlyFilled(with size: PixelSize) -> SizeLimit {
    let (own, other) = (Double(width) / Double(height), Double(size.width) / Double(size.height))
    let isTurned = (own - 1) * (other - 1) < 0
    let shown = min(own, other) / max(own, other)
    guard shown < (isTurned ? CoverGeometry.leastShownIfTurned : CoverGeometry.leastShown) else { return self }
    func side(_ length: Double) -> Int { max(1, Int(length.rounded())) }
    return other > own
      ? SizeLimit(width: width, height: side(Double(width) / other)) ?? self
      : SizeLimit(width: side(Double(height) * other), height: height) ?? self
  }
}
