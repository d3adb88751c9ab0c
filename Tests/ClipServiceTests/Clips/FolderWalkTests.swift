import ClipService
import Covers
import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Folder walks")
struct FolderWalkTests {
  /// Returns the clips found by a walk and the folders that could not be read.
  private func walk(
    _ folder: FilePath,
    below relativePath: FilePath = "",
    _ options: WalkOptions = WalkOptions()
  ) -> (clips: [FoundClip], problems: [FilePath], passedOver: PassedOver) {
    var walk = FolderWalk(of: folder, relativePath: relativePath, options: options)
    var clips: [FoundClip] = []
    var problems: [FilePath] = []
    // A walk that runs in a circle must fail rather than continue forever.
    while clips.count < 10_000, let finding = walk.next() {
      switch finding {
      case .clip(let clip): clips.append(clip)
      case .problem(let path, _): problems.append(path)
      case .folder(let path, _): Issue.record("\(path) was not asked for")
      }
    }
    return (clips, problems, walk.passedOver)
  }

  /// Files that are skipped by default, as NAS systems and desktops create them.
  private static let excluded = [
    "@eaDir/a.mp4", "#recycle/a.mp4", "@Recycle/a.mp4", "$RECYCLE.BIN/S-1-5/a.mp4", "@tmp/a.mp4", "#snapshot/x/a.mp4",
    "@Recently-Snapshot/a.mp4", "System Volume Information/a.mp4", "lost+found/a.mp4", "~$a.mp4", "in/@eaDir/a.mp4",
    "in/media/a.mp4", "in/media/more/b.mp4", ".@__thumb/a.mp4", ".Trash-1000/files/a.mp4", "in/.Trashes/501/a.mp4",
    "in/.recycle/a.mp4",
  ]

  @Test("What NAS systems and desktops keep beside clips is skipped and counted, unless it is asked for")
  func defaultExclusions() throws {
    let scratch = try ScratchFolder()
    let clips = ["a.mp4", "eaDir/a.mp4", "in/a.mp4", "recycle/a.mp4", "tmp/a.mp4"]
    let hidden = [".Trash-1000.mp4", ".Trash/a.mp4", ".cache/a.mp4"]
    for path in Self.excluded + clips + hidden {
      try FilePath.makeFolders(scratch(path).removingLastComponent())
      try file(scratch(path))
    }
    try file(scratch("in/media/.nomedia"))
    // A folder of such a name is not a rule for files, nor the other way round.
    try file(scratch("in/lost+found.mp4"))
    let usual = walk(scratch.path)
    #expect(Set(usual.clips.map(\.relativePath)) == Set((clips + ["in/lost+found.mp4"]).map { FilePath($0) }))
    #expect(usual.passedOver.defaultExclusions == 16 && usual.problems.isEmpty)

    let all = walk(scratch.path, WalkOptions(appliesDefaultExclusions: false))
    #expect(all.clips.count == Self.excluded.count + clips.count + 1 && all.passedOver.defaultExclusions == 0)

    let again = walk(scratch.path, WalkOptions(exclusions: ["!@eaDir/", "!media", "!.Trash-*/"]))
    #expect(again.clips.count == usual.clips.count + 5 && again.passedOver.defaultExclusions == 12)

    #expect(walk(scratch("@eaDir")).clips.count == 1 && walk(scratch("in/media")).clips.count == 2)
  }

  @Test("Files with other extensions are counted, except pictures")
  func otherFiles() throws {
    let scratch = try ScratchFolder()
    for name in ["a.mp4", "a.mts", "a.txt", "a.gif", "b", "a.mp4.png", "b.JPG", ".hidden.txt"] {
      try file(scratch(name))
    }
    #expect(walk(scratch.path).passedOver.otherFiles == 3)
    #expect(walk(scratch.path, WalkOptions(takesAllFiles: true)).passedOver.otherFiles == 0)
  }

  private func file(_ path: FilePath) throws { try ScratchFolder.write([0], to: path) }

