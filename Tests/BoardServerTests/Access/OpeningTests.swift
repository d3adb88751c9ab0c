import BoardStore
import CanvasModel
import FoundationEssentials
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("Opening the page of a served board", .enabled(if: Scope.isFull), .ownThread)
struct OpeningTests {
  /// A program that is run instead of a browser: it notes its process and the file that it is given, and keeps running.
  private static func browser(in scratch: ScratchFolder) throws -> FilePath {
    let script = """
      #!/bin/sh
      cat "$1" > "\(scratch("opened").string)"
      echo "$$ $1" > "\(scratch("noted.new").string)"
      mv "\(scratch("noted.new").string)" "\(scratch("noted").string)"
      exec sleep 600
      """
    try FilePath.makeFolder(scratch("bin"))
    let path = try scratch.write(script.utf8, as: "bin/xdg-open")
    #expect(path.withPlatformString { chmod($0, 0o755) } == 0)
    return path.removingLastComponent()
  }

  @Test("The browser gets the address in a file of the user's own, and nothing else of the server")
  func opened() async throws {
    let scratch = try ScratchFolder()
    let path = "\(try Self.browser(in: scratch).string):/usr/bin:/bin"
    let server = try await TestServer(in: scratch, environment: ["PATH": path], options: ["--open"])
    try await eventually("the browser is started") { ProjectFolder.isThere(scratch("noted")) }
    let words = String(decoding: try ScratchFolder.read(scratch("noted")), as: UTF8.self).split(separator: " ")
    let process = try #require(words.first.flatMap { Int32($0) })
    defer { kill(process, SIGKILL) }
    let file = FilePath(String(try #require(words.last)).filter { $0 != "\n" })
    let page = String(decoding: try ScratchFolder.read(scratch("opened")), as: UTF8.self)
    #expect(page.contains("/?token=\(server.entry)"))
    var status = stat()
    #expect(file.withPlatformString { lstat($0, &status) } == 0 && status.st_mode & 0o7777 == 0o600)
    // Neither what it listens on, nor the terminal that Ctrl-C is pressed in. The shell may still read its script.
    let files = Set(RunningProgram.openFiles(of: process)).subtracting([scratch("bin/xdg-open").string])
    #expect(files == ["/dev/null"])
    #expect(getsid(process) == process)
    server.program.send(SIGTERM)
    _ = try await server.program.end(within: .seconds(30))
    #expect(!ProjectFolder.isThere(file))
    // The port is free, although the browser keeps running.
    #expect(ProcessStatus.isRunning(process))
    let next = try await server.again()
    #expect(next.port == server.port)
    try await next.end()
  }

  @Test("With --json, the board and the address are a JSON object, at once")
  func printed() async throws {
    let scratch = try ScratchFolder()
    try BoardFile(at: scratch("board.json")).create(Board(columns: 1, rows: 1))
    let program = try RunningProgram(
      "clipcanvas",
      ["board", "serve", "--listen", "127.0.0.1:0", "--json"],
      scratch: scratch,
      label: "serve",
      environment: ["XDG_STATE_HOME": scratch("state").string]
    )
    try await eventually("the server prints its address") { try program.outputSoFar().hasSuffix("\n") }
    struct Printed: Decodable {
      let board: String
      let address: String
    }
    let printed = try JSONDecoder().decode(Printed.self, from: Data(program.outputSoFar().utf8))
    #expect(printed.board == "board.json")
    #expect(printed.address.wholeMatch(of: #/http://127\.0\.0\.1:\d+/\?token=[\w-]+/#) != nil, "\(printed.address)")
    program.send(SIGTERM)
    _ = try await program.end(within: .seconds(30))
  }

  @Test("Without a browser, a message asks the user to open the address")
  func nothingToOpen() async throws {
    let scratch = try ScratchFolder()
    let server = try await TestServer(in: scratch, environment: ["PATH": "/nowhere"], options: ["--open"])
    try await eventually("the message is printed") {
      try server.program.errorOutputSoFar() == "clipcanvas: cannot open a browser; open the address yourself\n"
    }
    try await server.end()
  }
}
