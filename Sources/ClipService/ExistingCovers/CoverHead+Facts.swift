internal import Covers
internal import DecoderWire
internal import Glibc

extension CoverHead {
  /// The facts of a cover.
  ///
  /// `nil` if it was made by a version that did not store them. Any program can write such a file, so its facts are
  /// subject to the same limits as those from a decoder, and facts that break them are ignored.
  var facts: CoverFacts? {
    guard isCover, let facts = self[.facts].flatMap(CoverFacts.init(text:)), facts.isWithinBounds,
      size == PixelSize(width: facts.width, height: facts.height)
    else { return nil }
    return facts
  }

  /// Whether the facts may contain a reason why the cover is degraded.
  ///
  /// This takes a hundredth of the time of parsing them, which matters for a batch whose covers are nearly all fresh.
  var mayBeDegraded: Bool {
    self[.facts].map { strstr($0, #""degradation":"#) != nil } ?? false
  }
}