  @Test("Clips are returned in the byte order of their names, as Python sorts them", .enabled(if: Scope.isFull))
  func order() async throws {
    let scratch = try ScratchFolder()
    var numbers = SeededNumbers(seed: 11)
    var folders = [scratch("c")]
    try FilePath.makeFolder(scratch("c"))
    for number in 0..<400 {
      let parent = folders[Int.random(in: 0..<folders.count, using: &numbers)]
      let name = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
        UInt8.random(in: 1...255, using: &numbers)
      }.filter { $0 != UInt8(ascii: "/") }
      let ending = number % 5 == 0 ? "" : number % 5 == 1 ? ".txt" : ".mp4"
      let path = parent.pushing(
        FilePath(platformString: (name + Array("\(number)\(ending)".utf8) + [0]).map { CChar(bitPattern: $0) })
      )
      if ending.isEmpty {
        try FilePath.makeFolder(path)
        folders.append(path)
      } else {
        try file(path)
      }
    }
    // Names that are prefixes of other names.
    for name in ["n.mp4.mp4", "n.mp4", "n.mp4-.mp4"] { try file(scratch("c/" + name)) }
    let script = """
      import os
      def walk(folder, relative):
        for name in sorted(os.listdir(folder)):
          path = folder + b"/" + name
          if name[:1] == b".": continue
          if os.path.isdir(path): walk(path, relative + name + b"/")
          elif name.endswith(b".mp4"): print((relative + name).hex())
      walk(b"c", b"")
      """
    let python = try await Program.runTool("python3", ["-c", script], in: scratch.path)
    let expected = python.text.split(separator: "\n").map(String.init)
    try #require(expected.count > 200)
    let found = walk(scratch("c")).clips
    #expect(found.map { hex($0.relativePath) } == expected)
    #expect(found.map(\.path) == found.map { scratch("c").pushing($0.relativePath) })
  }

  private func hex(_ path: FilePath) -> String {
    path.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test("Hidden names are skipped, and other extensions too unless all files are considered")
  func hidden() throws {
    let scratch = try ScratchFolder()
    for folder in ["c", "c/.git", "c/in.mp4"] { try FilePath.makeFolder(scratch(folder)) }
    for name in [".a.mp4", ".git/b.mp4", "c.mp4", "d.ts", "e.png", "f", "in.mp4/g.mkv"] {
      try file(scratch("c/" + name))
    }
    let some = walk(scratch("c"), below: "top").clips
    #expect(some.map(\.relativePath) == ["top/c.mp4", "top/d.ts", "top/in.mp4/g.mkv"])
    #expect(some.map(\.isCertain) == [true, false, true])
    let all = walk(scratch("c"), WalkOptions(takesAllFiles: true)).clips
    #expect(all.map(\.relativePath) == ["c.mp4", "d.ts", "e.png", "f", "in.mp4/g.mkv"])
    #expect(all.map(\.isCertain) == [true, false, false, false, true])
  }

  @Test("Links are followed only on request, and never to a parent folder")
  func links() throws {
    let scratch = try ScratchFolder()
    for folder in ["c", "c/in", "other"] { try FilePath.makeFolder(scratch(folder)) }
    for name in ["c/in/a.mp4", "other/b.mp4"] { try file(scratch(name)) }
    for (target, link) in [
      ("..", "c/in/up"), (".", "c/in/self"), ("up", "c/in/twice"), ("../other", "c/one"), ("../other", "c/two"),
      ("nowhere", "c/broken.mp4"), ("loop.mp4", "c/loop.mp4"), ("nowhere", "c/broken"), ("../other/b.mp4", "c/x.mp4"),
    ] {
      try #require(symlink(target, scratch(link).string) == 0)
    }
    let plain = walk(scratch("c"))
    #expect(plain.clips.map(\.relativePath) == ["in/a.mp4"] && plain.passedOver.links == 9)
    #expect(plain.clips.allSatisfy { !$0.followsLinks })
    let followed = walk(scratch("c"), WalkOptions(followsLinks: true))
    #expect(
      followed.clips.map(\.relativePath)
        == ["broken.mp4", "in/a.mp4", "loop.mp4", "one/b.mp4", "two/b.mp4", "x.mp4"]
    )
    #expect(followed.clips.allSatisfy(\.followsLinks) && followed.passedOver.links == 3 && followed.problems.isEmpty)
  }

  @Test("Deeply nested folders are walked", .enabled(if: Scope.isFull))
  func depth() throws {
    let scratch = try ScratchFolder()
    var folder = scratch("c")
    for _ in 0..<500 {
      try FilePath.makeFolder(folder)
      try file(folder.appending("z.mp4"))
      folder = folder.appending("d")
    }
    let clips = walk(scratch("c")).clips
    #expect(clips.count == 500 && clips.first?.relativePath.components.count == 500)
    #expect(clips.last?.relativePath == "z.mp4")
  }

  @Test("A folder that disappears or cannot be read is reported, and the walk continues")
  func unreadable() throws {
    let scratch = try ScratchFolder()
    for folder in ["c", "c/a", "c/b", "c/c", "c/d"] { try FilePath.makeFolder(scratch(folder)) }
    for name in ["c/a/a.mp4", "c/c/c.mp4", "c/d/d.mp4"] { try file(scratch(name)) }
    try #require(chmod(scratch("c/c").string, 0) == 0)
    var walk = FolderWalk(of: scratch("c"), relativePath: "", options: WalkOptions())
    guard case .clip(let first) = walk.next() else { throw Errno.noSuchFileOrDirectory }
    #expect(first.relativePath == "a/a.mp4")
    try #require(rmdir(scratch("c/b").string) == 0)
    guard case .problem(let gone, let failure) = walk.next() else { throw Errno.noSuchFileOrDirectory }
    #expect(gone == scratch("c/b") && failure.cause == .missing && failure.stage == .input)
    #expect(failure.message == "the folder cannot be read: no such file or directory")
    // Root can read every folder.
    switch walk.next() {
    case .problem(let path, let failure):
      #expect(path == scratch("c/c") && failure.cause == .denied && geteuid() != 0)
    case .clip(let clip):
      #expect(clip.relativePath == "c/c.mp4" && geteuid() == 0)
    case .folder, nil: Issue.record("the walk ended early")
    }
    guard case .clip(let last) = walk.next() else { throw Errno.noSuchFileOrDirectory }
    #expect(last.relativePath == "d/d.mp4" && walk.next() == nil)
  }

  @Test("Listing a path that is not a folder throws the system's error")
  func noFolder() throws {
    let scratch = try ScratchFolder()
    try file(scratch("file"))
    #expect(throws: Errno.notDirectory) { try FolderListing(of: scratch("file")) { _ in true } }
    #expect(throws: Errno.noSuchFileOrDirectory) { try FolderListing(of: scratch("missing")) { _ in true } }
    #expect(throws: Errno.fileNameTooLong) {
      try FolderListing(of: scratch(String(repeating: "a", count: 300))) { _ in true }
    }
  }

  @Test("A listing filters only files, and distinguishes folders and links from them")
  func kinds() throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try FilePath.makeFolder(scratch("c/folder"))
    try file(scratch("c/wanted"))
    try file(scratch("c/unwanted"))
    try #require(mkfifo(scratch("c/pipe").string, 0o600) == 0 && symlink("folder", scratch("c/link").string) == 0)
    let listing = try FolderListing(of: scratch("c")) { !$0.starts(with: Array("un".utf8)) }
    let names = (0..<listing.count).map { String(decoding: listing[$0].name, as: UTF8.self) }
    #expect(names == ["folder", "link", "pipe", "wanted"])
    #expect((0..<listing.count).map { listing[$0].kind } == [.folder, .link, .other, .other])
  }
}

extension Finding? {
  fileprivate static func == (finding: Finding?, _: _OptionalNilComparisonType) -> Bool {
    if case .none = finding { true } else { false }
  }
}
