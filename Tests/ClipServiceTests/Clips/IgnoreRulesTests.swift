import Files
import SystemPackage
import TestSupport
import Testing

@testable import ClipService

/// Rules for files to pass over, compared with git.
@Suite("Ignored files")
struct IgnoreRulesTests {
  private static let names = ["a", "b", "ab", "a.mp4", "b.mp4", "a b", "[a]", "!a", "#a"]

  /// Creates files and folders to a depth of three, and returns their paths; those of folders end in `/`.
  private func makeTree(in scratch: ScratchFolder) throws -> [String] {
    var paths: [String] = []
    func fill(_ folder: String, depth: Int) throws {
      for (number, name) in Self.names.enumerated() {
        let path = folder + name
        if depth < 3, number % 3 == depth % 3 {
          try FilePath.makeFolder(scratch(path))
          paths.append(path + "/")
          try fill(path + "/", depth: depth + 1)
        } else {
          try scratch.write([], as: path)
          paths.append(path)
        }
      }
    }
    try fill("", depth: 1)
    return paths
  }

  /// Returns a random line of a list of ignored files.
  ///
  /// Contrary to its documentation, git takes the asterisks of `b**/a` for those of `**/a`, because it compares the
  /// literal start of a pattern first. Such lines are left out, and so are slashes after a backslash.
  private func line(_ numbers: inout SeededNumbers) -> String {
    let parts = [
      "a", "b", "ab", ".mp4", "*", "**", "?", "/", "[a-b]", "[!a]", "[[:alpha:]]", "\\", "!", "#", " ", "\\ ", "[", "]",
      "**/", "/**", "a/", "*.mp4",
    ]
    while true {
      let count = Int.random(in: 1...4, using: &numbers)
      let line = (0..<count).map { _ in parts[Int.random(in: parts.indices, using: &numbers)] }.joined()
      if line.firstMatch(of: /[^\/*]\*\*+\/|\\\//) == nil { return line }
    }
  }

  /// Returns whether a path is passed over by a walk, which does not enter folders that are.
  private func isPassedOver(_ path: String, by rules: IgnoreRules) -> Bool {
    let names = path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0)[...] }
    return names.indices.contains { index in
      rules.ignores(names[...index], isFolder: index < names.count - 1 || path.hasSuffix("/")) ?? false
    }
  }

  @Test("Random lists ignore what git ignores", .enabled(if: Scope.isFull))
  func git() async throws {
    let scratch = try ScratchFolder()
    let paths = try makeTree(in: scratch)
    let folder = scratch.path.string
    try #require(try await Program.runTool("git", ["init", "-q", folder]).exitStatus == 0)
    var numbers = SeededNumbers(seed: 7)
    let list = paths.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.joined(separator: "\0") + "\0"
    try scratch.write(list.utf8, as: ".list")
    for _ in 0..<LongForm.count(short: 150, long: 5000, variable: "CLIPCANVAS_IGNORE_LISTS") {
      let lines = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in line(&numbers) }
      let content = lines.joined(separator: "\n")
      try scratch.write(content.utf8, as: ".gitignore")
      let result = try await Program.runTool(
        "sh",
        ["-c", "cd '\(folder)' && git check-ignore --no-index -z --stdin < .list"]
      )
      let ignored = Set(result.text.split(separator: "\0").map(String.init))
      let rules = IgnoreRules(Array(content.utf8))
      for path in paths {
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        #expect(isPassedOver(path, by: rules) == ignored.contains(name), "\(path) with \(lines)")
      }
    }
  }
}
