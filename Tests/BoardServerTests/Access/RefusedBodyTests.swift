import BoardStore
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Requests that are refused before they have arrived, and requests with two names of the server.
@Suite("Refused connections to a served board", .enabled(if: Scope.isFull), .ownThread)
struct RefusedBodyTests {
  /// The start of a request to change the board without permission, up to the headers of its body.
  private static func head(_ server: TestServer, _ version: String = "HTTP/1.1") -> String {
    "POST /events \(version)\r\nHost: \(server.host)\r\nOrigin: \(server.origin)\r\n"
  }

  /// The headers of bodies that do not end, and what is sent of them again and again.
  static let bodies: [(name: String, headers: String, piece: String)] = [
    ("chunks", "Transfer-Encoding: chunked\r\n", "1000\r\n" + String(repeating: "a", count: 4096) + "\r\n"),
    ("a length", "Content-Length: 999999999999\r\n", String(repeating: "a", count: 4096)),
    ("a slow body", "Content-Length: 999999999999\r\n", "a"),
    ("announced", "Content-Length: 999999999999\r\nExpect: 100-continue\r\n", "a"),
    ("the last request", "Connection: close\r\nContent-Length: 999999999999\r\n", "a"),
  ]

  @Test("The body of a refused request is not read for ever", arguments: bodies, ["HTTP/1.1", "HTTP/1.0"])
  func endless(_ body: (name: String, headers: String, piece: String), _ version: String) async throws {
    let server = try await TestServer(lease: .seconds(6))
    let connection = try HTTPConnection(port: server.port)
    try await connection.send(Array((Self.head(server, version) + body.headers + "\r\n").utf8))
    let answer = try await connection.response()
    #expect(answer.status == 401 && answer["Connection"] == "close", "\(answer.status)")
    // The server has ended its side; what else is sent is dropped for a while, and then refused.
    let isEnded = Task { try await connection.end() }
    let deadline = ContinuousClock.now + HTTPConnection.patience
    var isOpen = true
    while isOpen, ContinuousClock.now < deadline {
      do {
        try await connection.send(Array(body.piece.utf8))
        if body.piece.count == 1 { try await pause(.milliseconds(100)) }
      } catch let error as Errno where error == .brokenPipe || error == .connectionReset {
        isOpen = false
      }
    }
    #expect(!isOpen)
    #expect(try await isEnded.value.isEmpty)
    #expect(try await server.answer(server.request("GET", "/board")).status == 200)
    try await server.end()
  }

