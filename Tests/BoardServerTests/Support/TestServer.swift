import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// A scratch board with a running `clipcanvas board serve`.
final class TestServer: Sendable {
  let scratch: ScratchFolder
  /// The board's file.
  let board: BoardFile
  let program: RunningProgram
  let port: Int
  /// The token in the printed address.
  let entry: String
  /// The cookie that allows reading, with its name.
  let cookie: String
  /// The token that allows changes.
  let token: String

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - scratch: The folder for everything; an existing board in it is kept (default: a new folder).
  ///   - folder: The folder of the board (default: `scratch`).
  ///   - canvases: The number of canvases of a new board, in one row.
  ///   - port: The port to listen on (default: any).
  ///   - lease: The lease of a recording; the server then has short intervals (default: the program's intervals).
  ///   - environment: Variables for the server.
  ///   - options: Further options.
  ///   - wrapper: A command that executes the program, such as `prlimit`.
  init(
    in scratch: ScratchFolder? = nil,
    folder: FilePath? = nil,
    canvases: Int = 2,
    port: Int = 0,
    lease: Duration? = nil,
    environment: [String: String] = [:],
    options: [String] = [],
    wrapper: [String] = []
  ) async throws {
    let scratch = try scratch ?? ScratchFolder()
    self.scratch = scratch
    board = BoardFile(at: (folder ?? scratch.path).appending("board.json"))
    if !ProjectFolder.isThere(board.path) { try board.create(Board(columns: canvases, rows: 1)) }
    let command =
      wrapper + [ProjectFolder.program("clipcanvas").string, "board", "serve", "--board", board.path.string]
      + ["--listen", "127.0.0.1:\(port)"] + options
    var hurried: [String: String] = [:]
    if let lease {
      hurried["CLIPCANVAS_SERVE"] = ProjectFolder.program("hurried-server").string
      hurried["CLIPCANVAS_TEST_LEASE"] = "\(Int(lease / .milliseconds(1)))"
    }
    program = try RunningProgram(
      tool: command[0],
      Array(command.dropFirst()),
      scratch: scratch,
      label: "serve-\(UInt32.random(in: 0 ... .max))",
      environment: ["XDG_STATE_HOME": scratch("state").string].merging(hurried) { $1 }.merging(environment) { $1 }
    )
    let address = try await Self.address(printedBy: program)
    (self.port, entry) = address
    let entrance = try await HTTPConnection(port: address.port).answer(
      to: TestRequest(
        method: "GET",
        path: "/?token=\(address.entry)",
        headers: [("Host", "127.0.0.1:\(address.port)")]
      )
    )
    cookie = String(try #require(entrance["Set-Cookie"]?.split(separator: ";").first))
    token = try #require(Self.token(in: entrance.text))
  }

  /// Waits for the line with the address.
  static func address(printedBy program: RunningProgram) async throws -> (port: Int, entry: String) {
    var text = ""
    try await eventually("the server prints its address") {
      text = try program.outputSoFar()
      if program.hasEnded { throw NotServing(message: try program.errorOutputSoFar()) }
      return text.hasSuffix("\n")
    }
    let words = text.dropLast().split(whereSeparator: { ":/?=".contains($0) })
    guard let entry = words.last, let port = words.dropLast(2).last.flatMap({ Int($0) }) else {
      throw NotServing(message: text)
    }
    return (port, String(entry))
  }

  /// Returns the token for changes that the entrance gives its page.
  private static func token(in page: String) -> String? {
    page.split(separator: "\"").drop { $0 != "clipcanvas-token" }.dropFirst(2).first.map(String.init)
  }

  struct NotServing: Error {
    let message: String
  }

  /// Starts another server for the same board, at the same port.
  func again(lease: Duration? = nil, environment: [String: String] = [:]) async throws -> TestServer {
    try await TestServer(in: scratch, folder: board.folder, port: port, lease: lease, environment: environment)
  }

  /// Moves everything that has happened to the board a minute back, as if the server had been away since.
  func moveBackMinute() async throws {
    let text = String(decoding: try bytes(), as: UTF8.self)
    let earlier = text.replacing(/\b1\d{9}(\.\d+)?\b/) { match in
      Double(match.output.0).map { "\($0 - 60)" } ?? "\(match.output.0)"
    }
    try #require(earlier != text)
    try ScratchFolder.write(earlier.utf8, to: board.path)
    for part in parts {
      let path = board.folder.appending(".board.json.uploads/\(part)").string
      let touched = try await Program.runTool("touch", ["-r", path, "-d", "-60 seconds", path])
      try #require(touched.exitStatus == 0, "\(touched.errorOutput)")
    }
  }

  /// Ends the server as the user does, and checks that no process or file remains.
  func end() async throws {
    try await program.endServing()
  }

  // MARK: - Requests

  var host: String { "127.0.0.1:\(port)" }
  var origin: String { "http://\(host)" }

  /// Returns a request as the page sends it.
  func request(_ method: String, _ path: String, _ headers: [String: String] = [:], body: [UInt8] = []) -> TestRequest {
    var request = TestRequest(method: method, path: path, headers: [("Host", host), ("Cookie", cookie)], body: body)
    request["Sec-Fetch-Site"] = "same-origin"
    // Browsers send no `Origin` with these two to the same origin.
    if method != "GET", method != "HEAD" { request["Origin"] = origin }
    if method != "GET" { request["X-ClipCanvas-Token"] = token }
    for (name, value) in headers { request[name] = value }
    return request
  }

  /// Returns a request to send events.
  func events(_ lines: String...) -> TestRequest {
    request("POST", "/events", ["Content-Type": "application/json"], body: Array(lines.joined(separator: "\n").utf8))
  }

  /// Sends a request on a new connection.
  func answer(_ request: TestRequest) async throws -> TestResponse {
    try await HTTPConnection(port: port).answer(to: request)
  }

  /// Sends an event that must change the board.
  @discardableResult
  func change(_ event: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSON {
    let answer = try await answer(events(event))
    try #require(
      answer.status == 200 && answer.json["outcome"]?.text == "changed",
      "\(event): \(answer.status) \(answer.text)",
      sourceLocation: sourceLocation
    )
    return answer.json
  }

  /// The state as the page gets it.
  func state() async throws -> JSON { try await answer(request("GET", "/board")).json }

  /// Waits until the state fulfils a condition, and returns it.
  @discardableResult
  func state(
    _ what: Comment,
    sourceLocation: SourceLocation = #_sourceLocation,
    where condition: (JSON) -> Bool
  ) async throws -> JSON {
    var state = JSON.null
    try await eventually(what, sourceLocation: sourceLocation) {
      state = try await self.state()
      return condition(state)
    }
    return state
  }

  // MARK: - Files

  /// The board as it is in its file.
  func stored() throws -> Board { try board.read().board }

  /// The bytes of the board's file.
  func bytes() throws -> [UInt8] { try ScratchFolder.read(board.path) }

  /// The names in a folder beside the board; empty if it does not exist.
  func names(in folder: String) -> [String] {
    (try? ScratchFolder.names(in: board.folder.appending(folder))) ?? []
  }

  /// The names of the clips that arrived.
  var clips: [String] { names(in: "board.clips") }
  /// The names of the parts that are kept.
  var parts: [String] { names(in: ".board.json.uploads") }
}

extension RunningProgram {
  /// Ends a server as its user does, and checks that no process of it remains.
  func endServing() async throws {
    let children = children()
    send(SIGTERM)
    let result = try await end(within: .seconds(60))
    #expect([0, 128 + Int(SIGTERM)].contains(result.exitStatus), "\(result.errorOutput)")
    try await eventually("no helper outlives the server") { !children.contains(where: ProcessStatus.isRunning) }
  }
}
