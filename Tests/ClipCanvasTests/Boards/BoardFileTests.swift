import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("The board file")
struct BoardFileTests {
  /// All commands that only read the board.
  private static let readers = [
    ["log"], ["log", "--json"], ["check"], ["next"], ["next", "--json"], ["can", "tap", "c1"], ["can", "recordStart"],
    ["simulate"], ["show"], ["show", "--json"],
  ]

  @Test("Reading commands neither lock nor write the file", .enabled(if: Scope.isFull))
  func readersUnderTrace() async throws {
    let board = try await TestBoard()
    try await board.done("tap", "c1")
    let (old, names) = (try board.bytes, try board.scratch.names())
    let inode = try status(board.path).st_ino
    for command in Self.readers {
      let (result, calls) = try await board.trace(command)
      #expect([0, 3].contains(result.exitStatus), "\(command) \(result.errorOutput)")
      let bad = calls.filter { call in
        let writes = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_TMPFILE"].contains { call.contains($0) }
        let changes = ["flock(", "rename", "unlink", "linkat(", "mkdir", "ftruncate(", "chmod", "fchmod", "F_SETLK"]
        return (writes && !call.contains("\"/dev/"))
          || changes.contains { call.hasPrefix($0) || call.contains(" \($0)") }
      }
      #expect(bad == [], "\(command)")
    }
    #expect(try board.bytes == old && board.scratch.names() == names && status(board.path).st_ino == inode)
  }

