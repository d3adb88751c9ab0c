internal import Covers
internal import Files

/// A cover that is decoded, sealed and checked, but not yet in place.
struct DecodedCover: Sendable {
  /// The version of the clip it was made from.
  let clip: ClipVersion
  let facts: CoverFacts
  /// The sealed picture, which can no longer be changed.
  let picture: MemoryFile
}
