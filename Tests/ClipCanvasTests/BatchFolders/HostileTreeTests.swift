import Glibc
import SystemPackage
import TestSupport
import Testing

/// Runs every command and output option with links, devices, pipes and foreign files in place of the output files.
@Suite("No command touches a file that was not named")
struct HostileTreeTests {
  /// The obstacles that this user can create.
  private static let obstacles = HostileTree.Obstacle.allCases.filter { $0 != .device || HostileTree.canMakeDevices }

  /// A file name that commands derive, the preparation before the obstacle is created, and the commands.
  struct Derived: CustomTestStringConvertible {
    let name: String
    let place: String
    var prepare: [[String]] = []
    var clip = "h264.mp4"
    let commands: [[String]]

    var testDescription: String { name }
  }

  private static let imports = [
    ["board", "new", "--canvases", "2"], ["board", "clip", "import", "--no-cover", "c1", "a.mp4"],
  ]

  private static let derived = [
    Derived(
      name: "a cover beside its clip",
      place: "a.mp4.png",
      commands: [["cover", "a.mp4"], ["batch", "."], ["batch", "a.mp4"]]
    ),
    Derived(
      name: "a cover in a folder",
      place: "out/a.mp4.png",
      commands: [["cover", "-o", "out/", "a.mp4"], ["batch", "-o", "out", "a.mp4"]]
    ),
    Derived(name: "a folder of covers", place: "out/sub", commands: [["batch", "-o", "out", "sub"]]),
    Derived(
      name: "a note of a failure",
      place: ".a.mp4.failed.json",
      clip: "sound-only.m4a",
      commands: [["batch", "."], ["batch", "--retry", "."]]
    ),
    Derived(
      name: "a note in a folder",
      place: "out/.a.mp4.failed.json",
      clip: "sound-only.m4a",
      commands: [["batch", "-o", "out", "a.mp4"]]
    ),
    Derived(
      name: "the note of a clip that gives a cover",
      place: ".a.mp4.failed.json",
      commands: [["cover", "a.mp4"], ["batch", "."]]
    ),
    Derived(name: "a temporary file", place: ".clipcanvas-12-a1b2.tmp", commands: [["batch", "."]]),
    Derived(
      name: "a temporary file of a board",
      place: ".clipcanvas-12-a1b2.tmp",
      prepare: imports,
      commands: [["board", "tap", "c1"]]
    ),
    Derived(name: "the covers of a board", place: "board.covers", prepare: imports, commands: [["board", "cover"]]),
    Derived(
      name: "a cover of a board",
      place: "board.covers/c1-1.png",
      prepare: imports,
      commands: [["board", "cover"]]
    ),
    Derived(name: "a thumbnail", place: "thumbnails/large/THUMBNAIL", commands: [["batch", "--freedesktop", "a.mp4"]]),
  ]

