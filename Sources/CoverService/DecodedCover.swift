internal import Covers
internal import Files
internal import Synchronization
internal import SystemPackage

/// A cover that is decoded and checked, in a file that is not in its place yet.
///
/// The file goes with it when nobody takes it.
final class DecodedCover: Sendable {
  /// Where it is to go.
  let path: FilePath
  /// The clip that it was made of.
  let clip: ClipVersion
  let facts: CoverFacts
  private let file: Mutex<ReplacementFile?>

  init(_ file: consuming sending ReplacementFile, for path: FilePath, of clip: ClipVersion, facts: CoverFacts) {
    (self.path, self.clip, self.facts) = (path, clip, facts)
    self.file = Mutex(file)
  }

  /// The file, the first time.
  func takeFile() -> sending ReplacementFile? { file.withLock { $0.take() } }
}
