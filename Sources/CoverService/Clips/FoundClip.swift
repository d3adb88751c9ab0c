package import Covers
package import SystemPackage

/// A file whose cover a batch should make.
package struct FoundClip: Sendable {
  /// The path to open.
  package var path: FilePath
  /// The path relative to the named folder, which determines where the cover is placed below another folder and which
  /// shard the clip belongs to.
  package var relativePath: FilePath
  /// Whether the user named the file or its extension is that of a clip; otherwise its content decides.
  package var isCertain: Bool
  /// Whether the path may be a symbolic link.
  package var followsLinks: Bool
  /// The number of components at the end of the path that the user did not name: those found by a walk, or only the
  /// file name.
  package var foundComponents = 1
}

extension FoundClip {
  /// Creates a clip that the user named.
  init(named path: FilePath, relativePath: FilePath) {
    self.init(path: path, relativePath: relativePath, isCertain: true, followsLinks: true)
  }
}

/// An item found by a batch.
package enum Finding: Sendable {
  case clip(FoundClip)
  /// A folder that cannot be read.
  case problem(FilePath, CoverFailure)
}
