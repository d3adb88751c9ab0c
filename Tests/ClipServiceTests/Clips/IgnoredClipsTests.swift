import Covers
import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import ClipService

@Suite("Clips that are passed over")
struct IgnoredClipsTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    for folder in ["c", "c/raw", "c/raw/old", "c/trash", "c/trash/deep"] { try FilePath.makeFolder(scratch(folder)) }
    for clip in [
      "c/a.mp4", "c/b.mkv", "c/raw/a.mp4", "c/raw/old/a.mp4", "c/raw/old/b.mkv", "c/trash/a.mp4", "c/trash/deep/a.mp4",
    ] {
      try scratch.write([0], as: clip)
    }
  }

  private func ignore(_ lines: String, in folder: String) throws {
    try scratch.write(lines.utf8, as: folder + "/.clipcanvasignore")
  }

  /// Returns the clips found in a folder, and the problems.
  private func walk(_ folder: String = "c", _ exclusions: [FilePath] = []) -> (clips: [String], problems: [String]) {
    var walk = FolderWalk(of: scratch(folder), relativePath: "", options: WalkOptions(exclusions: exclusions))
    var (clips, problems): ([String], [String]) = ([], [])
    while let finding = walk.next() {
      switch finding {
      case .clip(let clip): clips.append(clip.relativePath.string)
      case .folder: break
      case .problem(let path, let failure): problems.append("\(path.lastComponent?.string ?? ""): \(failure.message)")
      }
    }
    return (clips, problems)
  }

  @Test("A list applies to its folder and all below it, and inner lists take precedence")
  func precedence() throws {
    try ignore("*.mp4\ntrash/\n", in: "c")
    try ignore("!a.mp4\n/old/b.mkv\n", in: "c/raw")
    #expect(walk().clips == ["b.mkv", "raw/a.mp4", "raw/old/a.mp4"])
    #expect(walk().problems == [])
    // A walk that starts below does not look above.
    #expect(walk("c/trash").clips == ["a.mp4", "deep/a.mp4"])
  }

  @Test("What is in an ignored folder cannot be taken back, as with git")
  func ignoredFolder() throws {
    try ignore("trash\n!trash/a.mp4\n", in: "c")
    try ignore("!*\n", in: "c/trash")
    #expect(walk().clips.contains { $0.hasPrefix("trash") } == false)
  }

  @Test("Patterns of --exclude come before all lists, and are relative to the folder that was named")
  func exclusions() throws {
    try ignore("!*.mkv\nraw/\n", in: "c")
    #expect(
      walk("c", ["*.mkv", "/trash/deep", "!raw"]).clips == ["a.mp4", "raw/a.mp4", "raw/old/a.mp4", "trash/a.mp4"]
    )
  }

  @Test("A folder whose list cannot be read is skipped and reported")
  func unreadable() throws {
    try FilePath.makeFolder(scratch("c/trash/.clipcanvasignore"))
    try scratch.write("*\n".utf8, as: "elsewhere")
    try scratch("c/raw/.clipcanvasignore").withPlatformString { link in
      try #require(symlink("../../elsewhere", link) == 0)
    }
    let found = walk()
    #expect(found.clips == ["a.mp4", "b.mkv"])
    #expect(
      found.problems == [
        ".clipcanvasignore: the list of ignored files is a symbolic link, which is not followed, so the folder is skipped",
        ".clipcanvasignore: the list of ignored files is not a regular file, so the folder is skipped",
      ]
    )
  }

  @Test("A list of more than a megabyte is not read")
  func tooLarge() throws {
    try scratch.write(Array(repeating: UInt8(ascii: "#"), count: (1 << 20) + 1), as: "c/raw/.clipcanvasignore")
    #expect(walk().problems.first?.hasSuffix("is larger than 1048576 bytes, so the folder is skipped") == true)
    #expect(!walk().clips.contains { $0.hasPrefix("raw") })
  }

  @Test("A pattern takes time in proportion to the path, however many stars it has")
  func manyStars() throws {
    let pattern = try #require(GlobPattern(Array((String(repeating: "*a", count: 200) + "b").utf8)))
    #expect(!pattern.matches([Array(repeating: UInt8(ascii: "a"), count: 4000)[...]]))
  }

  @Test("A list with a line of more than 4 KiB is not read, and the line is named")
  func longLine() throws {
    let line = String(repeating: "a", count: 4096)
    try ignore("*.mkv\n\(line)\n", in: "c")
    #expect(walk().problems == [] && !walk().clips.contains { $0.hasSuffix(".mkv") })
    try ignore("*.mkv\n\n\(line)a", in: "c")
    #expect(
      walk().problems == [
        ".clipcanvasignore: the list of ignored files has more than 4096 bytes in line 3, so the folder is skipped"
      ]
    )
    #expect(walk().clips == [])
  }

  /// Lines of 4 KiB whose wildcards leave as much open as possible.
  private static let lines = [
    "**/", "**/a/", "*a", "*?", "?*", "a*/", "*/", "**/*", "[a-b]*", "*a*b", "**/?", "a/**/", "?", "a", "\\a*",
    "*[!b]/",
  ]

  // A time that grew with the square of a line's length would be hours in a debug build.
  @Test(
    "Many long patterns are matched in a moment, whatever they are",
    .enabled(if: Scope.isFull),
    .timeLimit(.minutes(10)),
    arguments: lines
  )
  func manyPatterns(_ part: String) throws {
    let line = String(repeating: part, count: 4095 / part.utf8.count) + "b"
    let rules = IgnoreRules(Array(Array(repeating: line, count: 8).joined(separator: "\n").utf8))
    for path in [String(repeating: "a", count: 255), Array(repeating: "a", count: 128).joined(separator: "/")] {
      func names(_ path: String) -> [ArraySlice<UInt8>] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0)[...] }
      }
      _ = rules.ignores(names(path)[...], isFolder: false)
      #expect(rules.ignores(names(path + "c")[...], isFolder: false) != true)
    }
  }
}
