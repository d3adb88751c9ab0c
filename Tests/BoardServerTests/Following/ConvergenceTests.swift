import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Pages that follow a board which many change.
@Suite("Pages that follow a served board", .enabled(if: Scope.isFull), .ownThread)
struct ConvergenceTests {
  @Test("A page that reconnects during a recording knows how long it has lasted")
  func elapsed() async throws {
    let server = try await TestServer()
    let stream = try await EventStream(of: server)
    _ = try await stream.next()
    let known = await stream.lastID
    _ = try await TestUpload.record(on: server)
    try await server.state("the recording has lasted for a second") { ($0["take"]?["seconds"]?.double ?? 0) >= 1 }
    let again = try await EventStream(of: server, after: known)
    try await again.events { $0["take"]?["id"] != nil }
    let seconds = try #require(await again.state["take"]?["seconds"]?.double)
    #expect((1...30).contains(seconds), "\(seconds)")
    try await server.end()
  }

  @Test("A cover that is pending when the server starts is made")
  func waitingCover() async throws {
    let scratch = try ScratchFolder()
    let board = BoardFile(at: scratch("board.json"))
    try board.create(Board(columns: 1, rows: 1))
    let clip = try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let result = try await Program.run(
      "clipcanvas",
      ["board", "clip", "import", "c1", clip.string, "--no-cover", "--board", board.path.string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let server = try await TestServer(in: scratch)
    try await server.state("the cover is made") { $0["canvases"]?.elements.first?["cover"]?.text == "ready" }
    try await server.end()
  }

  /// What a page knows at each revision.
  private typealias States = [Int: [JSON]]

  /// Follows until a canvas of a given name appears, and returns what the page knew at each revision.
  private static func follow(_ stream: EventStream, until last: String) async throws -> States {
    var states: States = [:]
    while let event = try await stream.next() {
      let revision = try #require(event.data["revision"]?.int)
      let canvases = await stream.state["canvases"]?.elements ?? []
      states[revision] = canvases
      if canvases.contains(where: { $0["id"]?.text == last }) { return states }
    }
    return states
  }

  private static func event(_ numbers: inout SeededNumbers, _ number: Int) -> String {
    let canvas = "\"canvas\":\"c\(Int.random(in: 1...4, using: &numbers))\""
    let generation = Int.random(in: 1...4, using: &numbers)
    return switch Int.random(in: 0..<17, using: &numbers) {
    case 0...3: "{\"event\":\"tap\",\(canvas)}"
    case 4: "{\"event\":\"select\",\(canvas)}"
    case 5: "{\"event\":\"addCanvas\",\"canvas\":\"n\(number)\"}"
    case 6: "{\"event\":\"addCanvas\",\"canvas\":\"c\(Int.random(in: 1...4, using: &numbers))\"}"
    case 7: "{\"event\":\"removeCanvas\",\(canvas)}"
    case 8, 9: "{\"event\":\"moveCanvas\",\(canvas),\"to\":\(Int.random(in: 0...3, using: &numbers))}"
    case 10: "{\"event\":\"undo\"}"
    case 11: "{\"event\":\"removeClip\",\(canvas)}"
    case 12, 13: "{\"event\":\"trimClip\",\(canvas),\"from\":\(Double(generation) / 4)}"
    case 14: "{\"event\":\"useTake\",\(canvas),\"generation\":\(generation)}"
    case 15: "{\"event\":\"removeTake\",\(canvas),\"generation\":\(generation)}"
    default: "{\"event\":\"redo\"}"
    }
  }

  /// Sends random events in one of three ways.
  private static func write(_ way: Int, _ count: Int, to server: TestServer) async throws {
    var numbers = SeededNumbers(seed: UInt64(way))
    let connection = try HTTPConnection(port: server.port)
    for number in 0..<count {
      let event = event(&numbers, way * 10_000 + number)
      switch way {
      case 0:
        let answer = try await connection.answer(to: server.events(event))
        #expect([200, 409].contains(answer.status), "\(event): \(answer.text)")
      case 1:
        let result = try await Program.run(
          "clipcanvas",
          ["board", "apply", "--board", server.board.path.string, "--lock-timeout", "60"],
          input: event + "\n"
        )
        #expect([0, 3].contains(result.exitStatus), "\(result.errorOutput)")
      default:
        let line = try EventLine(parsing: Array(event.utf8))
        _ = try server.board.transact(lockTimeout: .seconds(60)) { $0.apply(line.event, at: .epoch) }
        await Task.yield()
      }
    }
  }

  @Test("All pages know the same at each revision, and at the end what the board is", .timeLimit(.minutes(10)))
  func converge() async throws {
    let server = try await TestServer(canvases: 4)
    // Clips that can be removed, used again and trimmed.
    for number in 1...4 {
      let clip = #"{"event":"importClip","canvas":"c\#(number)","clip":{"path":"\#(number).mp4"}}"#
      let line = try EventLine(parsing: Array(clip.utf8))
      _ = try server.board.transact { $0.apply(line.event, at: .epoch) }
    }
    let streams = [try await EventStream(of: server), try await EventStream(of: server)]
    let count = LongForm.count(short: 300, long: 1000, variable: "TORTURE_WRITES")
    async let one = Self.follow(streams[0], until: "last")
    async let other = Self.follow(streams[1], until: "last")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for way in 0..<3 {
        group.addTask { try await Self.write(way, way == 1 ? count / 6 : count * 5 / 12, to: server) }
      }
      try await group.waitForAll()
    }
    try await server.change(#"{"event":"addCanvas","canvas":"last"}"#)
    let states = try await [one, other]
    let both = Set(states[0].keys).intersection(states[1].keys)
    #expect(both.count > 10)
    for revision in both { #expect(states[0][revision] == states[1][revision], "revision \(revision)") }
    // Earlier states of the board are in its history, up to its limit.
    let board = try server.stored()
    for revision in Set(states[0].keys).union(states[1].keys) {
      guard let later = board.history.transactions(after: revision, upTo: board.revision),
        let snapshot = board.snapshot(before: later)
      else { continue }
      let ids = snapshot.canvases.map(\.id.description)
      for states in states {
        guard let canvases = states[revision] else { continue }
        #expect(canvases.compactMap { $0["id"]?.text } == ids, "revision \(revision)")
      }
    }
    let state = try await server.state()
    for stream in streams {
      var merged = await stream.state
      merged["time"] = state["time"]
      #expect(.object(JSONObject(merged.map { ($0.key, $0.value) })) == state)
    }
    #expect(state["canvases"]?.elements.compactMap { $0["id"]?.text } == board.canvases.map(\.id.description))
    try await server.end()
  }

  @Test("A page that reconnects gets exactly the changes that it missed")
  func reconnect() async throws {
    let server = try await TestServer()
    let stream = try await EventStream(of: server)
    #expect(try await stream.next()?.name == "board")
    try await server.change(#"{"event":"tap","canvas":"c1"}"#)
    #expect(try await stream.next()?.name == "change")
    let known = try #require(await stream.lastID)
    for canvas in ["c2", "c1", "c2"] { try await server.change(#"{"event":"select","canvas":"\#(canvas)"}"#) }
    let late = try await EventStream(of: server, after: known)
    let missed = try await late.events { $0["revision"]?.int == 4 }
    #expect(missed.map(\.name) == ["change", "change", "change"])
    #expect(missed.map { $0.data["revision"]?.int } == [2, 3, 4])
    #expect(missed[0].data["canvases"]?.elements.map { $0["id"]?.text } == ["c1", "c2"])
    #expect(missed.allSatisfy { $0.data["order"] == nil })
    // One that missed nothing waits for the next.
    let current = try await EventStream(of: server, after: try #require(missed.last?.id))
    try await server.change(#"{"event":"deselect"}"#)
    #expect(try await current.next()?.data["revision"]?.int == 5)
    try await server.end()
  }

  /// Replaces the board repeatedly by one with another focus, without the cost of syncing; returns when all were seen.
  private static func replace(_ count: Int, on server: TestServer, seenBy stream: EventStream) async throws {
    var board = try server.stored()
    let focuses = ["c1", "c2"].compactMap { CanvasID($0) }
    let texts = focuses.map { focus in
      _ = board.apply(.tap(focus), at: .epoch)
      return BoardDocument(board).bytes
    }
    for number in 0..<count {
      try ScratchFolder.write(texts[number % 2], to: server.board.path)
      try await stream.events { $0["focus"]?.text == focuses[number % 2].description }
    }
  }

  @Test("A page that missed too much, or knows another server, gets the whole state")
  func unknown() async throws {
    let server = try await TestServer()
    let first = try await EventStream(of: server)
    _ = try await first.next()
    let old = try #require(await first.lastID)
    try await Self.replace(260, on: server, seenBy: first)
    for identifier in ["", "x", "0", "x-1", "-", "--", "0-99999999999999999999", old] {
      let stream = try await EventStream(of: server, after: identifier)
      let event = try #require(try await stream.next())
      #expect(event.name == "board" && event.data["canvases"]?.elements.count == 2, "\(identifier)")
      #expect(event.data["focus"]?.text == "c2", "\(identifier)")
    }
    try await server.end()
  }

  @Test("A page that does not read costs the others nothing, and no memory")
  func slow() async throws {
    let server = try await TestServer(canvases: 60)
    let deaf = try HTTPConnection(port: server.port)
    try await deaf.send(server.request("GET", "/changes"))
    let stream = try await EventStream(of: server)
    _ = try await stream.next()
    try await Self.replace(20, on: server, seenBy: stream)
    let before = server.program.peakMemorySoFar
    try await Self.replace(
      LongForm.count(short: 100, long: 20_000, variable: "TORTURE_WRITES"),
      on: server,
      seenBy: stream
    )
    #expect(server.program.peakMemorySoFar - before < 48 << 20)
    try await server.end()
  }

  @Test("A page learns when the board is damaged, deleted, replaced or there again")
  func file() async throws {
    let server = try await TestServer()
    let stream = try await EventStream(of: server)
    _ = try await stream.next()
    let good = try server.bytes()
    func expectProblem(_ text: String?) async throws {
      try await stream.events { state in
        guard let text else { return state["problem"] == .null }
        return state["problem"]?.text?.contains(text) == true
      }
      #expect(await stream.state["canvases"]?.elements.count == 2)
    }
    try ScratchFolder.write("{".utf8, to: server.board.path)
    try await expectProblem("board.json")
    let answer = try await server.answer(server.events(#"{"event":"tap","canvas":"c1"}"#))
    #expect(answer.status == 503 && answer.sentence?.contains("board.json") == true, "\(answer.text)")
    #expect(try server.bytes() == Array("{".utf8))
    try ScratchFolder.write(good, to: server.board.path)
    try await expectProblem(nil)
    // A page gets no name that would change the text around it.
    let named = String(decoding: good, as: UTF8.self).replacing(#""c2""#, with: "\"\u{202E}c2\"")
    try ScratchFolder.write(named.utf8, to: server.board.path)
    try await expectProblem("is damaged")
    let state = await stream.state
    #expect(state["canvases"]?.elements.compactMap { $0["id"]?.text } == ["c1", "c2"])
    try ScratchFolder.write(good, to: server.board.path)
    try await expectProblem(nil)
    _ = server.board.path.withPlatformString { unlink($0) }
    try await expectProblem("board.json")
    try ScratchFolder.write(good, to: server.board.path)
    try await expectProblem(nil)
    // Another board, of the same revision.
    try BoardFile(at: server.board.path).create(Board(columns: 5, rows: 1), replaces: true)
    try await stream.events { $0["canvases"]?.elements.count == 5 }
    try await server.change(#"{"event":"tap","canvas":"c5"}"#)
    try await stream.events { $0["focus"]?.text == "c5" }
    try await server.end()
  }

  @Test("The folder of the board may be gone for a while")
  func folder() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("boards"))
    let server = try await TestServer(in: scratch, folder: scratch("boards"))
    let stream = try await EventStream(of: server)
    _ = try await stream.next()
    func rename(_ old: String, _ new: String) {
      #expect(scratch(old).withPlatformString { old in scratch(new).withPlatformString { Glibc.rename(old, $0) } } == 0)
    }
    rename("boards", "elsewhere")
    try await stream.events { $0["problem"]?.text != nil }
    rename("elsewhere", "boards")
    try await stream.events { $0["problem"] == .null }
    try await server.change(#"{"event":"tap","canvas":"c2"}"#)
    try await stream.events { $0["focus"]?.text == "c2" }
    try await server.end()
  }

  @Test("A board with very many canvases is served")
  func many() async throws {
    let server = try await TestServer(canvases: 1000)
    let stream = try await EventStream(of: server)
    _ = try await stream.next()
    try await server.change(#"{"event":"tap","canvas":"c1000"}"#)
    let event = try #require(try await stream.next())
    #expect(
      event.data["canvases"]?.elements.contains { $0["id"]?.text == "c1000" && $0["status"]?.text == "inPreview" }
        == true
    )
    try await server.end()
  }
}
