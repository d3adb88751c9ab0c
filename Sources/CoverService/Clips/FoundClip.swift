package import Covers
package import SystemPackage

/// A file that a batch is to make the cover of.
package struct FoundClip: Sendable {
  /// What is opened.
  package var path: FilePath
  /// Its path below the folder that was named, by which its cover is placed below another folder and its shard chosen.
  package var relativePath: FilePath
  /// Whether somebody named it or its ending says that it is a clip; otherwise what is in it decides.
  package var isCertain: Bool
  /// Whether a symbolic link in its place is followed.
  package var followsLinks: Bool
  /// How many components at the end of its path nobody named: they were found by a walk, or only its own name counts.
  package var foundComponents = 1
}

/// What a batch comes upon, one after another.
package enum Finding: Sendable {
  case clip(FoundClip)
  /// Something that cannot be looked into.
  case problem(FilePath, CoverFailure)
}
