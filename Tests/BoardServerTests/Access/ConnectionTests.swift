import BoardStore
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Connections that break HTTP/1.1, or that never end.
@Suite("Connections to a served board", .enabled(if: Scope.isFull), .ownThread)
struct ConnectionTests {
  /// Sends bytes and returns the status of the answer; `nil` if the server only closes the connection.
  private static func status(of bytes: [UInt8], on server: TestServer) async throws -> Int? {
    let connection = try HTTPConnection(port: server.port)
    do { try await connection.send(bytes) } catch Errno.brokenPipe {} catch Errno.connectionReset {}
    return try? await connection.response().status
  }

  private static func expectAnswers(_ server: TestServer) async throws {
    #expect(try await server.answer(server.request("GET", "/board")).status == 200)
  }

  @Test("What is not a request is refused, and changes nothing")
  func malformed() async throws {
    let server = try await TestServer()
    let before = try server.bytes()
    let tap = #"{"event":"tap","canvas":"c1"}"#
    let head =
      "POST /events HTTP/1.1\r\nHost: \(server.host)\r\nOrigin: \(server.origin)\r\n"
      + "X-ClipCanvas-Token: \(server.token)\r\nContent-Type: application/json\r\n"
    let requests: [(String, String)] = [
      ("no request", "\r\n\r\nhello\r\n\r\n"), ("TLS", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{FC}\u{3}\u{3}"),
      ("another protocol", "GET / HTTP/9.9\r\n\r\n"), ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
      ("a space in the path", "GET /board x HTTP/1.1\r\nHost: \(server.host)\r\n\r\n"),
      ("NUL in the path", "GET /\0 HTTP/1.1\r\nHost: \(server.host)\r\n\r\n"),
      ("NUL in a header", "GET / HTTP/1.1\r\nHost: \(server.host)\r\nCookie: a\0b\r\n\r\n"),
      ("no host", "GET /board HTTP/1.1\r\nCookie: \(server.cookie)\r\n\r\n"),
      ("an old protocol without a host", "GET /board HTTP/1.0\r\nCookie: \(server.cookie)\r\n\r\n"),
      (
        "a long header",
        "GET /board HTTP/1.1\r\nHost: \(server.host)\r\nA: \(String(repeating: "a", count: 20_000))\r\n\r\n"
      ),
      ("a long path", "GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: \(server.host)\r\n\r\n"),
      ("many headers", "GET /board HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 200) + "\r\n"),
      (
        "a length and chunks", head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n1d\r\n\(tap)\r\n0\r\n\r\n"
      ),
      ("two lengths", head + "Content-Length: 29\r\nContent-Length: 5\r\n\r\n" + tap),
      ("a negative length", head + "Content-Length: -1\r\n\r\n" + tap),
      ("a length that is not a number", head + "Content-Length: 2 9\r\n\r\n" + tap),
      ("a length beyond all bounds", head + "Content-Length: 99999999999999999999\r\n\r\n" + tap),
      ("a length that is too small", head + "Content-Length: 28\r\n\r\n" + tap),
      ("chunks that are not", head + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n" + tap),
      ("a chunk beyond all bounds", head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n" + tap),
      ("chunks that are compressed", head + "Transfer-Encoding: gzip\r\n\r\n" + tap),
    ]
    for (name, text) in requests {
      let status = try await Self.status(of: Array(text.utf8), on: server)
      #expect(status == nil || 400..<600 ~= status ?? 0, "\(name): \(status ?? 0)")
      #expect(try server.bytes() == before, "\(name)")
    }
    try await Self.expectAnswers(server)
    try await server.end()
  }

  @Test("Of two hosts, neither is believed")
  func twoHosts() async throws {
    let server = try await TestServer()
    for hosts in [[server.host, "evil.example"], ["evil.example", server.host]] {
      var request = server.request("GET", "/board").with("Host", nil)
      request.headers += hosts.map { ("Host", $0) }
      let answer = try await server.answer(request)
      #expect(answer.status == 400 || answer.status == 421, "\(hosts): \(answer.status)")
    }
    try await server.end()
  }

  @Test("An endless header is refused long before its end")
  func endlessHeader() async throws {
    let server = try await TestServer()
    let connection = try HTTPConnection(port: server.port)
    let line = "A: \(String(repeating: "a", count: 1000))\r\n"
    let lines = String(repeating: line, count: 200)
    try await connection.send(Array(("GET / HTTP/1.1\r\n" + lines).utf8))
    #expect(try await connection.response().status == 400)
    #expect(server.program.peakMemorySoFar < 512 << 20)
    try await Self.expectAnswers(server)
    try await server.end()
  }

  /// Opens connections that send no request, or an unfinished one.
  ///
  /// - Parameter interval: After how many of them a request on another connection must be answered.
  /// - Returns: The connections, and the largest number of descriptors that the server was seen with.
  private static func flood(
    _ server: TestServer,
    _ count: Int,
    askingAfter interval: Int
  ) async throws -> (connections: [HTTPConnection], descriptors: Int) {
    let halves = [
      "", "G", "GET /board HTTP/1.1\r\nHost",
      "POST /events HTTP/1.1\r\nHost: \(server.host)\r\nContent-Length: 100\r\n\r\n",
    ]
    var (connections, descriptors): ([HTTPConnection], Int) = ([], 0)
    for number in 1...count {
      let connection = try HTTPConnection(port: server.port)
      try await connection.send(Array(halves[number % halves.count].utf8))
      connections.append(connection)
      guard number % interval == 0 else { continue }
      try await expectAnswers(server)
      descriptors = max(descriptors, server.program.openFiles().count)
    }
    return (connections, descriptors)
  }

  @Test("Connections without requests do not delay others, and take few descriptors and little memory")
  func idle() async throws {
    let count = LongForm.count(short: 1000, long: 10_000, variable: "TORTURE_CONNECTIONS")
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    try #require(limit.rlim_cur > count + 500, "the limit on descriptors is too low for this test")
    let server = try await TestServer()
    let early = try await EventStream(of: server)
    _ = try await early.next()
    let memory = server.program.peakMemorySoFar
    let (connections, descriptors) = try await Self.flood(server, count, askingAfter: 100)
    #expect(descriptors < 700)
    // Existing uploads continue, and later requests are answered.
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(repeating: 1, count: 100_000))
    for stream in [early, try await EventStream(of: server)] {
      try await stream.events { $0["session"]?.text == "recording" }
    }
    #expect(server.program.peakMemorySoFar - memory < 24 << 20)
    withExtendedLifetime(connections) {}
    try await server.end()
  }

  @Test("With a low descriptor limit, connections without requests do not use them up")
  func fewDescriptors() async throws {
    let server = try await TestServer(wrapper: ["prlimit", "--nofile=320"])
    let (connections, _) = try await Self.flood(server, 400, askingAfter: 400)
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await upload.finish(length: bytes.count).status == 200)
    #expect(try server.program.errorOutputSoFar().isEmpty)
    withExtendedLifetime(connections) {}
    try await server.end()
  }

  @Test("Requests on one connection are answered in their order")
  func pipeline() async throws {
    let server = try await TestServer()
    let connection = try HTTPConnection(port: server.port)
    let requests = [server.request("GET", "/board"), server.request("GET", "/x"), server.request("GET", "/icon.svg")]
    try await connection.send(requests.flatMap(\.bytes))
    for status in [200, 404, 200] { #expect(try await connection.response().status == status) }
    try await server.end()
  }

  @Test("A server whose standard output is closed serves")
  func closedOutput() async throws {
    let scratch = try ScratchFolder()
    let first = try await TestServer(in: scratch)
    try await first.end()
    let program = try RunningProgram(
      tool: "bash",
      ["-c", "exec \"$@\" | true", "-", ProjectFolder.program("clipcanvas").string, "board", "serve"]
        + ["--board", first.board.path.string, "--listen", first.host],
      scratch: scratch,
      label: "closed",
      environment: ["XDG_STATE_HOME": scratch("state").string]
    )
    try await eventually("the server answers") {
      (try? await first.answer(first.request("GET", "/board")).status) == 200
    }
    program.sendToGroup(SIGTERM)
    _ = try await program.end(within: .seconds(30))
  }
}
