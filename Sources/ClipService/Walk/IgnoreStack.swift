internal import Covers
internal import Files
internal import SystemPackage

/// The rules that apply in a folder: the exclusions of the run, and the ``IgnoreFile`` of each folder
/// from the named one down.
struct IgnoreStack {
  private struct Level {
    /// The name of the folder; empty for the named one.
    let name: ArraySlice<UInt8>
    let rules: IgnoreRules?
  }

  /// What the rules mean for a file or folder.
  enum Verdict {
    case taken, ignored
    /// No rule is about it, and it is skipped by default.
    case excludedByDefault
  }

  private let exclusions: IgnoreRules?
  private let appliesDefaults: Bool
  private var levels: [Level] = []

  init(_ options: WalkOptions) {
    exclusions = options.exclusions.isEmpty ? nil : IgnoreRules(patterns: options.exclusions.map(\.bytes))
    appliesDefaults = options.appliesDefaultExclusions
  }

  /// Enters a folder.
  ///
  /// - Throws: `CoverFailure` if its list of ignored files cannot be read; the folder is not entered.
  mutating func enter(_ folder: FilePath, name: [UInt8]) throws(CoverFailure) {
    levels.append(Level(name: name[...], rules: try IgnoreFile.rules(in: folder)))
  }

  /// Leaves the folder that was entered last.
  mutating func leave() { levels.removeLast() }

  /// Decides on a file or folder in the current folder.
  ///
  /// - Parameter folder: The path of the current folder.
  func verdict(on name: ArraySlice<UInt8>, isFolder: Bool, in folder: FilePath) -> Verdict {
    if let isIgnored = ignores(name, isFolder: isFolder) { return isIgnored ? .ignored : .taken }
    guard appliesDefaults, DefaultExclusions.exclude(name, isFolder: isFolder, in: folder) else { return .taken }
    return .excludedByDefault
  }

  /// Returns whether a file or folder in the current folder is ignored; `nil` if no rule is about it.
  private func ignores(_ name: ArraySlice<UInt8>, isFolder: Bool) -> Bool? {
    guard exclusions != nil || levels.contains(where: { $0.rules != nil }) else { return nil }
    let path = levels.dropFirst().map(\.name) + [name]
    if let isIgnored = exclusions?.ignores(path[...], isFolder: isFolder) { return isIgnored }
    // Inner folders take precedence.
    for (depth, level) in levels.enumerated().reversed() {
      if let isIgnored = level.rules?.ignores(path[depth...], isFolder: isFolder) { return isIgnored }
    }
    return nil
  }
}
