import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("The secrets of a served board", .enabled(if: Scope.isFull), .ownThread)
struct SecretsTests {
  private static func file(of server: TestServer) throws -> FilePath {
    let folder = server.scratch("state/clipcanvas")
    let names = try ScratchFolder.names(in: folder).filter { $0.hasPrefix("serve-") && !$0.hasSuffix(".lock") }
    try #require(names.count == 1, "\(names)")
    return folder.appending(names[0])
  }

  private static func status(of path: FilePath) -> stat {
    var status = stat()
    _ = path.withPlatformString { lstat($0, &status) }
    return status
  }

  private static func mode(of path: FilePath) -> mode_t { status(of: path).st_mode & 0o7777 }
  private static func owner(of path: FilePath) -> uid_t { status(of: path).st_uid }

  @Test("They stay the same when the server is started again, and only their user can read them")
  func kept() async throws {
    let server = try await TestServer()
    let file = try Self.file(of: server)
    #expect(Self.mode(of: file) == 0o600 && Self.mode(of: file.removingLastComponent()) == 0o700)
    try await server.end()
    let next = try await server.again()
    #expect(next.entry == server.entry && next.token == server.token && next.cookie == server.cookie)
    try await next.end()
  }

  @Test("Each board has its own")
  func ofEachBoard() async throws {
    let scratch = try ScratchFolder()
    for name in ["a", "b"] { try FilePath.makeFolder(scratch(name)) }
    let servers = [
      try await TestServer(in: scratch, folder: scratch("a")), try await TestServer(in: scratch, folder: scratch("b")),
    ]
    #expect(servers[0].entry != servers[1].entry && servers[0].token != servers[1].token)
    let foreign = servers[0].request("GET", "/board").with("Host", servers[1].host)
    #expect(try await servers[1].answer(foreign).status == 401)
    for server in servers { try await server.end() }
  }

  @Test(
    "A file that others can read or that is not whole is not trusted",
    arguments: ["mode", "link", "cut", "foreign"]
  )
  func untrusted(_ fault: String) async throws {
    let server = try await TestServer()
    let file = try Self.file(of: server)
    let old = try ScratchFolder.read(file)
    try await server.end()
    switch fault {
    case "mode": #expect(file.withPlatformString { chmod($0, 0o640) } == 0)
    case "link":
      let target = server.scratch("planted")
      try ScratchFolder.write(old, to: target)
      _ = file.withPlatformString { unlink($0) }
      #expect(target.withPlatformString { target in file.withPlatformString { symlink(target, $0) } } == 0)
    case "cut": try ScratchFolder.write(old.dropLast(5), to: file)
    default:
      guard geteuid() == 0 else { return }
      #expect(file.withPlatformString { chown($0, 12345, 12345) } == 0)
    }
    do {
      let next = try await server.again()
      #expect(next.entry != server.entry && next.token != server.token && next.cookie != server.cookie)
      #expect(Self.mode(of: file) == 0o600 && Self.owner(of: file) == geteuid())
      #expect(try await next.answer(next.request("GET", "/board").with("Cookie", server.cookie)).status == 401)
      try await next.end()
    } catch let error as TestServer.NotServing {
      // Something in the place of the file that is not ours is not replaced.
      #expect(error.message.contains("secrets"), "\(error.message)")
      #expect(fault == "link")
    }
  }

  @Test("A second server of the same board is refused, because it would not know the recordings of the first")
  func second() async throws {
    let server = try await TestServer()
    let upload = try await TestUpload.record(on: server)
    let result = try await Program.run(
      "clipcanvas",
      ["board", "serve", "--board", server.board.path.string, "--listen", "127.0.0.1:0"],
      environment: ["XDG_STATE_HOME": server.scratch("state").string]
    )
    #expect(result.exitStatus == 2 && result.text.isEmpty)
    #expect(result.errorOutput.contains("is already being served"), "\(result.errorOutput)")
    #expect(try await upload.head().status == 204)
    server.program.send(SIGKILL)
    _ = try await server.program.end()
    try await server.again().end()
  }

  @Test("Of two servers that start at the same moment, on first use, one is refused")
  func together() async throws {
    for _ in 0..<4 {
      let scratch = try ScratchFolder()
      try BoardFile(at: scratch("board.json")).create(Board(columns: 1, rows: 1))
      async let one = Result.catching { try await TestServer(in: scratch) }
      async let other = Result.catching { try await TestServer(in: scratch) }
      let servers = await [one, other].compactMap { try? $0.get() }
      #expect(servers.count == 1)
      for server in servers { try await server.end() }
    }
  }

  @Test("Without a folder to keep them in, the server prints what to do", arguments: ["/proc/nowhere", "/dev/null"])
  func nowhere(_ folder: String) async throws {
    let scratch = try ScratchFolder()
    let error = await #expect(throws: TestServer.NotServing.self) {
      _ = try await TestServer(in: scratch, environment: ["XDG_STATE_HOME": folder])
    }
    let advice = "set XDG_STATE_HOME to a folder that you can write to"
    #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
  }

  @Test("A state folder that is not absolute is ignored, and so is an empty one", arguments: ["state", ""])
  func relative(_ folder: String) async throws {
    let scratch = try ScratchFolder()
    let environment = ["XDG_STATE_HOME": folder, "HOME": scratch("home").string]
    let server = try await TestServer(in: scratch, environment: environment)
    #expect(ProjectFolder.isThere(scratch("home/.local/state/clipcanvas")))
    #expect(!ProjectFolder.isThere(scratch("state")))
    try await server.end()
  }
}

extension Result where Failure == any Error, Success: Sendable {
  /// Returns what an asynchronous function returns or throws.
  fileprivate static func catching(_ body: () async throws -> Success) async -> Result {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}
