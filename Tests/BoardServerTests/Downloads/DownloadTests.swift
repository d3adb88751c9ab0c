import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("Downloads from a served board", .enabled(if: Scope.isFull), .ownThread)
struct DownloadTests {
  /// Starts a server whose first canvas has a clip of some seconds.
  private static func server(seconds: Int = 2) async throws -> TestServer {
    let scratch = try ScratchFolder()
    let clip = scratch("clip.mp4").string
    let made = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=\(seconds)", "-c:v", "libx264"]
        + ["-preset", "ultrafast", "-pix_fmt", "yuv420p", clip]
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    try BoardFile(at: scratch("board.json")).create(Board(columns: 2, rows: 1))
    let added = try await Program.run(
      "clipcanvas",
      ["board", "clip", "import", "c1", clip, "--board", scratch("board.json").string]
    )
    try #require(added.exitStatus == 0, "\(added.errorOutput)")
    return try await TestServer(in: scratch)
  }

  private static func exports(of server: TestServer) throws -> [String] {
    try ScratchFolder.names(in: server.scratch("state/clipcanvas")).filter { $0.hasPrefix("export-") }
  }

  @Test("A video of the board is made once, with its progress in the state, and can be downloaded in parts")
  func video() async throws {
    let server = try await Self.server()
    #expect(try await server.answer(server.request("GET", "/export/video")).status == 404)
    let stream = try await EventStream(of: server)
    #expect(try await server.answer(server.request("POST", "/export")).status == 202)
    let second = try await server.answer(server.request("POST", "/export"))
    #expect(second.status == 409 && second.sentence?.contains("cancel it") == true, "\(second.text)")
    let events = try await stream.events { state in
      ["done", "failed"].contains(state["export"]?["state"]?.text)
    }
    let export = await stream.state["export"]
    let frames = events.compactMap { $0.data["export"]?["frames"]?.int }
    #expect(frames == frames.sorted() && (frames.last ?? 0) > 0, "\(frames)")
    #expect(events.allSatisfy { [nil, 0, 60].contains($0.data["export"]?["total"]?.int) })
    try #require(export?["state"]?.text == "done", "\(String(describing: export))")
    #expect(export?["problem"] == .null)
    let whole = try await server.answer(server.request("GET", "/export/video"))
    #expect(whole.status == 200 && whole.body.count == export?["bytes"]?.int)
    #expect(whole["Content-Type"] == "video/mp4" && whole["Content-Disposition"] == "attachment")
    let part = try await server.answer(server.request("GET", "/export/video", ["Range": "bytes=4-7"]))
    #expect(part.status == 206 && part.body == Array(whole.body[4..<8]) && part.text == "ftyp")
    let file = server.scratch("download.mp4")
    try ScratchFolder.write(whole.body, to: file)
    #expect(try await VideoCheck.frames(of: file) == 60)
    #expect(try Self.exports(of: server).count == 1)
    try await server.end()
    #expect(try Self.exports(of: server).isEmpty)
  }

  @Test("A video that is cancelled leaves nothing, and another can be made; if it cannot, the state has the reason")
  func cancelled() async throws {
    let server = try await Self.server(seconds: 20)
    #expect(try await server.answer(server.request("POST", "/export")).status == 202)
    try await server.state("the video is being made") { ($0["export"]?["frames"]?.int ?? 0) > 0 }
    #expect(try await server.answer(server.request("DELETE", "/export")).status == 204)
    #expect(try await server.state()["export"] == .null)
    #expect(try Self.exports(of: server).isEmpty)
    #expect(server.program.children(running: "clipcanvas-view").isEmpty)
    try await server.change(#"{"event":"removeClip","canvas":"c1"}"#)
    let empty = try await server.answer(server.request("POST", "/export"))
    #expect(empty.status == 409 && empty.sentence?.contains("no canvas has a clip") == true)
    try await server.change(#"{"event":"undo"}"#)
    #expect(unlink(server.scratch("clip.mp4").string) == 0)
    #expect(try await server.answer(server.request("POST", "/export")).status == 202)
    let end = try await server.state("it ends") { ["done", "failed"].contains($0["export"]?["state"]?.text) }
    let words = [end["export"]?["problem"]?.text, end["export"]?["reason"]?.text].compactMap(\.self).joined()
    #expect(words.contains("clip.mp4"), "\(end)")
    try await server.end()
  }

  @Test("A server that is killed while it makes a video leaves one file, which the next one removes")
  func killed() async throws {
    let server = try await Self.server(seconds: 20)
    #expect(try await server.answer(server.request("POST", "/export")).status == 202)
    try await server.state("the video is being made") { ($0["export"]?["frames"]?.int ?? 0) > 0 }
    server.program.send(SIGKILL)
    _ = try await server.program.end()
    let next = try await server.again()
    #expect(try Self.exports(of: next).isEmpty)
    #expect(try await next.state()["export"] == .null)
    try await next.end()
  }

  @Test("The picture of the board is what the command draws")
  func picture() async throws {
    let server = try await Self.server()
    let answer = try await server.answer(server.request("GET", "/picture"))
    #expect(answer.status == 200 && answer["Content-Type"] == "image/png", "\(answer.text.prefix(200))")
    #expect(answer["Content-Disposition"] == "attachment")
    let drawn = try await Program.run(
      "clipcanvas",
      ["board", "render", "-o", "board.png", "--board", server.board.path.string],
      in: server.scratch.path
    )
    #expect(drawn.exitStatus == 0, "\(drawn.errorOutput)")
    #expect(try ScratchFolder.read(server.scratch("board.png")) == answer.body)
    try await server.end()
  }
}
