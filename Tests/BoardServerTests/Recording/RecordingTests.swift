import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("Recordings on a served board", .enabled(if: Scope.isFull), .ownThread)
struct RecordingTests {
  /// The only clip that arrived.
  private static func clip(of server: TestServer) throws -> FilePath {
    let clips = server.clips.filter { !$0.hasSuffix(".png") && !$0.hasPrefix(".") }
    try #require(clips.count == 1, "\(clips)")
    return server.board.folder.appending("board.clips").appending(clips[0])
  }

  private static func expectDuration(_ seconds: Double, of clip: FilePath) async throws {
    let duration = try #require(try await VideoCheck.duration(of: clip))
    // The sound of a segment may be a piece longer than its pictures.
    #expect(abs(duration - seconds) <= 0.08, "\(duration)")
  }

  @Test(
    "A recording becomes a clip with a duration and a cover",
    arguments: [Recordings.vp8, Recordings.vp9, Recordings.mp4]
  )
  func whole(_ recording: Recording) async throws {
    let server = try await TestServer()
    let bytes = try await recording.bytes
    let upload = try await TestUpload.record(on: server)
    #expect(try await server.state()["take"]?["isRecorderPresent"] == .bool(true))
    try await upload.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    let answer = try await upload.finish(length: bytes.count)
    try #require(answer.status == 200 && answer.json["outcome"]?.text == "changed", "\(answer.text)")
    let clip = try Self.clip(of: server)
    try await Self.expectDuration(Recording.seconds, of: clip)
    #expect(try await VideoCheck.frames(of: clip) == 50)
    let state = try await server.state("the cover is made") {
      $0["canvases"]?.elements.first?["cover"]?.text == "ready"
    }
    #expect(state["session"]?.text == "idle" && state["take"] == .null)
    let clipJSON = state["canvases"]?.elements.first?["clip"]
    #expect(clipJSON?["name"]?.text?.hasPrefix("c1-take-1.") == true)
    #expect(abs((clipJSON?["seconds"]?.double ?? 0) - Recording.seconds) <= 0.08, "\(String(describing: clipJSON))")
    #expect(!ProjectFolder.isThere(server.board.folder.appending(".board.json.uploads")))
    #expect(try await upload.head().status == 410)
    try await server.end()
  }

