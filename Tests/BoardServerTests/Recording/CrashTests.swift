import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// A server that is killed at each step of a recording and started again.
@Suite("A served board after a crash", .enabled(if: Scope.isFull), .ownThread)
struct CrashTests {
  /// A lease that is longer than a restart takes on a busy machine.
  private static let longLease = Duration.seconds(60)

  /// Kills a server, and waits until it and its helpers have ended.
  private static func kill(_ server: TestServer) async throws {
    let children = server.program.children()
    server.program.send(SIGKILL)
    _ = try await server.program.end()
    try await eventually("no helper outlives the server") { !children.contains(where: ProcessStatus.isRunning) }
  }

  /// Waits until the composer has a file to write to, which it receives with its work.
  private static func waitForWork(of server: TestServer) async throws {
    try await eventually("the composer has its work") {
      server.program.children().contains { child in
        RunningProgram.openFiles(of: child).contains {
          $0.contains("/board.clips/") || $0.contains("/.board.json.uploads/")
        }
      }
    }
  }

  /// Sends the rest of a recording to a server, stops it, and checks the clip.
  private static func complete(_ upload: TestUpload, stops: Bool = true) async throws {
    let (server, bytes) = (upload.server, try await Recordings.vp8.bytes)
    let offset = try #require(try await upload.offset())
    try await upload.send(bytes, from: offset)
    if stops { try await server.change(#"{"event":"recordStop"}"#) }
    let answer = try await upload.finish(length: bytes.count)
    #expect(answer.status == 200, "\(answer.text)")
    try await expectClip(of: server)
  }

  /// Checks that the only clip is complete and is on the board.
  private static func expectClip(of server: TestServer) async throws {
    try await eventually("the parts are removed") { server.parts.isEmpty }
    let clips = server.clips.filter { $0.hasSuffix(".webm") }
    #expect(clips.count == 1, "\(clips)")
    let clip = try #require(try server.stored().canvases[0].clip?.file.path)
    #expect(clip == "board.clips/" + (clips.first ?? ""))
    #expect(try await VideoCheck.frames(of: server.board.folder.appending(clip)) == 50)
    let left = server.clips.filter { !$0.hasSuffix(".webm") && !$0.hasSuffix(".png") }
    #expect(left.isEmpty, "\(left)")
  }

  @Test(
    "Open pages still work after a restart of the server, and nothing acknowledged is lost",
    arguments: [0, 1, 50_000]
  )
  func whileRecording(_ sent: Int) async throws {
    let server = try await TestServer(lease: Self.longLease)
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(bytes[..<sent]))
    try await Self.kill(server)
    #expect(server.clips.isEmpty)
    let next = try await server.again(lease: Self.longLease)
    #expect(next.token == server.token && next.cookie == server.cookie && next.entry == server.entry)
    let continued = TestUpload(server: next, path: upload.path)
    #expect(try await continued.offset() == sent)
    #expect(try await next.state()["session"]?.text == "recording")
    try await Self.complete(continued)
    try await next.end()
  }

  /// Starts a server whose composer makes no clip, and records and stops a take.
  ///
  /// - Parameter fault: What the composer does instead; a `waiting` one notices the end of its parent.
  private static func stopped(
    withComposer fault: String
  ) async throws -> (
    server: TestServer, upload: TestUpload, bytes: [UInt8], composer: FilePath
  ) {
    let scratch = try ScratchFolder()
    let composer = try TestDecoder.faulty(["composer": fault], in: scratch, as: "composer")
    let server = try await TestServer(in: scratch, environment: ["CLIPCANVAS_COMPOSER": composer.string])
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    return (server, upload, bytes, composer)
  }

  @Test("A recording that was stopped is finished by its page after a restart")
  func afterStop() async throws {
    let server = try await TestServer(lease: Self.longLease)
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    try await Self.kill(server)
    let next = try await server.again(lease: Self.longLease)
    try await Self.complete(TestUpload(server: next, path: upload.path), stops: false)
    try await next.end()
  }

  @Test("A recording that was stopped is finished without its page after a restart")
  func afterStopWithoutPage() async throws {
    let server = try await TestServer()
    let upload = try await TestUpload.record(on: server)
    try await upload.send(try await Recordings.vp8.bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    try await Self.kill(server)
    let next = try await server.again(lease: .milliseconds(150))
    try await next.state("the clip is made") { $0["session"]?.text == "idle" }
    try await Self.expectClip(of: next)
    try await next.end()
  }

  @Test("A server that is killed while the clip is made leaves no half clip, and the next one makes it")
  func whileFinishing() async throws {
    let (server, upload, bytes, _) = try await Self.stopped(withComposer: "waiting")
    let finishing = Task { try await upload.finish(length: bytes.count) }
    try await Self.waitForWork(of: server)
    try await Self.kill(server)
    _ = try? await finishing.value
    #expect(server.clips.filter { !$0.hasPrefix(".") }.isEmpty && server.parts.count == 1)
    let next = try await server.again(lease: Self.longLease)
    #expect(try await next.state()["session"]?.text == "finalizing")
    try await Self.complete(TestUpload(server: next, path: upload.path), stops: false)
    try await next.end()
  }

  @Test("A composer that is killed costs nothing but another try")
  func composerKilled() async throws {
    let (server, upload, bytes, composer) = try await Self.stopped(withComposer: "silent")
    // Again and again: a composer that was started ahead is replaced without a word.
    let killing = Task {
      while !Task.isCancelled {
        server.program.sendToChildren(SIGKILL)
        try await pause(.milliseconds(20))
      }
    }
    defer { killing.cancel() }
    let answer = try await upload.finish(length: bytes.count)
    killing.cancel()
    #expect(answer.status == 500 && !(answer.sentence ?? "").isEmpty, "\(answer.text)")
    let take = try await server.state()["take"]
    #expect(take?["interruption"]?.text == answer.sentence && server.parts.count == 1)
    #expect(server.clips.filter { !$0.hasPrefix(".") }.isEmpty)
    // The next composer works.
    _ = composer.withPlatformString { unlink($0) }
    let real = ProjectFolder.program("clipcanvas-composer")
    #expect(real.withPlatformString { target in composer.withPlatformString { symlink(target, $0) } } == 0)
    try await Self.complete(upload)
    try await server.end()
  }

  /// Lets a link lead to the real decoder.
  private static func repair(_ decoder: FilePath) {
    _ = decoder.withPlatformString { unlink($0) }
    let real = ProjectFolder.program("clipcanvas-decoder")
    #expect(real.withPlatformString { target in decoder.withPlatformString { symlink(target, $0) } } == 0)
  }

  @Test(
    "A decoder that breaks down while it checks the clip of a recording costs nothing but another try",
    arguments: [
      ("killed", "the decoder was killed by signal 9"), ("exits", "the decoder exited with status 3"),
      ("garbage", "the decoder sent an invalid reply"), ("otherWire", "cannot start the decoder"),
    ]
  )
  func checkBrokenDown(_ fault: String, _ message: String) async throws {
    let scratch = try ScratchFolder()
    let decoder = try TestDecoder.broken(by: fault, in: scratch)
    let server = try await TestServer(in: scratch, environment: ["CLIPCANVAS_DECODER": decoder.string])
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    let answer = try await upload.finish(length: bytes.count)
    #expect(answer.status == 500 && answer.sentence?.hasPrefix(message) == true, "\(answer.status) \(answer.text)")
    let take = try await server.state()["take"]
    #expect(take?["interruption"]?.text == answer.sentence && server.parts.count == 1)
    #expect(server.clips.filter { !$0.hasPrefix(".") }.isEmpty)
    Self.repair(decoder)
    try await Self.complete(upload)
    try await server.end()
  }

  @Test("A decoder that breaks down while it checks a dropped file costs nothing but another try")
  func fileCheckBrokenDown() async throws {
    let scratch = try ScratchFolder()
    let bytes = try ScratchFolder.read(ProjectFolder.fixture("h264.mp4"))
    let decoder = try TestDecoder.broken(by: "killed", in: scratch, bytes: bytes.count)
    let server = try await TestServer(in: scratch, environment: ["CLIPCANVAS_DECODER": decoder.string])
    let request = TestUpload.clipRequest(on: server, ["filename": "a.mp4"], length: bytes.count)
    let upload = try await TestUpload.start(request, on: server)
    try await upload.send(bytes)
    for _ in 0..<2 {
      let answer = try await upload.finish(length: bytes.count)
      #expect(answer.status == 500 && answer.sentence == "the decoder was killed by signal 9", "\(answer.text)")
      #expect(server.parts.count == 1 && server.clips.isEmpty)
    }
    Self.repair(decoder)
    #expect(try await upload.finish(length: bytes.count).status == 200 && server.clips.contains("a.mp4"))
    try await server.end()
  }

  @Test("A decoder that is killed while it makes a cover costs nothing but another try")
  func decoderKilled() async throws {
    let scratch = try ScratchFolder()
    let clip = try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let board = BoardFile(at: scratch("board.json"))
    try board.create(Board(columns: 1, rows: 1))
    let imported = try await Program.run(
      "clipcanvas",
      ["board", "clip", "import", "c1", clip.string, "--no-cover", "--board", board.path.string]
    )
    try #require(imported.exitStatus == 0, "\(imported.errorOutput)")
    let decoder = try TestDecoder.broken(by: "silent", in: scratch, bytes: try ScratchFolder.read(clip).count)
    let server = try await TestServer(in: scratch, environment: ["CLIPCANVAS_DECODER": decoder.string])
    let killing = Task {
      while !Task.isCancelled {
        server.program.sendToChildren(SIGKILL)
        try await pause(.milliseconds(100))
      }
    }
    defer { killing.cancel() }
    let state = try await server.state("the cover fails") { $0["canvases"]?.elements[0]["cover"]?.text == "failed" }
    #expect(state["canvases"]?.elements[0]["coverReason"]?.text?.isEmpty == false)
    killing.cancel()
    Self.repair(decoder)
    try await server.change(#"{"event":"coverRetry","canvas":"c1"}"#)
    try await server.state("the cover is made") { $0["canvases"]?.elements[0]["cover"]?.text == "ready" }
    try await server.end()
  }

  @Test("A file whose upload is cut off by the end of the server is not kept")
  func clip() async throws {
    let server = try await TestServer()
    let upload = try await TestUpload.start(TestUpload.clipRequest(on: server, length: 1000), on: server)
    try await upload.send(Array(repeating: 7, count: 500))
    try await Self.kill(server)
    let next = try await server.again()
    #expect(next.parts.isEmpty && next.clips.isEmpty)
    #expect(try await TestUpload(server: next, path: upload.path).head().status == 404)
    try await next.end()
  }

  @Test("A signal ends the server at once, whatever it does", arguments: [SIGINT, SIGTERM])
  func signals(_ signal: Int32) async throws {
    let (server, upload, bytes, _) = try await Self.stopped(withComposer: "silent")
    let finishing = Task { try await upload.finish(length: bytes.count) }
    try await Self.waitForWork(of: server)
    let stream = try await EventStream(of: server)
    _ = try await stream.next()
    let idle = try HTTPConnection(port: server.port)
    let half = try HTTPConnection(port: server.port)
    try await half.send(Array("GET /board HTTP/1.1\r\nHo".utf8))
    let children = server.program.children()
    server.program.send(signal)
    let result = try await server.program.end(within: .seconds(30))
    #expect([0, 128 + Int(signal)].contains(result.exitStatus), "\(result.exitStatus) \(result.errorOutput)")
    try await eventually("no helper outlives the server") { !children.contains(where: ProcessStatus.isRunning) }
    #expect(try await idle.end().isEmpty)
    while (try? await stream.next()) != nil {}
    _ = try? await finishing.value
    #expect(server.parts.count == 1)
  }

  @Test("The time during which no server ran does not count as recorded")
  func downtime() async throws {
    let server = try await TestServer()
    let bytes = Array(try await Recordings.vp8.bytes[..<20_000])
    let start = ContinuousClock.now
    let upload = try await TestUpload.record(on: server)
    try await upload.send(bytes)
    try await Self.kill(server)
    let longest = (ContinuousClock.now - start) / .seconds(1)
    try await server.moveBackMinute()
    let next = try await server.again()
    let state = try await next.state("the recording is interrupted") { $0["take"]?["interruption"]?.text != nil }
    let seconds = try #require(state["take"]?["seconds"]?.double)
    #expect(state["session"]?.text == "paused" && seconds <= longest, "\(seconds) of \(longest)")
    try await next.end()
  }

  @Test("A recording is paused when its server ends, and the next server continues it", arguments: [SIGTERM, SIGHUP])
  func ended(_ signal: Int32) async throws {
    let server = try await TestServer(lease: Self.longLease)
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(bytes[..<20_000]))
    server.program.send(signal)
    _ = try await server.program.end(within: .seconds(30))
    let take = try #require(try server.stored().session.take)
    #expect(try server.stored().session.name == .paused && take.interruption == "the server was stopped")
    let next = try await server.again(lease: Self.longLease)
    try await next.change(#"{"event":"recordResume"}"#)
    try await Self.complete(TestUpload(server: next, path: upload.path))
    try await next.end()
  }
}