  @Test(
    "A board on a read-only disk can be read, and a change is refused",
    .enabled(if: Scope.isFull),
    .enabled(if: geteuid() == 0, "mounting a file system takes root")
  )
  func readOnlyDisk() async throws {
    let scratch = try ScratchFolder()
    let disk = try MemoryFileSystem(scratch("disk"), size: 1 << 20)
    let board = TestBoard(at: disk.path.appending("board.json"), in: scratch)
    try await board.done("new")
    try await board.done("tap", "c1")
    try await disk.makeReadOnly()
    for command in Self.readers {
      let result = try await Program.run("clipcanvas", board.arguments(command))
      #expect([0, 3].contains(result.exitStatus), "\(command) \(result.errorOutput)")
    }
    let result = try await board.run("tap", "c1")
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.contains("read-only file system"), "\(result.errorOutput)")
  }

  @Test(
    "A missing, empty, corrupt or newer file is reported as such with status 6 and left unchanged",
    .enabled(if: Scope.isFull)
  )
  func unreadable() async throws {
    let board = try await TestBoard()
    let text = String(decoding: try board.bytes, as: UTF8.self)
    let kinds: [(String?, String)] = [
      (nil, " does not exist; create it with "), ("", "is empty (0 bytes)"),
      (String(text.dropLast(30)), "cannot be read: "),
      (
        text.replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 3"),
        "was written by a newer clipcanvas (schema 3"
      ),
      (
        text.replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 3").replacing("idle", with: "other"),
        "was written by a newer clipcanvas (schema 3"
      ),
      (String(repeating: "[", count: 100_000), "more than 128 levels"), ("\u{feff}" + text, "a byte order mark"),
      (text.replacing("\"revision\": 0", with: "\"revision\": 0, \"revision\": 0"), "duplicate member"),
      (text + String(repeating: "\0", count: 512), "unexpected text after the document"),
      (String(repeating: "\0", count: 512) + text, "it begins with 512 zero bytes"),
      (text.map { "\($0)\0" }.joined(), "it is UTF-16 text, not UTF-8"),
      ("// my board\n" + text, "a comment, which JSON does not allow, at line 1, column 1"),
      (
        text.replacing("\"canvases\":", with: "# mine\n\"canvases\":"),
        "a comment, which JSON does not allow, at line 2"
      ),
      ("<!DOCTYPE html><title>404</title>", "is an HTML or XML document; nothing was changed; restore a copy"),
    ]
    for (text, words) in kinds {
      if let text { try ScratchFolder.write(text.utf8, to: board.path) } else { try board.remove() }
      for command in [["tap", "c1"], ["undo"], ["record", "recover"], ["clip", "remove", "c1"], ["log"], ["check"]] {
        let result = try await Program.run("clipcanvas", board.arguments(command))
        let mayRead =
          words.contains("newer") && text?.contains("idle") == true && ["log", "check"].contains(command[0])
        #expect(
          result.exitStatus == (mayRead ? 0 : 6) || (mayRead && result.exitStatus == 0),
          "\(command) \(result.errorOutput)"
        )
        if !mayRead { #expect(result.errorOutput.contains(words), "\(result.errorOutput)") }
        #expect(result.errorOutput.split(separator: "\n").count <= 1, "\(result.errorOutput)")
      }
      if let text {
        #expect(try board.bytes == Array(text.utf8))
      } else {
        #expect(!ProjectFolder.isThere(board.path))
      }
    }
  }

  @Test(
    "What changes would do to a newer board is not guessed, and its picture comes with a warning",
    .enabled(if: Scope.isFull)
  )
  func newer() async throws {
    let board = try await TestBoard()
    let text = String(decoding: try board.bytes, as: UTF8.self)
    try ScratchFolder.write(
      text.replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 3").utf8,
      to: board.path
    )
    let before = try board.bytes
    for command in [["can", "tap", "c1"], ["next"], ["simulate"], ["clean", "--dry-run"]] {
      let result = try await Program.run("clipcanvas", board.arguments(command))
      #expect(result.exitStatus == 6 && result.errorOutput.contains("newer clipcanvas"), "\(result.errorOutput)")
      #expect(result.text.isEmpty, "\(command)")
    }
    let picture = try await board.run("render", "-o", board.scratch("board.png").string)
    #expect(picture.exitStatus == 0 && picture.errorOutput.hasPrefix("warning: the board "), "\(picture.errorOutput)")
    #expect(picture.errorOutput.contains("(schema 3; this one supports 2)"))
    #expect(try board.bytes == before)
  }

  @Test("`repair` recovers what it can and keeps the damaged file", .enabled(if: Scope.isFull))
  func repaired() async throws {
    let board = try await TestBoard()
    try await board.done("clip", "import", "c2", ProjectFolder.fixture("h264.mp4").string, "--no-cover")
    let damaged = Array(try board.bytes.dropLast(200))
    try ScratchFolder.write(damaged, to: board.path)
    #expect(try await board.run("tap", "c1").exitStatus == 6)
    let told = try await board.done("repair")
    #expect(told.contains("recovered 4 canvases, revision 102") && told.contains("board.json.damaged"), "\(told)")
    #expect(try ScratchFolder.read(board.scratch("board.json.damaged")) == damaged)
    #expect(try board.record.canvases[1].clip?.path.hasSuffix("h264.mp4") == true)
    try await board.done("tap", "c1")
    #expect(try await board.done("repair").hasPrefix("nothing to repair"))
    for timeout in ["-1", "1e300", "nan"] {
      let result = try await board.run("repair", "--lock-timeout=\(timeout)")
      #expect(result.exitStatus == 64)
    }
  }

  @Test("A new board never replaces a file that is not a board", arguments: [[], ["--force"]])
  func foreign(_ options: [String]) async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "v.mp4")
    try scratch.write(Array("{\"name\": \"my-app\", \"files\": [\"canvases.js\"]}\n".utf8), as: "package.json")
    try scratch.write(Array("{\\rtf1\\ansi my letter}".utf8), as: "letter.rtf")
    let before = try FolderTree(below: scratch.path)
    for name in try scratch.names() {
      let arguments = ["board", "new", "--board", name] + options
      let result = try await Program.run("clipcanvas", arguments, in: scratch.path)
      #expect(result.exitStatus == 2 && result.errorOutput.contains("\(name) exists and is not a board; move it away"))
    }
    #expect(try FolderTree(below: scratch.path) == before)
  }

  @Test(
    "The commands in messages can be pasted into a shell and are about the same board",
    .enabled(if: Scope.isFull),
    arguments: ["b.json", "Anna's board $(x).json", "--force"]
  )
  func advice(_ name: String) async throws {
    let scratch = try ScratchFolder()
    let program = ProjectFolder.program("clipcanvas").string
    func run(_ arguments: String...) async throws -> ProgramResult {
      try await Program.run("clipcanvas", ["board"] + arguments + ["--board=\(name)"], in: scratch.path)
    }
    func follow(_ words: String) async throws {
      let message = try await run("show").errorOutput
      let advice = try #require(message.firstRange(of: "'clipcanvas \(words)"), "\(message)")
      // The quotation mark at its end is the last one.
      let end = try #require(message.lastIndex(of: "'"))
      let command = message[message.index(after: advice.lowerBound)..<end].replacing(/^clipcanvas/, with: "\"$0\"")
      let result = try await Program.runTool("sh", ["-c", String(command), program], in: scratch.path)
      #expect(result.exitStatus == 0, "\(command): \(result.errorOutput)")
    }
    try await follow("board new")
    _ = try await run("clip", "import", "c2", ProjectFolder.fixture("h264.mp4").string, "--no-cover")
    let path = scratch.path.appending(FilePath.Component(name)!)
    try ScratchFolder.write(Array(try ScratchFolder.read(path).dropLast(200)), to: path)
    try await follow("board repair")
    #expect(try await run("show").text.contains("c2"))
    try ScratchFolder.write([], to: path)
    try await follow("board new --force")
    #expect(try await run("tap", "c1").exitStatus == 0)
  }

  @Test("A file larger than 32 MiB is reported with status 6")
  func tooLarge() async throws {
    let board = try await TestBoard()
    try #require(truncate(board.path.string, 32 << 20 + 1) == 0)
    for command in [["show"], ["tap", "c1"]] {
      let result = try await Program.run("clipcanvas", board.arguments(command))
      #expect(result.exitStatus == 6 && result.errorOutput.contains("it is larger than 32 MiB; nothing was changed"))
    }
  }

  @Test("A board with a name that is not valid is reported like a damaged one, and `repair` renames the canvas")
  func names() async throws {
    let board = try await TestBoard(canvases: 2)
    try await board.done("tap", "c2")
    let text = String(decoding: try board.bytes, as: UTF8.self).replacing(#""c2""#, with: #""$(touch x)\u202e""#)
    try ScratchFolder.write(text.utf8, to: board.path)
    let repair = "'clipcanvas board repair --board \(board.path.string)' tries to recover it and keeps a copy"
    for command in [["check"], ["show"], ["tap", "c1"], ["undo"], ["log"], ["next"]] {
      let result = try await Program.run("clipcanvas", board.arguments(command))
      #expect(result.exitStatus == 6 && result.text.isEmpty)
      let message =
        "clipcanvas: the board \(board.path.string) cannot be read: 1 canvas name is not valid: "
        + #"'$(touch x)\xe2\x80\xae'"# + "; nothing was changed; \(repair)\n"
      #expect(result.errorOutput == message)
    }
    let told = try await board.done("repair")
    #expect(told.contains(#"renamed the canvas '$(touch x)\xe2\x80\xae' to __touch_x__"# + "\n"), "\(told)")
    #expect(try ScratchFolder.read(board.scratch("board.json.damaged")) == Array(text.utf8))
    #expect(try board.record.canvases.map(\.id) == ["c1", "__touch_x__"] && board.record.canvases[1].isSelected)
    #expect(try await board.run("check").errorOutput.isEmpty)
    try await board.done("undo")
    #expect(try board.record.session == "idle")
  }

  @Test("The same events give the same bytes, whatever the hash seed", .enabled(if: Scope.isFull))
  func sameBytes() async throws {
    var documents: Set<[UInt8]> = []
    for seed in [nil, nil, "1"] as [String?] {
      let board = try await TestBoard(canvases: 9)
      for line in [
        #"{"event":"tap","canvas":"c3","at":1}"#, #"{"event":"recordStart","take":"t","at":2.5}"#,
        #"{"event":"recordStop","at":3}"# + "\n" + #"{"event":"takeFinished","take":"t","clip":{"path":"a"},"at":4}"#,
        #"{"event":"moveCanvas","canvas":"c9","to":0,"at":5}"#, #"{"event":"undo","at":6}"#,
      ] {
        let result = try await Program.run(
          "clipcanvas",
          board.arguments(["apply"]),
          input: line,
          environment: seed.map { ["SWIFT_DETERMINISTIC_HASHING": $0] } ?? [:]
        )
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
      }
      documents.insert(try board.bytes)
    }
    #expect(documents.count == 1)
  }

  @Test(
    "A new file is readable by its owner only, and a changed mode is kept",
    .enabled(if: Scope.isFull),
    arguments: [0o600, 0o644, 0o640, 0o666] as [mode_t]
  )
  func mode(_ mode: mode_t) async throws {
    let board = try await TestBoard()
    #expect(try status(board.path).st_mode & 0o7777 == 0o600)
    #expect(try status(board.scratch(".board.json.lock")).st_mode & 0o7777 == 0o600)
    let changed = board.path.withPlatformString { chmod($0, mode) }
    try #require(changed == 0)
    try await board.done("tap", "c1")
    #expect(try status(board.path).st_mode & 0o7777 == mode)
  }

  @Test(
    "A symbolic link to the file is kept, and the board and its lock are next to the target",
    .enabled(if: Scope.isFull)
  )
  func link() async throws {
    let scratch = try ScratchFolder()
    for folder in ["real", "linked"] { try FilePath.makeFolder(scratch(folder)) }
    let link = scratch("linked/board.json")
    let made = link.withPlatformString { symlink("../real/deep.json", $0) }
    try #require(made == 0)
    let board = TestBoard(at: link, in: scratch)
    try await board.done("new")
    try await board.done("tap", "c1")
    #expect(try status(link).st_mode & S_IFMT == S_IFLNK)
    #expect(try ScratchFolder.names(in: scratch("linked")) == ["board.json"])
    #expect(try ScratchFolder.names(in: scratch("real")) == [".deep.json.lock", "deep.json"])
    #expect(try board.record.revision == 1)
  }

  private func status(_ path: FilePath) throws -> stat {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else { throw Errno(rawValue: errno) }
    return status
  }
}
