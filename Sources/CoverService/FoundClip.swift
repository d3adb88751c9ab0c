internal import Covers
internal import SystemPackage

/// A file that a batch is to make the cover of.
struct FoundClip: Sendable {
  /// What is opened.
  var path: FilePath
  /// Its path below the folder that was named, by which its cover is placed below another folder and its shard chosen.
  var relativePath: FilePath
  /// Whether somebody named it or its ending says that it is a clip; otherwise what is in it decides.
  var isCertain: Bool
  /// Whether a symbolic link in its place is followed.
  var followsLinks: Bool
}

/// What a batch comes upon, one after another.
enum Finding: Sendable {
  case clip(FoundClip)
  /// Something that cannot be looked into.
  case problem(FilePath, CoverFailure)
}
