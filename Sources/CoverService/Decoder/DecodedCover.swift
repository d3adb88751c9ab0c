internal import Covers
internal import Files

/// A cover that is decoded, sealed and checked, and not in its place yet.
struct DecodedCover: Sendable {
  /// The clip that it was made of.
  let clip: ClipVersion
  let facts: CoverFacts
  /// The picture; nobody can change it any more.
  let picture: MemoryFile
}