  @Test("A pause needs no data, and a recording continues after it")
  func pause() async throws {
    let server = try await TestServer()
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(bytes[..<20_000]))
    try await server.change(#"{"event":"recordPause"}"#)
    #expect(try await server.answer(upload.part([], at: 20_000)).status == 204)
    try await server.change(#"{"event":"recordResume"}"#)
    try await upload.send(bytes, from: 20_000)
    try await server.change(#"{"event":"recordPause"}"#)
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await upload.finish(length: bytes.count).status == 200)
    try await Self.expectDuration(Recording.seconds, of: try Self.clip(of: server))
    try await server.end()
  }

  @Test("A recording that has not been stopped cannot be finished, and continues")
  func tooEarly() async throws {
    let server = try await TestServer()
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(bytes[..<20_000]))
    let early = try await upload.finish(length: 20_000)
    #expect(early.status == 409 && early.json["reason"]?.text == "notStopped", "\(early.text)")
    try await upload.send(bytes, from: 20_000)
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await upload.finish(length: bytes.count + 1).status == 409)
    #expect(try await upload.finish(length: bytes.count - 1).status == 409)
    #expect(try await upload.finish(length: bytes.count).status == 200)
    #expect(try await VideoCheck.frames(of: try Self.clip(of: server)) == 50)
    try await server.end()
  }

  @Test("A recording whose browser is gone is interrupted; stopped, it becomes a clip of what arrived")
  func lapse() async throws {
    let server = try await TestServer(lease: .milliseconds(150))
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    // The rest never arrives.
    try await upload.send(Array(bytes[..<(bytes.count * 2 / 3)]))
    // The server shows that the recorder is gone after it has changed the board.
    let state = try await server.state("the recording is interrupted, and its recorder gone") {
      $0["take"]?["interruption"]?.text != nil && $0["take"]?["isRecorderPresent"] == .bool(false)
    }
    #expect(state["session"]?.text == "paused")
    #expect(state["take"]?["interruption"]?.text == "the browser that was recording stopped responding")
    try await server.change(#"{"event":"recordStop"}"#)
    try await server.state("the clip is made") { $0["session"]?.text == "idle" }
    let clip = try Self.clip(of: server)
    let frames = try #require(try await VideoCheck.frames(of: clip))
    #expect((25..<50).contains(frames), "\(frames)")
    // The board is written before.
    try await eventually("the parts are removed") { server.parts.isEmpty }
    try await server.end()
  }

  @Test("A recording whose server stood still is interrupted, even if its browser was not silent")
  func frozen() async throws {
    let server = try await TestServer(lease: .milliseconds(150))
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(bytes[..<20_000]))
    server.program.send(SIGSTOP)
    let connection = try HTTPConnection(port: server.port)
    try await connection.send(upload.part(bytes[20_000...], at: 20_000))
    try await TestSupport.pause(.milliseconds(200))
    server.program.send(SIGCONT)
    #expect(try await connection.response().status == 204)
    let state = try await server.state("the recording is interrupted") { $0["take"]?["interruption"]?.text != nil }
    #expect(state["session"]?.text == "paused")
    // The part that came late is there.
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await upload.finish(length: bytes.count).status == 200)
    #expect(try await VideoCheck.frames(of: try Self.clip(of: server)) == 50)
    try await server.end()
  }

  @Test("A page can send the rest of a stopped recording after its server was away", arguments: [true, false])
  func owedTime(restarts: Bool) async throws {
    // Long enough for the page to send the rest on a busy machine.
    let lease = Duration.seconds(restarts ? 60 : 3)
    let server = try await TestServer(lease: lease)
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(bytes[..<20_000]))
    try await server.change(#"{"event":"recordStop"}"#)
    server.program.send(restarts ? SIGKILL : SIGSTOP)
    let next: TestServer
    if restarts {
      _ = try await server.program.end(within: .seconds(60))
      try await server.moveBackMinute()
      next = try await server.again(lease: lease)
    } else {
      next = server
      let end = ContinuousClock.now + lease
      try await eventually("the page's lease is over") { ContinuousClock.now > end }
      server.program.send(SIGCONT)
    }
    // By now, the server has found that the page's lease is over.
    try await TestSupport.pause(.milliseconds(200))
    let rest = TestUpload(server: next, path: upload.path)
    try await rest.send(bytes, from: 20_000)
    #expect(try await rest.finish(length: bytes.count).status == 200)
    #expect(try await VideoCheck.frames(of: try Self.clip(of: next)) == 50)
    try await next.end()
  }

  @Test("A recording can be continued by another page, and the clip has both segments")
  func continued() async throws {
    let server = try await TestServer()
    let bytes = try await Recordings.mp4.bytes
    let first = try await TestUpload.record(on: server)
    try await first.send(bytes)
    try await server.change(#"{"event":"recordPause"}"#)
    let take = try #require(try await server.state()["take"]?["id"]?.text)
    let second = try await TestUpload.start(TestUpload.takeRequest(on: server, ["take": take]), on: server)
    #expect(second.path != first.path)
    #expect(try await server.answer(first.part([1], at: bytes.count)).status == 410)
    let state = try await server.state()
    #expect(state["session"]?.text == "recording")
    #expect(state["take"]?["upload"]?.text == second.path.split(separator: "/").last.map(String.init))
    try await second.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await second.finish(length: bytes.count).status == 200)
    let clip = try Self.clip(of: server)
    try await Self.expectDuration(2 * Recording.seconds, of: clip)
    #expect(try await VideoCheck.frames(of: clip) == 100)
    #expect(server.parts.isEmpty)
    try await server.end()
  }

  @Test("Two requests to finish make one clip")
  func finishedTwice() async throws {
    let server = try await TestServer()
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    async let one = upload.finish(length: bytes.count)
    async let other = upload.finish(length: bytes.count)
    let answers = try await [one, other, upload.finish(length: bytes.count)]
    // A page that missed the answer gets it again.
    #expect(answers.allSatisfy { $0.status == 200 && $0.text == answers[0].text }, "\(answers.map(\.text))")
    _ = try Self.clip(of: server)
    try await server.end()
  }

  @Test("A recording replaces a clip only if that was agreed to")
  func replacing() async throws {
    let server = try await TestServer()
    let bytes = try await Recordings.vp8.bytes
    for replaces in [false, true] {
      let request = TestUpload.takeRequest(on: server, replaces ? ["replace": "true"] : [:])
      try await server.change(#"{"event":"preview","canvas":"c1"}"#)
      if replaces {
        let refused = try await server.answer(TestUpload.takeRequest(on: server))
        #expect(refused.status == 409 && refused.json["reason"]?.text == "hasClip", "\(refused.text)")
        #expect(server.parts.isEmpty)
      }
      let upload = try await TestUpload.start(request, on: server)
      try await upload.send(bytes)
      try await server.change(#"{"event":"recordStop"}"#)
      #expect(try await upload.finish(length: bytes.count).status == 200)
    }
    #expect(server.clips.filter { $0.hasSuffix(".webm") }.sorted() == ["c1-take-1.webm", "c1-take-2.webm"])
    try await server.end()
  }

  @Test("From the tap to the clip is one step, whose undo opens no preview")
  func undo() async throws {
    let server = try await TestServer()
    let bytes = try await Recordings.vp8.bytes
    let before = try server.stored()
    let upload = try await TestUpload.record(on: server)
    try await upload.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await upload.finish(length: bytes.count).status == 200)
    let after = try server.stored()
    #expect(after.session == .idle && after.canvases[0].clip != nil)
    try await server.change(#"{"event":"undo"}"#)
    let undone = try await server.state()
    #expect(undone["session"]?.text == "idle" && undone["can"]?["undo"] == .bool(false))
    #expect(try server.stored().canvases == before.canvases)
    try await server.change(#"{"event":"redo"}"#)
    #expect(try server.stored().session == .idle && server.stored().canvases[0].clip == after.canvases[0].clip)
    try await server.end()
  }

  @Test("A recording whose page reports that it goes away is interrupted at once, and can be continued")
  func leaving() async throws {
    let server = try await TestServer()
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(bytes)
    #expect(try await upload.leave().status == 204)
    // Without the report, that takes six seconds.
    let state = try await server.state()
    #expect(state["session"]?.text == "paused" && state["take"]?["isRecorderPresent"] == .bool(false))
    #expect(state["take"]?["interruption"]?.text == "the page that was recording was closed or reloaded")
    #expect(try await server.answer(upload.part([1], at: bytes.count)).status == 410)
    #expect(try await upload.leave().status == 410)
    let take = try #require(state["take"]?["id"]?.text)
    let second = try await TestUpload.start(TestUpload.takeRequest(on: server, ["take": take]), on: server)
    try await second.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await second.finish(length: bytes.count).status == 200)
    #expect(try await VideoCheck.frames(of: try Self.clip(of: server)) == 100)
    try await server.end()
  }

  @Test("A stopped recording whose page goes away is finished at once with what arrived")
  func leavingAfterStop() async throws {
    // The lease does not lapse.
    let server = try await TestServer(lease: .seconds(600))
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await upload.leave().status == 204)
    try await server.state("the clip is made") { $0["session"]?.text == "idle" }
    #expect(try await VideoCheck.frames(of: try Self.clip(of: server)) == 50)
    try await server.end()
  }

  @Test("Only the upload of a recording can be left, and only with the token for changes")
  func leavingOthers() async throws {
    let server = try await TestServer()
    let file = try await TestUpload.start(TestUpload.clipRequest(on: server, length: 5), on: server)
    #expect(try await file.leave().status == 403)
    let upload = try await TestUpload.record(on: server)
    let stranger = server.request("POST", upload.path + "/leave", TestUpload.version).with("X-ClipCanvas-Token", nil)
    #expect(try await server.answer(stranger).status == 401)
    #expect(try await server.state()["session"]?.text == "recording")
    try await server.end()
  }

  @Test("A second recording is refused while one is open")
  func locked() async throws {
    let server = try await TestServer()
    let upload = try await TestUpload.record(on: server)
    let second = try await server.answer(TestUpload.takeRequest(on: server))
    #expect(second.status == 409 && second.json["reason"]?.text == "locked", "\(second.text)")
    let clip = try await server.answer(TestUpload.clipRequest(on: server, canvas: "c2", length: 5))
    #expect(clip.status == 409 && clip.json["reason"]?.text == "locked", "\(clip.text)")
    #expect(try await server.answer(server.events(#"{"event":"tap","canvas":"c2"}"#)).json["outcome"]?.text == "noop")
    #expect(try await upload.head().status == 204)
    try await server.end()
  }

  @Test("When nothing arrived, the recording is interrupted with the reason, and can be discarded")
  func nothing() async throws {
    let server = try await TestServer()
    let upload = try await TestUpload.record(on: server)
    try await server.change(#"{"event":"recordStop"}"#)
    let answer = try await upload.finish(length: 0)
    #expect(answer.status == 422 && answer.sentence == "no part of the recording has arrived", "\(answer.text)")
    #expect(try await server.state()["take"]?["interruption"]?.text == "no part of the recording has arrived")
    try await server.change(#"{"event":"recordDiscard"}"#)
    try await eventually("the part is removed") { server.parts.isEmpty }
    #expect(server.clips.isEmpty)
    try await server.end()
  }

  @Test("What is not a video is kept until the recording is discarded or continued with one")
  func notVideo() async throws {
    let server = try await TestServer()
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array("<script>alert(1)</script>".utf8))
    try await server.change(#"{"event":"recordStop"}"#)
    let answer = try await upload.finish(length: 25)
    #expect(answer.status == 422, "\(answer.text)")
    let take = try await server.state()["take"]
    #expect(take?["interruption"]?.text == answer.sentence && server.parts.count == 1)
    #expect(server.clips.isEmpty)
    try await server.change(#"{"event":"recordDiscard"}"#)
    try await eventually("the part is removed") { server.parts.isEmpty }
    try await server.end()
  }
}
