import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// A folder with clips, older covers and a board, where an ordinary user with a unique ID runs commands.
///
/// The limit on processes counts all processes of a user and does not apply to root.
struct LimitedFolder {
  /// A command and whether it may change the board before it fails.
  struct Command: CustomTestStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    var mayChangeBoard = false

    var testDescription: String { name }
  }

  static let commands = [
    Command(name: "--version", arguments: ["--version"]),
    Command(name: "--help", arguments: ["--help"]),
    Command(name: "cover", arguments: ["cover", "--force", "-o", "covers/", "a.mp4"]),
    Command(name: "batch", arguments: ["batch", "--force", "-j2", "-o", "covers", "clips"]),
    Command(name: "probe", arguments: ["probe", "a.mp4"]),
    Command(name: "clip import", arguments: ["board", "clip", "import", "c2", "a.mp4"], mayChangeBoard: true),
    Command(name: "cover pending", arguments: ["board", "cover"], mayChangeBoard: true),
    Command(name: "render", arguments: ["board", "render", "--size", "320x180", "-o", "board.png"]),
    Command(name: "new", arguments: ["board", "new", "--board", "new.json"]),
    Command(name: "tap", arguments: ["board", "tap", "c1"]),
    Command(name: "show", arguments: ["board", "show"]),
    Command(name: "wait", arguments: ["board", "wait", "--for", "session=idle", "--timeout", "1"]),
  ]

  static let takesRoot: Comment = "only root can run programs as other users"
  static let olderCover = Array("an older cover".utf8)
  private static let nextUser = Atomic(61_000)

  let scratch: ScratchFolder
  let user: Int
  private let programs: FilePath
  private let board: [UInt8]

  /// - Parameter programs: The folder of the package's programs, accessible to all users.
  init(programs: FilePath) async throws {
    self.programs = programs
    user = Self.nextUser.add(1, ordering: .relaxed).newValue
    scratch = try ScratchFolder()
    for folder in ["clips", "covers", "covers/clips"] { try FilePath.makeFolder(scratch(folder)) }
    for clip in ["a.mp4", "clips/1.mp4", "clips/2.mp4"] {
      try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: clip)
    }
    try scratch.write(Self.olderCover, as: "covers/a.mp4.png")
    try scratch.write(Self.olderCover, as: "covers/clips/1.mp4.png")
    for command in [["board", "new"], ["board", "clip", "import", "--no-cover", "c1", "a.mp4"]] {
      let result = try await Program.run("clipcanvas", command, in: scratch.path)
      try #require(result.exitStatus == 0, "\(result.errorOutput)")
    }
    let owned = try await Program.runTool("chown", ["-R", "\(user):\(user)", scratch.path.string])
    try #require(owned.exitStatus == 0)
    board = try ScratchFolder.read(scratch("board.json"))
  }

  /// Copies the programs to a folder where all users can run them.
  static func install(in scratch: ScratchFolder) async throws -> FilePath {
    for program in ["clipcanvas", "clipcanvas-decoder", "clipcanvas-view"] {
      try await scratch.install(ProjectFolder.program(program), as: program)
    }
    guard chmod(scratch.path.string, 0o755) == 0 else { throw Errno(rawValue: errno) }
    return scratch.path
  }

  /// Runs a command and checks the conditions that hold however it ended.
  ///
  /// - Parameters:
  ///   - command: The command to run.
  ///   - wrapper: The command line that runs the command under a limit.
  ///   - label: The limit, for failure messages.
  @discardableResult
  func run(_ command: Command, under wrapper: [String], _ label: String) async throws -> ProgramResult {
    let result = try await Program.runTool(
      "timeout",
      ["--signal=KILL", "60", "setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] + wrapper
        + [programs.appending("clipcanvas").string] + command.arguments,
      in: scratch.path
    )
    let what: Comment = "\(command.name) under \(label): status \(result.exitStatus), \(result.errorOutput)"
    #expect([0, 1, 2, 6, 127].contains(result.exitStatus), what)
    #expect(result.exitStatus == 0 || !result.errorOutput.isEmpty, what)
    let isLoaders = ["error while loading shared libraries", "cannot allocate TLS", "glibc error"].contains { words in
      result.errorOutput.contains(words)
    }
    #expect(result.exitStatus != 127 || isLoaders, what)
    try checkFiles(after: result, of: command, what)
    try await checkNoProcessIsLeft(what)
    return result
  }

  private func checkFiles(after result: ProgramResult, of command: Command, _ what: Comment) throws {
    for cover in ["covers/a.mp4.png", "covers/clips/1.mp4.png"] {
      let bytes = try ScratchFolder.read(scratch(cover))
      #expect(bytes == Self.olderCover || bytes.suffix(8).starts(with: Array("IEND".utf8)), what)
    }
    let present = try ScratchFolder.read(scratch("board.json"))
    if result.exitStatus != 0, !command.mayChangeBoard { #expect(present == board, what) }
    #expect(present.first == UInt8(ascii: "{") && present.suffix(2) == Array("}\n".utf8)[...], what)
    let covers = try FolderTree(below: scratch("covers")).paths.filter { !$0.hasSuffix(".failed.json") }
    #expect(covers.allSatisfy { ["clips/1.mp4.png", "clips/2.mp4.png", "a.mp4.png"].contains($0) }, what)
  }

  /// Checks that all processes end, because a decoder ends when its parent has closed the socket.
  private func checkNoProcessIsLeft(_ what: Comment) async throws {
    for _ in 0..<600 {
      if try !isRunningSomething() { return }
      try await pause(.milliseconds(50))
    }
    Issue.record("a process is left: \(what)")
  }

  private func isRunningSomething() throws -> Bool {
    try ScratchFolder.names(in: "/proc").contains { name in
      var status = stat()
      guard Int(name) != nil, stat("/proc/\(name)", &status) == 0 else { return false }
      return status.st_uid == uid_t(user)
    }
  }
}