  @Test(
    "For a derived name, no link is followed and no foreign file is replaced",
    .enabled(if: Scope.isFull),
    arguments: derived,
    obstacles
  )
  func derivedPlaces(_ derived: Derived, _ obstacle: HostileTree.Obstacle) async throws {
    let start = try #require(Self.derived.firstIndex { $0.name == derived.name })
    let number = try #require(HostileTree.Obstacle.allCases.firstIndex(of: obstacle))
    for (index, command) in derived.commands.enumerated() {
      let canForce = ["cover", "batch"].contains(command[0])
      // In the short form, each command meets each obstacle once, and both occur with and without --force.
      for isForced in [false, true] where canForce || !isForced {
        guard LongForm.isWanted || !canForce || isForced == ((start + index + number) % 2 == 1) else { continue }
        // A regular file whose name has the form of a temporary file counts as temporary.
        guard obstacle != .file || !derived.place.hasPrefix(".clipcanvas-") else { continue }
        let tree = try HostileTree()
        try tree.clip(derived.clip, as: "a.mp4")
        try FilePath.makeFolder(tree.work.appending("sub"))
        try tree.clip(as: "sub/b.mp4")
        for arguments in derived.prepare { try #require(try await tree.run(arguments).exitStatus == 0) }
        var place = derived.place
        if place.contains("THUMBNAIL") {
          let uri = "file://" + tree.work.appending("a.mp4").string
          let digest = try await Program.runTool("sh", ["-c", "printf %s \"$1\" | md5sum | cut -d' ' -f1", "sh", uri])
          place = place.replacing("THUMBNAIL", with: digest.text.filter { $0 != "\n" } + ".png")
        }
        for folder in FilePath(place).removingLastComponent().components.indices {
          let path = FilePath(place).components[...folder].map(\.string).joined(separator: "/")
          if !ProjectFolder.isThere(tree.work.pushing(FilePath(path))) {
            try FilePath.makeFolder(tree.work.pushing(FilePath(path)))
          }
        }
        try tree.put(obstacle, at: place)
        let before = try tree.state(of: place)
        let result = try await tree.run(
          command + (isForced ? ["--force"] : []),
          environment: ["XDG_CACHE_HOME": tree.work.string]
        )
        let after = try tree.state(of: place)
        let what: Comment = "\(index) \(command) \(isForced): \(result.exitStatus) \(result.text)\(result.errorOutput)"
        #expect(after.outside == before.outside, what)
        #expect([0, 1, 2].contains(result.exitStatus), what)
        // In the shared cache a picture of any program is replaced, and so is a link, but never its target.
        let isReplaceable =
          (isForced || place.contains("thumbnails/")) && !place.contains("failed.json") && !place.contains("tmp")
        if obstacle.isSpecial || !isReplaceable {
          #expect(after.obstacle == before.obstacle && after.bytes == before.bytes, what)
        }
      }
    }
  }

  /// Commands with options that name an output file.
  private static let named = [
    ["cover", "-o", "PLACE", "a.mp4"], ["batch", "--report", "PLACE", "a.mp4"],
    ["batch", "--gallery", "PLACE", "a.mp4"],
    ["board", "render", "-o", "PLACE"], ["board", "new", "--board", "PLACE"],
  ]

  @Test(
    "For a named file, devices, pipes, folders and foreign files stay",
    .enabled(if: Scope.isFull),
    arguments: named,
    obstacles
  )
  func namedPlaces(_ command: [String], _ obstacle: HostileTree.Obstacle) async throws {
    for isForced in [false, true] {
      let tree = try HostileTree()
      try tree.clip(as: "a.mp4")
      try #require(try await tree.run(["board", "new"]).exitStatus == 0)
      try tree.put(obstacle, at: "place")
      let before = try tree.state(of: "place")
      let arguments = command.map { $0 == "PLACE" ? "place" : $0 } + (isForced ? ["--force"] : [])
      let result = try await tree.run(arguments)
      let after = try tree.state(of: "place")
      let what: Comment = "\(arguments): \(result.exitStatus) \(result.text)\(result.errorOutput)"
      // A cover may be written into the named folder, under the clip's name.
      let isFolder = [.emptyFolder, .fullFolder, .folderLink].contains(obstacle)
      if isFolder && command[0] == "cover" {
        #expect(result.exitStatus == 0, what)
        continue
      }
      // A named link is followed if it is dangling, and with --force if it refers to a file.
      let isFollowed = obstacle == .danglingLink || (obstacle == .link && isForced)
      if !isFollowed { #expect(after.outside == before.outside, what) }
      if obstacle.isSpecial || obstacle == .folderLink {
        #expect(after.obstacle == before.obstacle && [1, 2].contains(result.exitStatus), what)
        #expect(result.errorOutput.contains(" is a "), what)
      } else if obstacle == .danglingLink {
        // The file is created where the link leads, a board with its lock file, and the link stays.
        #expect(result.exitStatus == 0 && after.obstacle == before.obstacle, what)
        let new = after.outside.differences(from: before.outside)
        #expect(new.filter { $0 != ".new.lock" } == ["new"], what)
      } else if !isForced {
        #expect(after.obstacle == before.obstacle && after.bytes == before.bytes, what)
        // A new board replaces only boards.
        let advice = command[1] == "new" ? "is not a board; move it away" : "--force"
        #expect([1, 2].contains(result.exitStatus) && result.errorOutput.contains(advice), what)
      }
    }
  }

  @Test("Files made by clipcanvas are replaced, so that a command can be run twice", .enabled(if: Scope.isFull))
  func twice() async throws {
    let tree = try HostileTree()
    try tree.clip(as: "a.mp4")
    try #require(try await tree.run(["board", "new"]).exitStatus == 0)
    for command in [
      ["cover", "-o", "k.png", "a.mp4"], ["batch", "--report", "r.ndjson", "--gallery", "s.html", "a.mp4"],
      ["board", "render", "-o", "board.png"],
    ] {
      for _ in 0..<2 {
        let result = try await tree.run(command)
        #expect(result.exitStatus == 0, "\(command): \(result.errorOutput)")
      }
    }
  }

  @Test("A clip, the list of clips and the board are never replaced by output, even with --force")
  func inputs() async throws {
    let tree = try HostileTree()
    try tree.clip(as: "a.mp4")
    try tree.clip(as: "clip")
    try tree.clip(as: "a.html")
    try ScratchFolder.write(Array("a.mp4\n".utf8), to: tree.work.appending("list"))
    try #require(try await tree.run(["board", "new"]).exitStatus == 0)
    let before = try FolderTree(below: tree.work)
    for (command, words) in [
      (["cover", "-o", "clip", "clip"], "is the clip itself"),
      (["batch", "--report", "a.mp4", "a.mp4"], "is a clip of"),
      (["batch", "--gallery", "a.html", "a.html"], "is a clip of"),
      (["board", "render", "-o", "board.json"], "is the board itself"),
      (["batch", "--files-from", "list", "--report", "list"], "is the list of clips"),
    ] {
      let result = try await tree.run(command + ["--force"])
      #expect([1, 2].contains(result.exitStatus) && result.errorOutput.contains(words), "\(result.errorOutput)")
    }
    #expect(try FolderTree(below: tree.work).differences(from: before) == [])
  }

  @Test("A report or a gallery can be written to standard output, but not both", .enabled(if: Scope.isFull))
  func standardOutput() async throws {
    let tree = try HostileTree()
    try tree.clip(as: "a.mp4")
    let report = try await tree.run(["batch", "--report", "-", "a.mp4"])
    #expect(report.exitStatus == 0 && report.text.hasPrefix("{") && report.text.contains("\"summary\""))
    let page = try await tree.run(["batch", "--gallery", "-", "a.mp4"])
    #expect(page.exitStatus == 0 && page.text.hasPrefix("<!DOCTYPE html>") && page.text.hasSuffix("</html>\n"))
    #expect(try await tree.run(["batch", "--gallery", "-", "--report", "-", "a.mp4"]).exitStatus == 64)
    #expect(try await tree.run(["batch", "--json", "--report", "-", "a.mp4"]).exitStatus == 64)
    #expect(!ProjectFolder.isThere(tree.work.appending("-")))
  }

  @Test("A board that is not a regular file is neither read nor written, and gets no lock file")
  func board() async throws {
    for obstacle in Self.obstacles where obstacle.isSpecial {
      let tree = try HostileTree()
      try tree.put(obstacle, at: "board.json")
      let before = try FolderTree(below: tree.work)
      for command in [
        ["board", "tap", "c1"], ["board", "show"], ["board", "repair"], ["board", "check"],
        ["board", "new", "--force"], ["board", "render", "-o", "-"],
      ] {
        let result = try await tree.run(command)
        #expect([2, 6].contains(result.exitStatus), "\(command) \(result.errorOutput)")
      }
      #expect(try FolderTree(below: tree.work) == before, "\(obstacle)")
    }
  }
}