  @Test("A request after a refused one whose body has not arrived is not done")
  func next() async throws {
    let server = try await TestServer()
    let before = try server.bytes()
    let connection = try HTTPConnection(port: server.port)
    try await connection.send(Array((Self.head(server) + "Content-Length: 10\r\n\r\n").utf8))
    #expect(try await connection.response().status == 401)
    let tap = server.events(#"{"event":"tap","canvas":"c1"}"#).bytes
    do { try await connection.send(Array("0123456789".utf8) + tap) } catch Errno.brokenPipe {}
    #expect(try await connection.end().isEmpty)
    #expect(try server.bytes() == before)
    try await server.end()
  }

  @Test("A refused request whose body has arrived leaves the connection open")
  func whole() async throws {
    let server = try await TestServer()
    let connection = try HTTPConnection(port: server.port)
    let foreign = server.events(#"{"event":"deselect"}"#).with("X-ClipCanvas-Token", nil)
    for _ in 0..<3 {
      let answer = try await connection.answer(to: foreign)
      #expect(answer.status == 401 && answer["Connection"] != "close")
    }
    #expect(try await connection.answer(to: server.request("GET", "/board")).status == 200)
    try await server.end()
  }

  @Test("A client that sends a whole body before it reads gets the answer", arguments: [1 << 20, 8 << 20])
  func large(_ count: Int) async throws {
    let server = try await TestServer()
    for _ in 0..<2 {
      var request = server.events("x").with("X-ClipCanvas-Token", nil)
      request.body = Array(repeating: 0x20, count: count)
      let connection = try HTTPConnection(port: server.port)
      // Neither a closed connection nor a lost answer.
      try await connection.send(request)
      #expect(try await connection.response().status == 401)
    }
    try await server.end()
  }

  @Test("A request that is allowed and has a body that is not read ends like a refused one")
  func unread() async throws {
    let server = try await TestServer()
    let connection = try HTTPConnection(port: server.port)
    var request = server.request("GET", "/board")
    request["Transfer-Encoding"] = "chunked"
    try await connection.send(request)
    let answer = try await connection.response()
    #expect(answer.status == 200 && answer["Connection"] == "close")
    #expect(try await connection.end().isEmpty)
    try await server.end()
  }

  @Test("The old protocol gets its answer and the end of the connection")
  func old() async throws {
    let server = try await TestServer()
    let connection = try HTTPConnection(port: server.port)
    let request = "GET /icon.svg HTTP/1.0\r\nHost: \(server.host)\r\nCookie: \(server.cookie)\r\n\r\n"
    try await connection.send(Array(request.utf8))
    let start = ContinuousClock.now
    let answer = try await connection.response()
    #expect(answer.status == 200 && answer["Connection"] == "close")
    #expect(try await connection.end().isEmpty && ContinuousClock.now - start < .seconds(5))
    try await server.end()
  }

  // MARK: - Two names

  /// Requests that name the server in their first line: that line, the hosts, and the status of the answer.
  private static func targets(_ host: String, _ entry: String) -> [(line: String, hosts: [String], status: Int)] {
    [
      ("GET http://evil.example/board HTTP/1.1", [host], 421), ("GET http://evil.example/ HTTP/1.1", [host], 421),
      ("GET http://evil.example/?token=\(entry) HTTP/1.1", [host], 421),
      ("GET http://evil.example?token=\(entry) HTTP/1.1", [host], 421),
      ("GET HTTP://EVIL.example/board HTTP/1.1", [host], 421),
      ("GET https://evil.example/board HTTP/1.1", [host], 421),
      ("GET http://evil@\(host)/board HTTP/1.1", [host], 421),
      ("GET http://\(host)@evil.example/board HTTP/1.1", [host], 421),
      ("GET http://\(host).evil.example/board HTTP/1.1", [host], 421),
      ("GET http://evil.example:99999999/board HTTP/1.1", [host], 421),
      ("GET http://127.0.0.1/board HTTP/1.1", [host], 421),
      ("GET http://evil.example/board HTTP/1.0", [host], 421), ("GET http://evil.example/board HTTP/1.0", [], 421),
      ("GET http://\(host)/board HTTP/1.1", ["evil.example"], 421),
      ("GET http://\(host)/board HTTP/1.1", [host, "evil.example"], 421),
      ("GET /board HTTP/1.1", [host, host], 421), ("GET /board HTTP/1.1", [], 421), ("GET /board HTTP/1.0", [], 421),
      ("GET /board HTTP/1.1", [""], 421), ("CONNECT evil.example:80 HTTP/1.1", [host], 421),
      ("GET http://\(host)/board HTTP/1.1", [host], 200), ("GET HTTP://\(host)/board HTTP/1.1", [host], 200),
      ("GET http://\(host)/board HTTP/1.0", [], 200), ("GET http://\(host)/board HTTP/1.0", [host], 200),
      ("GET http://\(host) HTTP/1.1", [host], 200), ("GET http://\(host)?token=\(entry) HTTP/1.1", [host], 200),
      ("GET /board HTTP/1.0", [host], 200), ("GET //evil.example/board HTTP/1.1", [host], 404),
    ]
  }

  @Test("A request names the server in its first line, in its host, or in both, but never another one")
  func names() async throws {
    let server = try await TestServer()
    for (line, hosts, status) in Self.targets(server.host, server.entry) {
      let headers = hosts.map { "Host: \($0)\r\n" }.joined() + "Cookie: \(server.cookie)\r\n"
      let connection = try HTTPConnection(port: server.port)
      try await connection.send(Array((line + "\r\n" + headers + "\r\n").utf8))
      // What is not valid HTTP gets 400.
      let answer = try? await connection.response().status
      #expect(answer == status || status == 421 && answer == 400, "\(line) \(hosts): \(answer ?? 0)")
    }
    try await server.end()
  }
}
