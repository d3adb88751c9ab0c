import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Recordings of browsers that other programs stop, discard or finish.
@Suite("Recordings on a served board, and the command line", .enabled(if: Scope.isFull), .ownThread)
struct OtherProgramsTests {
  private static func board(_ server: TestServer, _ arguments: String...) async throws -> ProgramResult {
    try await board(server, arguments)
  }

  private static func board(_ server: TestServer, _ arguments: [String]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["board"] + arguments + ["--board", server.board.path.string])
  }

  @Test("A recording that is stopped by the command line is finished by its page")
  func stopped() async throws {
    let server = try await TestServer()
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(bytes[..<20_000]))
    let result = try await upload.whileKept { try await Self.board(server, "record", "stop") }
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    try await upload.send(bytes, from: 20_000)
    try await server.state("the page sees it") { $0["session"]?.text == "finalizing" }
    #expect(try await upload.finish(length: bytes.count).status == 200)
    #expect(server.parts.isEmpty && server.clips.contains { $0.hasSuffix(".webm") })
    try await server.end()
  }

  @Test("A board that another program is changing is refused in words for the page")
  func busy() async throws {
    let server = try await TestServer()
    try await server.change(#"{"event":"select","canvas":"c1"}"#)
    let lock = try FileDescriptor.open(
      server.board.folder.appending(".board.json.lock"),
      .readWrite,
      options: .closeOnExec
    )
    defer { try? lock.close() }
    #expect(flock(lock.rawValue, LOCK_EX) == 0)
    let answer = try await server.answer(server.events(#"{"event":"deselect"}"#))
    #expect(answer.status == 503)
    #expect(answer.sentence == "board.json is being changed by another program; try again in a moment")
    #expect(flock(lock.rawValue, LOCK_UN) == 0)
    try await server.change(#"{"event":"deselect"}"#)
    try await server.end()
  }

  @Test("A take whose file is gone cannot be used, and no step is offered that the command line has forgotten")
  func goneTakes() async throws {
    let server = try await TestServer()
    for name in ["a.mp4", "b.mp4"] {
      let clip = try server.scratch.copy(ProjectFolder.fixture("h264.mp4"), as: name)
      let result = try await Self.board(server, "clip", "import", "c1", clip.string, "--replace")
      #expect(result.exitStatus == 0, "\(result.errorOutput)")
    }
    try ScratchFolder.remove(server.scratch("a.mp4"))
    let answer = try await server.answer(server.events(#"{"event":"useTake","canvas":"c1","generation":1}"#))
    #expect(answer.status == 409 && answer.sentence == "the file a.mp4 is missing; restore it", "\(answer.text)")
    try await server.state("steps can be undone") { $0["can"]?["undo"] == .bool(true) }
    #expect(try await Self.board(server, "forget", "c1", "1").exitStatus == 0)
    let clean = try await Self.board(server, "clean", "--forget-steps", "--force")
    #expect(clean.exitStatus == 0, "\(clean.errorOutput)")
    try await server.state("no step can be undone") { $0["can"]?["undo"] == .bool(false) }
    #expect(try await server.answer(server.events(#"{"event":"undo"}"#)).json["outcome"]?.text == "noop")
    try await server.end()
  }

  @Test("A recording that is discarded by the command line leaves nothing")
  func discarded() async throws {
    let server = try await TestServer()
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(bytes[..<20_000]))
    let result = try await upload.whileKept { try await Self.board(server, "record", "discard") }
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    try await eventually("the parts are removed") { server.parts.isEmpty }
    #expect(try await server.answer(upload.part([1], at: 20_000)).status == 410)
    #expect(try await upload.finish(length: 20_000).status == 410)
    #expect(server.clips.isEmpty)
    try await server.end()
  }

  @Test("A recording that the command line finishes with another clip is over, and its parts are kept")
  func finishedOtherwise() async throws {
    let server = try await TestServer()
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(bytes)
    let clip = try server.scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "other.mp4")
    try await upload.whileKept {
      for command in [["record", "stop"], ["record", "finish", "--clip", clip.string, "--no-cover"]] {
        let result = try await Self.board(server, command)
        #expect(result.exitStatus == 0, "\(command): \(result.errorOutput)")
      }
    }
    try await eventually("the upload is over") { try await upload.head().status == 410 }
    #expect(try await server.answer(upload.part([1], at: bytes.count)).status == 410)
    #expect(try await upload.finish(length: bytes.count).status == 410)
    try #require(server.parts.count == 1 && server.clips.isEmpty)
    let part = server.board.folder.appending(".board.json.uploads").appending(server.parts[0])
    #expect(try ScratchFolder.read(part) == bytes)
    // A user who does not need it any more learns where it is.
    try await server.end()
    let next = try await server.again()
    #expect(try next.program.errorOutputSoFar().contains(".board.json.uploads has 1 "))
    try await next.end()
  }

  @Test("A new recording is not mixed with parts that an earlier board left under the same name")
  func staleParts() async throws {
    let server = try await TestServer()
    let bytes = Array(try await Recordings.vp8.bytes[..<20_000])
    let first = try await TestUpload.record(on: server)
    let old = server.board.folder.appending(".board.json.uploads").appending(try #require(server.parts.first))
    try await first.send(bytes)
    #expect(try await Self.board(server, "new", "--canvases", "2", "--force").exitStatus == 0)
    try await server.state("the page sees the new board") { $0["take"] == .null }
    try await recordWhole(on: server)
    #expect(try ScratchFolder.read(old) == bytes)
    // The same for a server that did not see the earlier board.
    try await server.end()
    #expect(try await Self.board(server, "new", "--canvases", "2", "--force").exitStatus == 0)
    let next = try await server.again()
    try await recordWhole(on: next)
    #expect(try ScratchFolder.read(old) == bytes)
    try await next.end()
  }

  @Test("A canvas in front of all others gives the page a grid, as everywhere")
  func hiddenCanvases() async throws {
    let server = try await TestServer(in: try ScratchFolder())
    let added = try await Self.board(server, "canvas", "add", "big", "--region", "0,0,1,1")
    #expect(added.exitStatus == 0, "\(added.errorOutput)")
    try await server.state("each canvas has a place of its own") { state in
      let regions = state["canvases"]?.elements.map { $0["region"] } ?? []
      return regions.last??["width"] == JSON(0.5) && Set(regions.map { "\($0 ?? .null)" }).count == regions.count
    }
    try await server.end()
  }

  /// Records on the first canvas and checks the clip.
  private func recordWhole(on server: TestServer) async throws {
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    #expect(try await upload.offset() == 0)
    try await upload.send(bytes)
    try await server.change(#"{"event":"recordStop"}"#)
    let answer = try await upload.finish(length: bytes.count)
    #expect(answer.status == 200, "\(answer.text)")
    let clip = try #require(try server.stored().canvases[0].clip?.file.path)
    #expect(try await VideoCheck.frames(of: server.board.folder.appending(clip)) == 50)
  }
}
