import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// The files of a board, and who can read and write them.
@Suite("The access to a board's files", .enabled(if: Scope.isFull), .ownThread)
struct FileAccessTests {
  /// A board's access, and what its files and folders get.
  struct Case: Sendable, CustomTestStringConvertible {
    let board: mode_t
    let files: mode_t
    let folders: mode_t
    var umask: mode_t = 0o022
    var testDescription: String { String(board, radix: 8) + ", umask " + String(umask, radix: 8) }
  }

  static let cases = [
    Case(board: 0o600, files: 0o600, folders: 0o700), Case(board: 0o640, files: 0o640, folders: 0o750),
    Case(board: 0o660, files: 0o660, folders: 0o770, umask: 0o077), Case(board: 0o644, files: 0o644, folders: 0o755),
    Case(board: 0o664, files: 0o664, folders: 0o775), Case(board: 0o666, files: 0o666, folders: 0o777),
    Case(board: 0o600, files: 0o600, folders: 0o700, umask: 0), Case(board: 0o400, files: 0o600, folders: 0o700),
    Case(board: 0o755, files: 0o644, folders: 0o755),
  ]

  private static func status(of path: FilePath) throws -> stat {
    var status = stat()
    try #require(path.withPlatformString { lstat($0, &status) } == 0, "\(path) is missing")
    return status
  }

  private static func mode(of path: FilePath) throws -> mode_t { try status(of: path).st_mode & 0o7777 }

  private static func setMode(_ mode: mode_t, of path: FilePath) {
    #expect(path.withPlatformString { chmod($0, mode) } == 0)
  }

  /// The command that runs a program with a umask.
  private static func wrapper(umask: mode_t) -> [String] {
    ["sh", "-c", "umask \(String(umask, radix: 8)); exec \"$@\"", "-"]
  }

  /// Creates a board in a new folder.
  private static func board(_ mode: mode_t, canvases: Int = 2) throws -> (scratch: ScratchFolder, path: FilePath) {
    let scratch = try ScratchFolder()
    let path = scratch("board.json")
    try BoardFile(at: path).create(Board(columns: canvases, rows: 1))
    setMode(mode, of: path)
    return (scratch, path)
  }

