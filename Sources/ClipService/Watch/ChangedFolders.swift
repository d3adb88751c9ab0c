internal import Files
internal import SystemPackage

/// The folders of a watch that have fewer clips than before.
struct ChangedFolders {
  /// The folders, and whether each of them was itself removed or moved away.
  private var folders: [FilePath: Bool] = [:]

  var isEmpty: Bool { folders.isEmpty }

  /// The folders, in the byte order of their paths.
  var inOrder: [FilePath] { folders.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }

  /// Whether a folder was removed or moved away, although another one may be in its place by now.
  func isGone(_ folder: FilePath) -> Bool { folders[folder] == true }

  /// Adds a folder that lost a clip, by removal or by renaming.
  mutating func add(_ folder: FilePath) { folders[folder] = folders[folder] ?? false }

  /// Adds a folder that was removed or moved away.
  mutating func add(gone folder: FilePath) { folders[folder] = true }
}
