import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// A scratch board with a running `clipcanvas board serve --share`.
///
/// The tests speak plain HTTP to a program that passes everything on over TLS, and checks the certificate.
final class SharedServer: Sendable {
  /// Who sends a request: by its cookie and its token for changes.
  struct Visitor: Sendable {
    var cookie: String?
    var token: String?
  }

  let scratch: ScratchFolder
  let board: BoardFile
  let program: RunningProgram
  private let tunnel: RunningProgram
  private let tunnelPort: Int
  let port: Int
  /// What the server printed.
  let record: JSON
  let owner: Visitor

  /// - Parameters:
  ///   - scratch: The folder for everything; an existing board in it is kept (default: a new folder).
  ///   - options: Further options.
  init(in scratch: ScratchFolder? = nil, canvases: Int = 2, options: [String] = []) async throws {
    let scratch = try scratch ?? ScratchFolder()
    self.scratch = scratch
    board = BoardFile(at: scratch("board.json"))
    if !ProjectFolder.isThere(board.path) { try board.create(Board(columns: canvases, rows: 1)) }
    let program = try RunningProgram(
      "clipcanvas",
      ["board", "serve", "--board", board.path.string, "--listen", "127.0.0.1:0", "--share", "--json"] + options,
      scratch: scratch,
      label: "share-\(UInt32.random(in: 0 ... .max))",
      environment: ["XDG_STATE_HOME": scratch("state").string]
    )
    self.program = program
    record = try JSON(parsing: Array(try await Self.line(of: program).utf8))
    let address = try #require(record["address"]?.text)
    let words = address.split(whereSeparator: { ":/?=".contains($0) })
    let port = try #require(words.dropFirst(2).first.flatMap { Int($0) })
    self.port = port
    tunnel = try RunningProgram(
      tool: Program.python.string,
      ["-c", Self.tunnelProgram, "\(port)", scratch("state/clipcanvas/certificate.pem").string],
      scratch: scratch,
      label: "tunnel-\(UInt32.random(in: 0 ... .max))"
    )
    let tunnelPort = try #require(Int(try await Self.line(of: tunnel)))
    self.tunnelPort = tunnelPort
    let entrance = try await HTTPConnection(port: tunnelPort).answer(
      to: TestRequest(method: "GET", path: "/?token=\(words.last ?? "")", headers: [("Host", "127.0.0.1:\(port)")])
    )
    let cookie = try #require(entrance["Set-Cookie"]?.split(separator: ";").first)
    let token = entrance.text.split(separator: "\"").drop { $0 != "clipcanvas-token" }.dropFirst(2).first
    owner = Visitor(cookie: String(cookie), token: token.map(String.init))
  }

  /// Passes connections on over TLS, half-closed ones, too.
  private static let tunnelProgram = """
    import socket, ssl, sys, threading
    context = ssl.create_default_context(cafile=sys.argv[2])
    def pump(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        try:
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass
    def serve(client):
        server = context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1]))), server_hostname="127.0.0.1")
        threading.Thread(target=pump, args=(client, server), daemon=True).start()
        pump(server, client)
        client.close()
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """

  private static func line(of program: RunningProgram) async throws -> String {
    var text = ""
    try await eventually("a line is printed") {
      text = try program.outputSoFar()
      if program.hasEnded { throw TestServer.NotServing(message: try program.errorOutputSoFar()) }
      return text.hasSuffix("\n")
    }
    return String(text.dropLast())
  }

  /// Ends the server, and checks that no process remains.
  func end() async throws {
    try await program.endServing()
    tunnel.send(SIGTERM)
  }

  // MARK: - Requests

  var host: String { "127.0.0.1:\(port)" }

  /// Returns a request as a page sends it.
  func request(
    _ method: String,
    _ path: String,
    by visitor: Visitor,
    _ headers: [String: String] = [:],
    body: some Sequence<UInt8> = []
  ) -> TestRequest {
    var request = TestRequest(method: method, path: path, headers: [("Host", host)], body: Array(body))
    request["Cookie"] = visitor.cookie
    request["Sec-Fetch-Site"] = "same-origin"
    if method != "GET", method != "HEAD" { request["Origin"] = "https://\(host)" }
    if method != "GET" { request["X-ClipCanvas-Token"] = visitor.token }
    for (name, value) in headers { request[name] = value }
    return request
  }

  func answer(_ request: TestRequest) async throws -> TestResponse { try await connection().answer(to: request) }

  func connection() throws -> HTTPConnection { try HTTPConnection(port: tunnelPort) }

  /// Sends an event.
  func send(_ event: String, by visitor: Visitor) async throws -> TestResponse {
    try await answer(request("POST", "/events", by: visitor, ["Content-Type": "application/json"], body: event.utf8))
  }

  /// The state as pages get it.
  func state() async throws -> JSON { try await answer(request("GET", "/board", by: owner)).json }

  // MARK: - Guests

  /// Makes an invitation, as the page of the owner does, and returns its token.
  func invite() async throws -> String {
    let answer = try await answer(request("POST", "/invitations", by: owner))
    try #require(answer.status == 201, "\(answer.text)")
    return Self.token(in: answer.json)
  }

  /// Returns the token in the address of an invitation.
  static func token(in invitation: JSON?) -> String {
    invitation?["address"]?.text?.split(separator: "#").last.map(String.init) ?? ""
  }

  /// Accepts an invitation.
  func join(_ token: String, as name: String) async throws -> TestResponse {
    try await answer(request("POST", "/join", by: Visitor(), body: #"{"token":"\#(token)","name":"\#(name)"}"#.utf8))
  }

  /// Invites a guest that accepts.
  func guest(_ name: String) async throws -> Visitor {
    let answer = try await join(try await invite(), as: name)
    try #require(answer.status == 201, "\(answer.text)")
    let cookie = try #require(answer["Set-Cookie"]?.split(separator: ";").first)
    return Visitor(cookie: String(cookie), token: answer.json["token"]?.text)
  }

  /// Returns the request that starts a recording.
  func recording(by visitor: Visitor, replacing: Bool = false) -> TestRequest {
    let tus = ["Tus-Resumable": "1.0.0", "Upload-Defer-Length": "1"]
    // "true" in Base64.
    let metadata = replacing ? ["Upload-Metadata": "replace dHJ1ZQ=="] : [:]
    return request("POST", "/takes", by: visitor, tus.merging(metadata) { $1 })
  }

  /// Returns the request that sends a part of a recording.
  func part(_ bytes: some Sequence<UInt8>, to path: String, by visitor: Visitor) -> TestRequest {
    let headers = ["Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0"]
    return request("PATCH", path, by: visitor, headers, body: bytes)
  }

  /// Records a clip on a canvas.
  func record(_ canvas: String, by visitor: Visitor, replacing: Bool = false) async throws {
    let bytes = try await Recordings.vp8.bytes
    #expect(try await send(#"{"event":"preview","canvas":"\#(canvas)"}"#, by: visitor).status == 200)
    let started = try await answer(recording(by: visitor, replacing: replacing))
    try #require(started.status == 201, "\(started.text)")
    let path = try #require(started["Location"])
    #expect(try await answer(part(bytes, to: path, by: visitor)).status == 204)
    #expect(try await send(#"{"event":"recordStop"}"#, by: visitor).status == 200)
    let length = ["Tus-Resumable": "1.0.0", "Upload-Length": "\(bytes.count)"]
    let finished = try await answer(request("POST", path + "/finish", by: visitor, length))
    try #require(finished.status == 200, "\(finished.text)")
  }
}
