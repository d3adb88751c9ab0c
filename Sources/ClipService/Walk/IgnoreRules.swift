/// The lines of a `.clipcanvasignore` file, with the rules of gitignore(5), or patterns given with `--exclude`.
struct IgnoreRules: Sendable {
  private struct Rule {
    let pattern: GlobPattern
    /// Whether the pattern is for paths from the folder of the file, rather than for names at any depth.
    let isAnchored: Bool
    let isOnlyForFolders: Bool
    /// Whether files that match are not ignored, even if they match an earlier line.
    let isNegated: Bool
  }

  private let rules: [Rule]

  /// Creates rules from the content of a file; lines that can match nothing are skipped.
  init(_ content: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = content.starts(with: mark) ? content.dropFirst(mark.count) : content[...]
    rules = content.split(separator: UInt8(ascii: "\n")).compactMap { line in
      Self.rule(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }

  /// Creates rules from patterns, one for each line.
  init(patterns: [[UInt8]]) {
    rules = patterns.compactMap { Self.rule($0[...]) }
  }

  private static func rule(_ line: ArraySlice<UInt8>) -> Rule? {
    var line = withoutTrailingSpaces(line)
    guard line.first != UInt8(ascii: "#") else { return nil }
    let isNegated = line.first == UInt8(ascii: "!")
    if isNegated { line = line.dropFirst() }
    let slash = UInt8(ascii: "/")
    let isOnlyForFolders = line.last == slash
    if isOnlyForFolders { line = line.dropLast() }
    let isAnchored = line.contains(slash)
    if line.first == slash { line = line.dropFirst() }
    guard !line.isEmpty, let pattern = GlobPattern(line) else { return nil }
    return Rule(
      pattern: pattern,
      isAnchored: isAnchored,
      isOnlyForFolders: isOnlyForFolders,
      isNegated: isNegated
    )
  }

  /// Removes the spaces at the end of a line, except one after a backslash.
  private static func withoutTrailingSpaces(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = line.startIndex
    var position = line.startIndex
    while position < line.endIndex {
      let isEscape = line[position] == UInt8(ascii: "\\")
      let next = min(position + (isEscape ? 2 : 1), line.endIndex)
      if line[position] != UInt8(ascii: " ") { end = next }
      position = next
    }
    return line[..<end]
  }

  /// Returns whether a file or folder is ignored; `nil` if no line is about it.
  ///
  /// - Parameters:
  ///   - path: The names in the path from the folder that the rules belong to.
  ///   - isFolder: Whether it is a folder.
  func ignores(_ path: ArraySlice<ArraySlice<UInt8>>, isFolder: Bool) -> Bool? {
    let rule = rules.last { rule in
      (isFolder || !rule.isOnlyForFolders) && rule.pattern.matches(rule.isAnchored ? path : path.suffix(1))
    }
    return rule.map { !$0.isNegated }
  }

  /// Returns whether a file is passed over, because it or one of the folders above it is ignored.
  ///
  /// - Parameter path: The path from the folder that the rules belong to.
  func passOver(_ path: [UInt8]) -> Bool {
    let names = path.split(separator: UInt8(ascii: "/"))
    return names.indices.contains { ignores(names[...$0], isFolder: $0 < names.count - 1) == true }
  }
}
