import BoardStore
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Uploads by tus 1.0 (https://tus.io/protocols/resumable-upload): core, creation, deferred length.
@Suite("Uploads to a served board", .enabled(if: Scope.isFull), .ownThread)
struct UploadTests {
  private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

  private static func clip(on server: TestServer, length: Int = bytes.count) async throws -> TestUpload {
    try await TestUpload.start(TestUpload.clipRequest(on: server, length: length), on: server)
  }

  /// The only part that the server keeps.
  private static func part(of server: TestServer) throws -> [UInt8] {
    let name = try #require(server.parts.first)
    #expect(server.parts.count == 1)
    return try ScratchFolder.read(server.board.folder.appending(".board.json.uploads").appending(name))
  }

  @Test("Each mistake in the protocol is answered with its status, and what arrived stays")
  func mistakes() async throws {
    let server = try await TestServer()
    let upload = try await Self.clip(on: server)
    try await upload.send(Array(Self.bytes[..<1000]))
    let deferred = { TestUpload.takeRequest(on: server).with("Upload-Defer-Length", $0) }
    let answers: [(String, TestRequest, Int)] = [
      ("no version", upload.part([1], at: 1000).with("Tus-Resumable", nil), 412),
      ("another version", upload.part([1], at: 1000, ["Tus-Resumable": "0.2.2"]), 412),
      ("creation without a version", TestUpload.clipRequest(on: server, length: 1).with("Tus-Resumable", nil), 412),
      ("a take without a version", TestUpload.takeRequest(on: server).with("Tus-Resumable", nil), 412),
      ("another type", upload.part([1], at: 1000, ["Content-Type": "application/octet-stream"]), 415),
      ("no type", upload.part([1], at: 1000).with("Content-Type", nil), 415),
      ("no offset", upload.part([1], at: 1000).with("Upload-Offset", nil), 400),
      ("a negative offset", upload.part([1], at: -1), 400),
      ("an offset that is not a number", upload.part([1], at: 0, ["Upload-Offset": "1e3"]), 400),
      ("an offset before the end", upload.part([1], at: 999), 409),
      ("an offset after the end", upload.part([1], at: 1001), 409),
      ("a length other than that of the creation", upload.part([1], at: 1000, ["Upload-Length": "1001"]), 409),
      ("a length that is not a number", upload.part([1], at: 1000, ["Upload-Length": "x"]), 400),
      ("more than the length", upload.part(Self.bytes, at: 1000), 413),
      ("an unknown upload", TestUpload(server: server, path: "/uploads/clip-0").part([1], at: 0), 404),
      ("no length", TestUpload.clipRequest(on: server, length: 1).with("Upload-Length", nil), 400),
      ("a length of 0", TestUpload.clipRequest(on: server, length: 0), 400),
      ("a negative length", TestUpload.clipRequest(on: server, length: -1), 400),
      ("a length beyond all bounds", TestUpload.clipRequest(on: server, length: .max), 413),
      (
        "metadata that is not Base64", TestUpload.clipRequest(on: server, length: 1).with("Upload-Metadata", "a !"), 400
      ),
      (
        "metadata that is not text", TestUpload.clipRequest(on: server, length: 1).with("Upload-Metadata", "a /w=="),
        400
      ),
      ("a take that does not record", TestUpload.takeRequest(on: server, ["take": "t9"]), 409),
      ("a take without a name", TestUpload.takeRequest(on: server, ["take": ""]), 400),
      ("a take without a preview", TestUpload.takeRequest(on: server), 409),
      ("a take of unknown length that does not say so", deferred(nil), 400),
      ("a take with another deferred length", deferred("2"), 400),
      ("a take with a length", deferred("1").with("Upload-Length", "5"), 400),
    ]
    for (name, request, status) in answers {
      let answer = try await server.answer(request)
      #expect(answer.status == status && !(answer.sentence ?? "").isEmpty, "\(name): \(answer.status) \(answer.text)")
      #expect(answer["Tus-Resumable"] == "1.0.0", "\(name)")
      #expect(answer["Tus-Version"] == (status == 412 ? "1.0.0" : nil), "\(name)")
    }
    let unready = try await server.answer(TestUpload.takeRequest(on: server))
    #expect(unready.sentence == "no canvas is ready for a recording; open the camera of one first")
    let empty = try await server.answer(TestUpload.clipRequest(on: server, length: 0))
    #expect(empty.sentence == "the file is empty; choose another one")
    let unversioned = try await server.answer(server.request("HEAD", upload.path))
    #expect(unversioned.status == 412 && unversioned["Tus-Version"] == "1.0.0" && unversioned["Upload-Offset"] == nil)
    let head = try await upload.head()
    #expect(head.status == 204 && head["Upload-Offset"] == "1000" && head["Upload-Length"] == "\(Self.bytes.count)")
    #expect(head["Cache-Control"] == "no-store" && head["Tus-Resumable"] == "1.0.0")
    #expect(try Self.part(of: server) == Array(Self.bytes[..<1000]))
    #expect(try await upload.finish(length: Self.bytes.count).status == 409)
    let unknown = try await server.answer(server.request("HEAD", "/uploads/clip-0", TestUpload.version))
    #expect(unknown.status == 404 && unknown["Tus-Resumable"] == "1.0.0")
    try await server.end()
  }

  @Test("The server reports what it can do")
  func abilities() async throws {
    let server = try await TestServer()
    let answer = try await server.answer(server.request("OPTIONS", "/takes"))
    #expect(answer.status == 204 && answer["Tus-Version"] == "1.0.0")
    #expect(answer["Tus-Extension"] == "creation,creation-defer-length,termination")
    #expect(answer["Tus-Max-Size"].flatMap { Int($0) } ?? 0 > 0)
    try await server.end()
  }

  @Test("A length that is deferred can be sent with a part, and holds from then on")
  func deferredLength() async throws {
    let server = try await TestServer()
    let upload = try await TestUpload.record(on: server)
    #expect(try await upload.head()["Upload-Defer-Length"] == "1")
    let first = try await server.answer(upload.part(Self.bytes[..<1000], at: 0, ["Upload-Length": "1500"]))
    #expect(first.status == 204 && first["Upload-Offset"] == "1000")
    let head = try await upload.head()
    #expect(head["Upload-Length"] == "1500" && head["Upload-Defer-Length"] == nil)
    #expect(try await server.answer(upload.part(Self.bytes[1000..<1501], at: 1000)).status == 413)
    let offset = try #require(try await upload.offset())
    #expect(try await server.answer(upload.part(Self.bytes[offset..<1500], at: offset)).status == 204)
    #expect(try Self.part(of: server) == Array(Self.bytes[..<1500]))
    try await server.end()
  }

  @Test("A part that is refused fixes no length")
  func lengthOfRefusedPart() async throws {
    let server = try await TestServer()
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(Self.bytes[..<1000]))
    for (part, status) in [
      (upload.part([1], at: 999, ["Upload-Length": "1001"]), 409),
      (upload.part([1], at: 1000, ["Upload-Length": "999"]), 409),
      (upload.part([1, 2], at: 1000, ["Upload-Length": "1001"]), 413),
    ] { #expect(try await server.answer(part).status == status) }
    #expect(try await upload.head()["Upload-Defer-Length"] == "1")
    #expect(try await server.answer(upload.part([1], at: 1000, ["Upload-Length": "1001"])).status == 204)
    try await server.end()
  }

  @Test("The client's description of the file is returned to it")
  func metadata() async throws {
    let server = try await TestServer()
    let metadata = ["filename": "beach.mp4"]
    let request = TestUpload.clipRequest(on: server, metadata, length: 5)
    let clip = try await TestUpload.start(request, on: server)
    #expect(try await clip.head()["Upload-Metadata"] == request["Upload-Metadata"])
    #expect(try await Self.clip(on: server).head()["Upload-Metadata"] == nil)
    try await server.end()
  }

  @Test("Of a part that is cut off, the bytes that arrived are kept, and the rest follows")
  func cutOff() async throws {
    let server = try await TestServer()
    let upload = try await Self.clip(on: server)
    var cut = 0
    do {
      let connection = try HTTPConnection(port: server.port)
      let whole = upload.part(Self.bytes, at: 0).bytes
      cut = 70_001
      try await connection.send(whole.dropLast(Self.bytes.count - cut))
      try await eventually("what was sent arrives") { try await upload.offset() == cut }
    }
    // The connection is closed now.
    try await upload.send(Self.bytes, from: try #require(try await upload.offset()))
    #expect(try Self.part(of: server) == Self.bytes)
    try await server.end()
  }

  @Test("A second request takes an upload over from a hanging request, which writes nothing any more")
  func takenOver() async throws {
    let server = try await TestServer()
    let upload = try await Self.clip(on: server)
    let hanging = try HTTPConnection(port: server.port)
    let whole = upload.part(Self.bytes, at: 0).bytes
    try await hanging.send(whole.dropLast(Self.bytes.count - 50_000))
    try await eventually("the first half arrives") { try await upload.offset() == 50_000 }
    #expect(try await server.answer(upload.part(Self.bytes[50_000..<60_000], at: 50_000)).status == 204)
    // The rest comes late, and would destroy what the other one sent.
    do { try await hanging.send(Array(repeating: 0, count: Self.bytes.count - 50_000)) } catch Errno.brokenPipe {}
    let answer = try await hanging.response()
    #expect(answer.status == 409, "\(answer.text)")
    try await upload.send(Self.bytes, from: 60_000)
    #expect(try Self.part(of: server) == Self.bytes)
    try await server.end()
  }

  @Test("An empty part changes nothing, and parts may be chunked")
  func emptyAndChunked() async throws {
    let server = try await TestServer()
    let upload = try await Self.clip(on: server)
    let unready = try await server.answer(TestUpload.takeRequest(on: server))
    #expect(unready.sentence == "no canvas is ready for a recording; open the camera of one first")
    let empty = try await server.answer(upload.part([], at: 0))
    #expect(empty.status == 204 && empty["Upload-Offset"] == "0")
    var request = upload.part([], at: 0, ["Transfer-Encoding": "chunked"])
    request.body =
      Array("5\r\n".utf8) + Self.bytes[..<5] + Array("\r\n3;x=y\r\n".utf8) + Self.bytes[5..<8]
      + Array("\r\n0\r\n\r\n".utf8)
    let chunked = try await server.answer(request)
    #expect(chunked.status == 204 && chunked["Upload-Offset"] == "8", "\(chunked.text)")
    #expect(try Self.part(of: server) == Array(Self.bytes[..<8]))
    try await server.end()
  }

  @Test("Uploads that were finished or whose take was discarded are gone")
  func gone() async throws {
    let server = try await TestServer()
    let take = try await TestUpload.record(on: server)
    try await take.send(Array(Self.bytes[..<100]))
    try await server.change(#"{"event":"recordDiscard"}"#)
    try await eventually("the parts are removed") { server.parts.isEmpty }
    #expect(try await take.head().status == 410)
    #expect(try await server.answer(take.part([1], at: 100)).status == 410)
    let clip = try await Self.clip(on: server, length: 100)
    try await clip.send(Array(Self.bytes[..<100]))
    #expect(try await clip.finish(length: 100).status == 422)
    #expect(try await clip.head().status == 410)
    #expect(try await server.answer(clip.part([1], at: 100)).status == 410)
    #expect(try await clip.finish(length: 100).status == 410)
    #expect(server.parts.isEmpty && server.clips.isEmpty)
    try await server.end()
  }
}