  /// Records a clip on the first canvas and drops a file on the second; returns when both have covers.
  private static func fill(_ server: TestServer) async throws {
    let bytes = try await Recordings.vp8.bytes
    let take = try await TestUpload.record(on: server)
    try await take.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await take.finish(length: bytes.count).status == 200)
    let file = try ScratchFolder.read(ProjectFolder.fixture("h264.mp4"))
    let request = TestUpload.clipRequest(on: server, canvas: "c2", ["filename": "a.mp4"], length: file.count)
    let upload = try await TestUpload.start(request, on: server)
    try await upload.send(file)
    #expect(try await upload.finish(length: file.count).status == 200)
    try await server.state("the covers are made") {
      $0["canvases"]?.elements.allSatisfy { $0["cover"]?.text == "ready" } == true
    }
  }

  /// The folders and files of a board, apart from the board itself.
  private static func files(beside board: FilePath) throws -> (folders: [FilePath], files: [FilePath]) {
    let folder = board.removingLastComponent()
    let folders = ["board.clips", "board.covers"].map { folder.appending($0) }
    let files = try folders.flatMap { folder in try ScratchFolder.names(in: folder).map { folder.appending($0) } }
    return (folders, files)
  }

  @Test(
    "Recordings, dropped files, covers and their folders can be used by those who can use the board",
    arguments: cases
  )
  func served(_ access: Case) async throws {
    let (scratch, path) = try Self.board(access.board)
    let server = try await TestServer(in: scratch, wrapper: Self.wrapper(umask: access.umask))
    try await Self.fill(server)
    // Undo brings a clip and its cover back, so they stay.
    try await server.change(#"{"event":"removeClip","canvas":"c1"}"#)
    let (folders, files) = try Self.files(beside: path)
    #expect(files.count == 4, "\(files)")
    for folder in folders { #expect(try Self.mode(of: folder) == access.folders, "\(folder)") }
    for file in files { #expect(try Self.mode(of: file) == access.files, "\(file)") }
    // Only the server's user can read parts of recordings.
    try await server.change(#"{"event":"undo"}"#)
    let upload = try await TestUpload.start(
      TestUpload.clipRequest(on: server, canvas: "c1", ["replace": "true"], length: 5),
      on: server
    )
    try await upload.send([1, 2])
    #expect(try Self.mode(of: scratch(".board.json.uploads")) == 0o700)
    try await server.end()
  }

  @Test("Commands give covers and joined recordings the access of the board", arguments: [0o600, 0o660] as [mode_t])
  func commands(_ mode: mode_t) async throws {
    let (scratch, path) = try Self.board(mode)
    let clip = try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let segment = try scratch.write(try await Recordings.vp8.bytes, as: "take.webm")
    for arguments in [
      ["clip", "import", "c1", clip.string], ["preview", "c2"], ["record", "start"], ["record", "stop"],
      ["record", "finish", "--segments", segment.string], ["cover"],
    ] {
      let result = try await Program.run("clipcanvas", ["board"] + arguments + ["--board", path.string])
      #expect(result.exitStatus == 0, "\(arguments): \(result.errorOutput)")
    }
    let names = try scratch.names()
    let joined = names.filter { ($0.hasSuffix(".webm") || $0.hasSuffix(".mkv")) && $0 != "take.webm" }
    #expect(joined.count == 1, "\(names)")
    for name in joined { #expect(try Self.mode(of: scratch(name)) == mode, "\(name)") }
    #expect(try Self.mode(of: scratch("board.covers")) == mode | mode >> 2 & 0o111)
    let covers = try ScratchFolder.names(in: scratch("board.covers"))
    #expect(covers.count == 2)
    for cover in covers { #expect(try Self.mode(of: scratch("board.covers/" + cover)) == mode, "\(cover)") }
    // An existing clip keeps its mode.
    #expect(try Self.mode(of: clip) & 0o044 != 0)
  }

  @Test(
    "An existing folder keeps its access, and a group that it passes on",
    arguments: [0o700, 0o755] as [mode_t]
  )
  func existing(_ mode: mode_t) async throws {
    let (scratch, path) = try Self.board(0o644)
    for name in ["board.clips", "board.covers"] {
      try FilePath.makeFolder(scratch(name))
      Self.setMode(mode, of: scratch(name))
    }
    let server = try await TestServer(in: scratch)
    try await Self.fill(server)
    for folder in try Self.files(beside: path).folders { #expect(try Self.mode(of: folder) == mode) }
    try await server.end()
  }

  @Test(
    "A folder whose files inherit its group passes that on",
    .enabled(if: geteuid() == 0, "changing groups requires root")
  )
  func inheritedGroup() async throws {
    let scratch = try ScratchFolder()
    #expect(scratch.path.withPlatformString { chown($0, 0, 12345) } == 0)
    Self.setMode(0o2770, of: scratch.path)
    let path = scratch("board.json")
    try BoardFile(at: path).create(Board(columns: 2, rows: 1))
    Self.setMode(0o660, of: path)
    let server = try await TestServer(in: scratch)
    try await Self.fill(server)
    let (folders, files) = try Self.files(beside: path)
    for folder in folders { #expect(try Self.mode(of: folder) == 0o2770, "\(folder)") }
    for file in files {
      let status = try Self.status(of: file)
      #expect(status.st_mode & 0o7777 == 0o660 && status.st_gid == 12345, "\(file)")
    }
    try await server.end()
  }

  /// Whether another user can read a file.
  private static func isReadable(_ file: FilePath, user: Int, group: Int) async throws -> Bool {
    let arguments = ["--reuid", "\(user)", "--regid", "\(group)", "--clear-groups", "cat", file.string]
    return try await Program.runTool("setpriv", arguments).exitStatus == 0
  }

  @Test(
    "Another user reads the clips and covers of a board only if that user can read the board",
    .enabled(if: geteuid() == 0, "changing users requires root"),
    arguments: [(0o600, false, false), (0o640, true, false), (0o644, true, true)] as [(mode_t, Bool, Bool)]
  )
  func twoUsers(_ mode: mode_t, _ isForGroup: Bool, _ isForOthers: Bool) async throws {
    let (scratch, path) = try Self.board(mode)
    Self.setMode(0o755, of: scratch.path)
    #expect(path.withPlatformString { chown($0, 23456, 12345) } == 0)
    let server = try await TestServer(in: scratch)
    try await Self.fill(server)
    let (_, files) = try Self.files(beside: path)
    for file in [path] + files {
      #expect(try await Self.isReadable(file, user: 23456, group: 23456), "\(file)")
      #expect(try await Self.isReadable(file, user: 34567, group: 12345) == isForGroup, "\(file)")
      #expect(try await Self.isReadable(file, user: 34567, group: 34567) == isForOthers, "\(file)")
    }
    try await server.end()
  }
}
