import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("A board that is shared with phones", .enabled(if: Scope.isFull), .ownThread)
struct SharingTests {
  @Test("What is printed is a valid address, the fingerprint of the certificate and an invitation that works")
  func printed() async throws {
    let server = try await SharedServer(options: ["--invite-for", "90s"])
    let invitation = try #require(server.record["invitation"])
    let seconds = try #require(invitation["seconds"]?.double)
    #expect(server.record["address"]?.text?.hasPrefix("https://127.0.0.1:\(server.port)/?token=") == true)
    #expect(invitation["address"]?.text?.hasPrefix("https://127.0.0.1:\(server.port)/join#") == true && seconds == 90)
    let file = server.scratch("state/clipcanvas/certificate.pem").string
    let asked = try await Program.runTool(
      "sh",
      ["-c", "openssl s_client -connect \(server.host) </dev/null | openssl x509 -noout -fingerprint -sha256"]
    )
    #expect(asked.text == "sha256 Fingerprint=\(invitation["fingerprint"]?.text ?? "")\n", "\(asked.errorOutput)")
    #expect(try server.program.errorOutputSoFar().contains("made a certificate for shared boards: \(file)"))
    let answer = try await server.join(SharedServer.token(in: invitation), as: "Ann")
    #expect(answer.status == 201 && answer.json["name"]?.text == "Ann", "\(answer.text)")
    let cookie = answer["Set-Cookie"] ?? ""
    #expect(cookie.hasPrefix("clipcanvas-guest-\(server.port)="))
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Secure"), "\(cookie)")
    #expect(try await server.state()["guests"]?.elements.map { $0["name"]?.text } == ["Ann"])
    try await server.end()
  }

