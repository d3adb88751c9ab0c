import BoardSupport
import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Paths in a board's file")
struct BoardPathTests {
  @Test(
    "A path inside the board's folder is relative, any other absolute",
    arguments: [
      ("/boards/a/clip.mp4", "clip.mp4"), ("/boards/a/b/clip.mp4", "b/clip.mp4"),
      ("/boards/a/./b/../clip.mp4", "clip.mp4"),
      ("/boards/clip.mp4", "/boards/clip.mp4"), ("/boards/ab/clip.mp4", "/boards/ab/clip.mp4"),
      ("/clip.mp4", "/clip.mp4"),
      ("/boards/a/../clip.mp4", "/boards/clip.mp4"), ("/boards/a/..clip.mp4", "..clip.mp4"),
    ]
  )
  func text(path: String, expected: String) {
    #expect(BoardPath.text(for: FilePath(path), in: "/boards/a") == expected)
    #expect(BoardPath.text(for: FilePath(path), in: "/boards/b/../a/") == expected)
  }

  @Test(
    "A relative text is a path in the board's folder, an absolute one is itself",
    arguments: [("clip.mp4", "/boards/a/clip.mp4"), ("b/clip.mp4", "/boards/a/b/clip.mp4"), ("/clip.mp4", "/clip.mp4")]
  )
  func path(text: String, expected: String) {
    #expect(BoardPath.path(of: text, in: "/boards/a") == FilePath(expected))
  }

  @Test("A relative path starts at the current folder")
  func relativePath() {
    let current = FilePath.currentFolder
    #expect(BoardPath.text(for: "b/clip.mp4", in: current) == "b/clip.mp4")
    #expect(BoardPath.text(for: "clip.mp4", in: "/boards") == current.appending("clip.mp4").string)
    #expect(BoardPath.text(for: current.appending("clip.mp4"), in: "") == "clip.mp4")
  }

  @Test("A path without '..' keeps the links it leads through")
  func keptLinks() throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("real"))
    try scratch.write([], as: "real/clip.mp4")
    #expect(symlink("real", scratch("link").string) == 0)
    #expect(BoardPath.text(for: scratch("link/clip.mp4"), in: scratch("board")) == scratch("link/clip.mp4").string)
  }

  @Test("A name that is not UTF-8 keeps its bytes")
  func bytes() {
    let name = FilePath(platformString: [0x63, -1, -128, 0x21, 0])
    let text = BoardPath.text(for: FilePath("/boards/a").pushing(name), in: "/boards/a")
    #expect(BoardPath.path(of: text, in: "/boards/a") == FilePath("/boards/a").pushing(name))
  }

  @Test(
    "Whatever links a path leads through, the path of its text is the same file",
    arguments: [
      "clip.mp4", "folder/clip.mp4", "link/clip.mp4", "link/../clip.mp4", "link/../elsewhere/clip.mp4",
      "folder/../clip.mp4",
      "up/board/clip.mp4", "up/elsewhere/../board/link/clip.mp4", "clip-link.mp4",
    ]
  )
  func links(path: String) throws {
    let scratch = try ScratchFolder()
    for folder in ["board", "board/folder", "elsewhere", "elsewhere/elsewhere"] {
      try FilePath.makeFolder(scratch(folder))
    }
    for file in ["board/clip.mp4", "board/folder/clip.mp4", "elsewhere/clip.mp4", "elsewhere/elsewhere/clip.mp4"] {
      try scratch.write(Array(file.utf8), as: file)
    }
    try scratch.write([], as: "clip.mp4")
    for (link, target) in [("link", "../elsewhere/elsewhere"), ("up", ".."), ("clip-link.mp4", "folder/clip.mp4")] {
      #expect(symlink(target, scratch("board/\(link)").string) == 0)
    }
    let board = scratch("board")
    let named = board.pushing(FilePath(path))
    let identity = try #require(FileIdentity(of: named))
    #expect(FileIdentity(of: BoardPath.path(of: BoardPath.text(for: named, in: board), in: board)) == identity)
  }
}
