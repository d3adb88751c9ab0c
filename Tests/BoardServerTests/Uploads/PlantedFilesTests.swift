import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Files and links in the places that the server uses.
@Suite("Links and files in the places of a served board", .enabled(if: Scope.isFull), .ownThread)
struct PlantedFilesTests {
  private static func link(_ name: String, to target: FilePath, on server: TestServer) {
    let path = server.board.folder.appending(name)
    #expect(target.withPlatformString { target in path.withPlatformString { symlink(target, $0) } } == 0)
  }

  private static let clip = ProjectFolder.fixture("h264.mp4")

  @Test("Uploads are not written through a link in the place of their folder")
  func uploadFolder() async throws {
    let server = try await TestServer()
    try FilePath.makeFolder(server.scratch("elsewhere"))
    Self.link(".board.json.uploads", to: server.scratch("elsewhere"), on: server)
    let clip = try await server.answer(TestUpload.clipRequest(on: server, length: 5))
    #expect(clip.status == 500 && !(clip.sentence ?? "").isEmpty, "\(clip.text)")
    try await server.change(#"{"event":"preview","canvas":"c1"}"#)
    #expect(try await server.answer(TestUpload.takeRequest(on: server)).status == 500)
    #expect(try await server.state()["session"]?.text == "previewing")
    #expect(try ScratchFolder.names(in: server.scratch("elsewhere")).isEmpty)
    try await server.end()
  }

  @Test("Clips are not written through a link in the place of their folder")
  func clipFolder() async throws {
    let server = try await TestServer()
    try FilePath.makeFolder(server.scratch("elsewhere"))
    Self.link("board.clips", to: server.scratch("elsewhere"), on: server)
    let bytes = try ScratchFolder.read(Self.clip)
    let upload = try await TestUpload.start(TestUpload.clipRequest(on: server, length: bytes.count), on: server)
    try await upload.send(bytes)
    let answer = try await upload.finish(length: bytes.count)
    #expect(answer.status == 500 && answer.sentence?.contains("board.clips") == true, "\(answer.text)")
    let recording = try await Recordings.vp8.bytes
    let take = try await TestUpload.record(on: server)
    try await take.send(recording)
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await take.finish(length: recording.count).status == 500)
    #expect(try ScratchFolder.names(in: server.scratch("elsewhere")).isEmpty)
    // The recording is there when the link is gone.
    _ = server.board.folder.appending("board.clips").withPlatformString { unlink($0) }
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await take.finish(length: recording.count).status == 200)
    try await server.end()
  }

  @Test("Of what the board names, only clips that a decoder accepts and covers that are pictures are sent")
  func named() async throws {
    let server = try await TestServer(canvases: 4)
    try server.scratch.write("<!doctype html><script>alert(1)</script>\n".utf8, as: "page.webm")
    try server.scratch.write("secret\n".utf8, as: "secret.png")
    #expect(server.scratch("pipe.webm").withPlatformString { mkfifo($0, 0o600) } == 0)
    Self.link("link.webm", to: "/dev/zero", on: server)
    let names = ["page.webm", "pipe.webm", "link.webm", "/etc/passwd"]
    var lines = names.enumerated().map { index, name in
      #"{"event":"importClip","canvas":"c\#(index + 1)","clip":{"path":"\#(name)"}}"#
    }
    let cover = #"{"path":"secret.png","width":1,"height":1}"#
    lines.append(#"{"event":"coverReady","canvas":"c1","generation":1,"cover":\#(cover)}"#)
    let result = try await Program.run(
      "clipcanvas",
      ["board", "apply", "--board", server.board.path.string],
      input: lines.joined(separator: "\n") + "\n"
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let state = try await server.state("the page knows them") { state in
      state["canvases"]?.elements.allSatisfy { $0["clip"] != .null } == true
    }
    for (index, status) in [415, 404, 404, 415].enumerated() {
      let canvas = try #require(state["canvases"]?.elements[index])
      let generation = try #require(canvas["clip"]?["generation"]?.int)
      let clip = try await server.answer(server.request("GET", "/clips/c\(index + 1)/\(generation)"))
      #expect(clip.status == status && !(clip.sentence ?? "").isEmpty, "\(names[index]): \(clip.status) \(clip.text)")
      #expect(clip["Content-Type"] == "application/json" && clip["X-Content-Type-Options"] == "nosniff")
      let cover = try await server.answer(server.request("GET", "/covers/c\(index + 1)/\(generation)"))
      #expect(cover.status == 404 && !cover.text.contains("secret\n"), "\(names[index]): \(cover.text)")
    }
    try await server.end()
  }

  @Test("A part that another program removes is not written to any more")
  func removedPart() async throws {
    let server = try await TestServer()
    let upload = try await TestUpload.record(on: server)
    try await upload.send([1, 2, 3])
    let part = server.board.folder.appending(".board.json.uploads").appending(try #require(server.parts.first))
    _ = part.withPlatformString { unlink($0) }
    let answer = try await server.answer(upload.part([4], at: 3))
    #expect(answer.status == 410 && answer.sentence?.contains("removed") == true, "\(answer.text)")
    try await server.end()
  }

  @Test("A restart takes over no pipe, link or file of another name", arguments: ["+1", "01", "2"])
  func parts(_ number: String) async throws {
    let server = try await TestServer()
    let upload = try await TestUpload.record(on: server)
    try await upload.send([1, 2, 3])
    try await server.end()
    try server.scratch.write([9, 9, 9], as: "foreign")
    let stem = try #require(
      upload.path.split(separator: "/").last?.split(separator: "-").dropLast().joined(separator: "-")
    )
    let name = ".board.json.uploads/\(stem)-\(number).part"
    if number == "2" {
      Self.link(name, to: server.scratch("foreign"), on: server)
    } else {
      #expect(server.board.folder.appending(name).withPlatformString { mkfifo($0, 0o600) } == 0)
    }
    let next = try await server.again()
    #expect(try await TestUpload(server: next, path: "/uploads/\(stem)-\(number)").head().status == 404)
    #expect(try await TestUpload(server: next, path: upload.path).offset() == 3)
    try await next.change(#"{"event":"recordDiscard"}"#)
    try await eventually("the part is removed") { !next.parts.contains(String(upload.path.dropFirst(9)) + ".part") }
    #expect(try ScratchFolder.read(next.scratch("foreign")) == [9, 9, 9])
    try await next.end()
  }

  @Test("A board in a folder that is a link is served, and its clips are beside it")
  func linkedFolder() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("real"))
    #expect(
      scratch("real").withPlatformString { target in scratch("link").withPlatformString { symlink(target, $0) } } == 0
    )
    let server = try await TestServer(in: scratch, folder: scratch("link"))
    let bytes = try ScratchFolder.read(Self.clip)
    let upload = try await TestUpload.start(TestUpload.clipRequest(on: server, length: bytes.count), on: server)
    try await upload.send(bytes)
    #expect(try await upload.finish(length: bytes.count).status == 200)
    #expect(try ScratchFolder.names(in: scratch("real")).contains("board.clips"))
    #expect(try server.stored().canvases[0].clip?.file.path == "board.clips/clip.mp4")
    // Both names are of the same board, and have the same secrets.
    try await server.end()
    let other = try await TestServer(in: scratch, folder: scratch("real"), port: server.port)
    #expect(other.entry == server.entry)
    try await other.end()
  }
}