  @Test("The page of an invitation needs no access; everything else does, and other sites and names cannot join")
  func open() async throws {
    let server = try await SharedServer()
    let stranger = SharedServer.Visitor()
    for path in SharingRoutesPaths.open {
      let link = server.request("GET", path, by: stranger, ["Sec-Fetch-Site": "cross-site", "Accept": "text/html"])
      let answer = try await server.answer(link)
      #expect(answer.status == 200, "\(path)")
      #expect(answer["Content-Security-Policy"]?.contains("default-src 'none'") == true, "\(path)")
      #expect(!answer.text.contains(server.owner.token ?? "?"))
    }
    for path in ["/", "/board", "/changes", "/main.js", "/join/", "//join", "/clips/c1/1"] {
      #expect(try await server.answer(server.request("GET", path, by: stranger)).status == 401, "\(path)")
    }
    let token = try await server.invite()
    let body = #"{"token":"\#(token)","name":"x"}"#
    let join = server.request("POST", "/join", by: stranger, body: body.utf8)
    for (request, status) in [
      (join.with("Origin", "https://evil.example"), 403), (join.with("Origin", nil), 403),
      (join.with("Sec-Fetch-Site", "cross-site"), 403), (join.with("Host", "evil.example"), 421),
      (server.request("POST", "/join", by: stranger, body: body.utf8.dropLast()), 400),
      (server.request("POST", "/join", by: stranger, body: body.utf8 + Array(repeating: 0x20, count: 5000)), 400),
      (server.request("POST", "/join", by: stranger, body: #"{"token":1,"name":"x"}"#.utf8), 400),
      (server.request("POST", "/join", by: stranger, body: #"{"token":"x","name":"x"}"#.utf8), 403),
      (server.request("DELETE", "/join", by: stranger), 401), (server.request("PATCH", "/join", by: stranger), 401),
    ] {
      let answer = try await server.answer(request)
      #expect(answer.status == status && !(answer.sentence ?? "").isEmpty, "\(answer.status) \(answer.text)")
    }
    #expect(try await server.answer(join).status == 201)
    let again = try await server.answer(join)
    #expect(again.status == 410 && again.sentence?.contains("each works once") == true)
    try await server.end()
  }

  @Test("The documentation lists what a guest may request, and the server allows exactly that")
  func rights() async throws {
    let server = try await SharedServer()
    try await server.record("c1", by: server.owner)
    let guest = try await server.guest("Ann")
    for right in Right.all {
      let answer = try await server.answer(right.request(server, guest))
      if right.isAllowed {
        #expect(answer.status != 401 && answer.status != 403, "\(right.name): \(answer.status) \(answer.text)")
      } else {
        #expect(answer.status == 403, "\(right.name): \(answer.status) \(answer.text)")
        let owner = try await server.answer(right.request(server, server.owner))
        #expect(owner.status != 401 && owner.status != 403, "\(right.name), owner: \(owner.status) \(owner.text)")
      }
    }
    let page = ProjectFolder.top.appending("Sources/BoardServer/BoardServer.docc/Guests.md")
    let text = String(decoding: try ScratchFolder.read(page), as: UTF8.self)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2)
    let expected = Right.all.map { "| \($0.name) | \($0.isAllowed ? "yes" : "no") |" }
    #expect(rows.map(String.init) == expected, "\(expected.joined(separator: "\n"))")
    try await server.end()
  }

  @Test("Of two phones, one records; the other learns who does, changes nothing, and records afterwards")
  func turns() async throws {
    let server = try await SharedServer()
    let (ann, ben) = (try await server.guest("Ann"), try await server.guest("Ben"))
    #expect(try await server.send(#"{"event":"preview","canvas":"c1"}"#, by: ann).status == 200)
    let started = try await server.answer(server.recording(by: ann))
    let path = try #require(started["Location"], "\(started.text)")
    let bytes = try await Recordings.vp8.bytes
    #expect(try await server.answer(server.part(bytes, to: path, by: ben)).status == 403)
    #expect(try await server.answer(server.part(bytes, to: path, by: ann)).status == 204)
    #expect(try await server.state()["take"]?["guest"]?["name"]?.text == "Ann")
    for event in ["recordPause", "recordStop", "recordDiscard"] {
      let answer = try await server.send(#"{"event":"\#(event)"}"#, by: ben)
      #expect(answer.status == 403, "\(event)")
      #expect(answer.sentence == "Ann is recording on c1; you can record when that has ended", "\(answer.text)")
    }
    #expect(try await server.send(#"{"event":"preview","canvas":"c2"}"#, by: ben).json["reason"]?.text == "locked")
    let leave = ["Tus-Resumable": "1.0.0"]
    #expect(try await server.answer(server.request("POST", path + "/leave", by: ben, leave)).status == 403)
    #expect(try await server.state()["session"]?.text == "recording")
    #expect(try await server.send(#"{"event":"recordStop"}"#, by: ann).status == 200)
    let length = ["Tus-Resumable": "1.0.0", "Upload-Length": "\(bytes.count)"]
    #expect(try await server.answer(server.request("POST", path + "/finish", by: ann, length)).status == 200)
    try await server.record("c2", by: ben)
    let clips = try await server.state()["canvases"]?.elements.map { $0["clip"]?["name"]?.text }
    #expect(clips == ["c1-take-1.webm", "c2-take-1.webm"], "\(clips ?? [])")
    try await server.end()
  }

  @Test("Of two phones that start at the same time, one records, and the board has its name")
  func atOnce() async throws {
    let server = try await SharedServer()
    let (ann, ben) = (try await server.guest("Ann"), try await server.guest("Ben"))
    for round in 0..<5 {
      #expect(try await server.send(#"{"event":"preview","canvas":"c1"}"#, by: ann).status == 200)
      async let first = server.answer(server.recording(by: ann))
      async let second = server.answer(server.recording(by: ben))
      let answers = try await [first, second]
      #expect(answers.map(\.status).sorted() == [201, 409], "\(round): \(answers.map(\.text))")
      let winner = answers[0].status == 201 ? "Ann" : "Ben"
      #expect(answers.first { $0.status != 201 }?.json["reason"]?.text == "locked")
      #expect(try await server.state()["take"]?["guest"]?["name"]?.text == winner)
      #expect(try await server.send(#"{"event":"recordDiscard"}"#, by: server.owner).status == 200)
    }
    try await server.end()
  }

  @Test("A guest replaces its own clip, but no other")
  func replacing() async throws {
    let server = try await SharedServer()
    let (ann, ben) = (try await server.guest("Ann"), try await server.guest("Ben"))
    try await server.record("c1", by: ann)
    try await server.record("c1", by: ann, replacing: true)
    let before = try server.board.read().board
    #expect(try await server.send(#"{"event":"preview","canvas":"c1"}"#, by: ben).status == 200)
    let refused = try await server.answer(server.recording(by: ben, replacing: true))
    #expect(refused.status == 403 && refused.sentence?.contains("a clip of another person") == true, "\(refused.text)")
    #expect(try server.board.read().board.canvases.map(\.clip) == before.canvases.map(\.clip))
    try await server.record("c1", by: server.owner, replacing: true)
    #expect(try await server.send(#"{"event":"preview","canvas":"c1"}"#, by: ann).status == 200)
    #expect(try await server.answer(server.recording(by: ann, replacing: true)).status == 403)
    try await server.end()
  }

  @Test("What a phone that is gone recorded can be kept by another, so that the board is free again")
  func abandoned() async throws {
    let server = try await SharedServer()
    let (ann, ben) = (try await server.guest("Ann"), try await server.guest("Ben"))
    #expect(try await server.send(#"{"event":"preview","canvas":"c1"}"#, by: ann).status == 200)
    let path = try #require(try await server.answer(server.recording(by: ann))["Location"])
    #expect(try await server.answer(server.part(try await Recordings.vp8.bytes, to: path, by: ann)).status == 204)
    let leave = ["Tus-Resumable": "1.0.0"]
    #expect(try await server.answer(server.request("POST", path + "/leave", by: ann, leave)).status == 204)
    #expect(try await server.state()["take"]?["guest"]?["name"]?.text == "Ann")
    #expect(try await server.send(#"{"event":"recordDiscard"}"#, by: ben).status == 403)
    #expect(try await server.send(#"{"event":"recordStop"}"#, by: ben).status == 200)
    try await eventually("the clip is made") {
      try await server.state()["canvases"]?.elements.first?["clip"] != .null
    }
    try await server.record("c2", by: ben)
    try await server.end()
  }

  @Test("A guest that is removed is out at once, with its recording interrupted, and others stay")
  func removed() async throws {
    let server = try await SharedServer()
    let (ann, ben) = (try await server.guest("Ann"), try await server.guest("Ben"))
    #expect(try await server.send(#"{"event":"preview","canvas":"c1"}"#, by: ann).status == 200)
    let path = try #require(try await server.answer(server.recording(by: ann))["Location"])
    let stream = try server.connection()
    try await stream.send(server.request("GET", "/changes", by: ann))
    #expect(try await stream.head().status == 200)
    #expect(try await server.answer(server.request("DELETE", "/guests/1", by: ben)).status == 403)
    #expect(try await server.answer(server.request("DELETE", "/guests/1", by: server.owner)).status == 204)
    #expect(try await server.answer(server.request("DELETE", "/guests/1", by: server.owner)).status == 404)
    // The first messages may have been sent before; without an end, there would be a sign of life now and then.
    var chunks = 0
    while chunks < 5, try await stream.chunk() != nil { chunks += 1 }
    #expect(chunks < 5, "the stream continues")
    for request in [
      server.request("GET", "/board", by: ann), server.part([1], to: path, by: ann), server.recording(by: ann),
    ] { #expect(try await server.answer(request).status == 401) }
    #expect(try await server.answer(server.request("GET", "/board", by: ben)).status == 200)
    try await eventually("the recording is interrupted") { try await server.state()["session"]?.text == "paused" }
    #expect(try await server.send(#"{"event":"recordDiscard"}"#, by: server.owner).status == 200)
    try await server.end()
  }

  @Test("The certificate outlives the server, the guests do not; after it was removed there is a new one")
  func restarted() async throws {
    let server = try await SharedServer()
    let ann = try await server.guest("Ann")
    let fingerprint = server.record["invitation"]?["fingerprint"]?.text
    try await server.end()
    let second = try await SharedServer(in: server.scratch)
    #expect(second.record["invitation"]?["fingerprint"]?.text == fingerprint)
    let cookie = ann.cookie.map { "clipcanvas-guest-\(second.port)=" + ($0.split(separator: "=").last ?? "") }
    #expect(try await second.answer(second.request("GET", "/board", by: .init(cookie: cookie))).status == 401)
    let file = server.scratch("state/clipcanvas/certificate.pem")
    // A server that runs needs the file no more.
    #expect(unlink(file.string) == 0)
    #expect(try await second.guest("Ben").token?.isEmpty == false)
    try await second.end()
    let third = try await SharedServer(in: server.scratch)
    #expect(third.record["invitation"]?["fingerprint"]?.text != fingerprint)
    #expect(try third.program.errorOutputSoFar().contains("made a certificate"))
    try await third.end()
  }

  @Test("An address that is not one of this machine leaves the certificate as it is")
  func mistypedAddress() async throws {
    let server = try await SharedServer()
    try await server.end()
    let file = server.scratch("state/clipcanvas/certificate.pem")
    let before = try ScratchFolder.read(file)
    let board = server.scratch("board.json").string
    let result = try await Program.run(
      "clipcanvas",
      ["board", "serve", "--share", "--board", board, "--listen", "no-such-host:0"],
      environment: ["XDG_STATE_HOME": server.scratch("state").string]
    )
    #expect(result.exitStatus == 2 && result.errorOutput.contains("there is no host 'no-such-host'"))
    #expect(try ScratchFolder.read(file) == before)
  }

  @Test("Without a network, and with options that do not fit, the message names the way out")
  func refused() async throws {
    let scratch = try ScratchFolder()
    try BoardFile(at: scratch("board.json")).create(Board(columns: 1, rows: 1))
    let serve = [ProjectFolder.program("clipcanvas").string, "board", "serve", "--board", scratch("board.json").string]
    for (options, words) in [
      (["--invite-for", "5m"], "'--invite-for' needs '--share'"),
      (["--share", "--invite-for", "1s"], "10s to 24h"), (["--share", "--certificate", "a.pem"], "'--key'"),
    ] {
      let result = try await Program.runTool("env", serve + options)
      #expect(result.exitStatus == 64 && result.errorOutput.contains(words), "\(result.errorOutput)")
    }
    guard geteuid() == 0 else { return }
    let result = try await Program.runTool(
      "env",
      ["XDG_STATE_HOME=\(scratch("state").string)", "unshare", "--net"] + serve + ["--share"]
    )
    #expect(result.exitStatus == 2 && result.text.isEmpty)
    #expect(
      result.errorOutput == "clipcanvas: this machine has no network address that a phone could reach; connect it to a "
        + "network, or name the address with '--host'\n",
      "\(result.errorOutput)"
    )
  }

  @Test("A terminal gets the address, the fingerprint and a code that another program reads; Enter gives a new one")
  func terminal() async throws {
    let scratch = try ScratchFolder()
    try BoardFile(at: scratch("board.json")).create(Board(columns: 1, rows: 1))
    let result = try await Program.runTool(
      "env",
      ["XDG_STATE_HOME=\(scratch("state").string)", Program.python.string, "-c", Self.terminalProgram]
        + [ProjectFolder.program("clipcanvas").string, scratch("board.json").string]
    )
    #expect(result.exitStatus == 0, "\(result.text)\(result.errorOutput)")
    let lines = result.text.split(whereSeparator: \.isNewline)
    let addresses = lines.filter { $0.hasPrefix("  https://127.0.0.1:") && $0.contains("/join#") }
    #expect(addresses.count == 2 && Set(addresses).count == 2, "\(result.text)")
    let fingerprints = lines.filter { $0.wholeMatch(of: #/\s+([0-9A-F]{2}:){31}[0-9A-F]{2}/#) != nil }
    #expect(fingerprints.count == 2 && Set(fingerprints).count == 1)
    #expect(lines.contains { $0.contains("Press Enter to invite another phone") })
    #expect(lines.count { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") } == 2 * 21, "\(result.text)")
  }

  /// Runs the server in a terminal of 100 columns, presses Enter once, and prints what it printed.
  private static let terminalProgram = """
    import fcntl, os, pty, struct, sys, termios, time
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.argv[1], [sys.argv[1], "board", "serve", "--share", "--listen", "127.0.0.1:0", "--board", sys.argv[2]])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
    text = b""
    def read_until(count):
        global text
        while text.count(b"Press Enter") < count:
            text += os.read(terminal, 65536)
    read_until(1)
    os.write(terminal, b"\\n")
    read_until(2)
    os.write(terminal, b"\\x03")
    os.waitpid(pid, 0)
    sys.stdout.buffer.write(text)
    """
}

/// What can be requested without access.
private enum SharingRoutesPaths {
  static let open = ["/join", "/join.js", "/guest.js", "/server.js", "/icon.svg"]
}

/// A request, and whether a guest may send it.
private struct Right: Sendable {
  let name: String
  let isAllowed: Bool
  let request: @Sendable (SharedServer, SharedServer.Visitor) -> TestRequest

  init(
    _ name: String,
    _ isAllowed: Bool,
    _ request: @escaping @Sendable (SharedServer, SharedServer.Visitor) -> TestRequest
  ) {
    (self.name, self.isAllowed, self.request) = (name, isAllowed, request)
  }

  private static func get(_ path: String, _ isAllowed: Bool = true) -> Right {
    Right("`GET \(path)`", isAllowed) { $0.request("GET", path, by: $1) }
  }

  private static func event(_ line: String, _ isAllowed: Bool) -> Right {
    Right("`\(line)`", isAllowed) {
      $0.request("POST", "/events", by: $1, ["Content-Type": "application/json"], body: line.utf8)
    }
  }

  /// The order matters: the board stays as it is until the last rows.
  static let all = [
    get("/"), get("/board"), get("/canvases/c1/takes"), get("/clips/c1/2"), get("/covers/c1/2"),
    get("/picture", false), get("/export/video", false),
    Right("`POST /export`", false) { $0.request("POST", "/export", by: $1) },
    Right("`DELETE /export`", false) { $0.request("DELETE", "/export", by: $1) },
    event(#"{"event":"tap","canvas":"c2"}"#, true), event(#"{"event":"select","canvas":"c1"}"#, true),
    event(#"{"event":"preview","canvas":"c2"}"#, true), event(#"{"event":"stopPreview"}"#, true),
    event(#"{"event":"deselect"}"#, true),
    Right("a recording on an empty canvas", true) { $0.recording(by: $1) },
    Right("a file for a canvas", false) {
      let headers = ["Tus-Resumable": "1.0.0", "Upload-Length": "5"]
      return $0.request("POST", "/canvases/c2/clip", by: $1, headers)
    },
    event(#"{"event":"trimClip","canvas":"c1","from":0.5}"#, false),
    event(#"{"event":"coverRetry","canvas":"c1"}"#, false), event(#"{"event":"removeClip","canvas":"c1"}"#, false),
    event(#"{"event":"useTake","canvas":"c1","generation":2}"#, false),
    event(#"{"event":"removeTake","canvas":"c1","generation":2}"#, false),
    event(#"{"event":"addCanvas","canvas":"c3"}"#, false),
    event(#"{"event":"moveCanvas","canvas":"c3","to":0}"#, false),
    event(#"{"event":"removeCanvas","canvas":"c3"}"#, false), event(#"{"event":"undo"}"#, false),
    event(#"{"event":"redo"}"#, false),
    Right("an invitation", false) { $0.request("POST", "/invitations", by: $1) },
    Right("the removal of a guest", false) { $0.request("DELETE", "/guests/9", by: $1) },
  ]
}
