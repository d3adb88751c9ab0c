internal import Covers
internal import Files
internal import SystemPackage

/// The rules that apply in a folder: the exclusions of the run, and the ``IgnoreFile`` of each folder from the named one down.
struct IgnoreStack {
  private struct Level {
    /// The name of the folder; empty for the named one.
    let name: [UInt8]
    let rules: IgnoreRules?
  }

  private let exclusions: IgnoreRules?
  private var levels: [Level] = []

  init(exclusions: [FilePath]) {
    self.exclusions = exclusions.isEmpty ? nil : IgnoreRules(patterns: exclusions.map(\.bytes))
  }

  /// Enters a folder.
  ///
  /// - Throws: `CoverFailure` if its list of ignored files cannot be read; the folder is not entered.
  mutating func enter(_ folder: FilePath, name: [UInt8]) throws(CoverFailure) {
    levels.append(Level(name: name, rules: try IgnoreFile.rules(in: folder)))
  }

  /// Leaves the folder that was entered last.
  mutating func leave() { levels.removeLast() }

  /// Whether a file or folder in the current folder is passed over.
  func ignores(_ name: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
    guard exclusions != nil || levels.contains(where: { $0.rules != nil }) else { return false }
    let slash = [UInt8(ascii: "/")]
    if let exclusions {
      let folders = levels.dropFirst().flatMap { $0.name + slash }
      if let isIgnored = exclusions.ignores(folders + name, isFolder: isFolder) { return isIgnored }
    }
    var path = Array(name)
    // Inner folders take precedence.
    for level in levels.reversed() {
      if let isIgnored = level.rules?.ignores(path, isFolder: isFolder) { return isIgnored }
      path = level.name + slash + path
    }
    return false
  }
}
