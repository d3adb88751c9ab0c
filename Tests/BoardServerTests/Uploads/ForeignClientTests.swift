import BoardStore
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Uploads by tuspy, the client for tus in Python.
@Suite("Uploads by another client", .enabled(if: Scope.isFull), .ownThread)
struct ForeignClientTests {
  /// Uploads a file in two steps, by two clients: the second one only knows the address of the upload.
  private static let python = """
    import os, sys
    from tusclient.client import TusClient

    origin, path, file, cookie, token = sys.argv[1:]
    headers = {"Cookie": cookie, "X-ClipCanvas-Token": token, "Origin": origin}
    first = TusClient(origin + path, headers=headers).uploader(file, chunk_size=4096, metadata={"filename": "b.mp4"})
    first.upload(stop_at=10000)
    reached = first.offset
    second = TusClient(origin + path, headers=headers).uploader(file, chunk_size=5000, url=first.url)
    resumed = second.offset
    second.upload()
    print(first.url.removeprefix(origin), reached, resumed, second.offset - os.path.getsize(file))
    """

  private static let isInstalled = ProjectFolder.isThere("/usr/lib/python3/dist-packages/tusclient")

  @Test(
    "Tuspy sends a file in parts, and another tuspy sends the rest",
    .enabled(if: isInstalled, "tuspy is not installed (make setup-browser)")
  )
  func tuspy() async throws {
    let server = try await TestServer()
    let script = try server.scratch.write(Self.python.utf8, as: "client.py")
    let file = ProjectFolder.fixture("h264.mp4")
    let arguments = [server.origin, "/canvases/c1/clip", file.string, server.cookie, server.token]
    let result = try await Program.runTool("python3", [script.string] + arguments)
    let words = result.text.split { $0.isWhitespace }.map(String.init)
    try #require(result.exitStatus == 0 && words.count == 4, "\(result.text) \(result.errorOutput)")
    let reached = try #require(Int(words[1]))
    #expect(reached >= 10_000 && words[2] == words[1] && words[3] == "0", "\(words)")

    let bytes = try ScratchFolder.read(file)
    #expect(reached < bytes.count)
    let answer = try await TestUpload(server: server, path: words[0]).finish(length: bytes.count)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(server.clips.contains("b.mp4"))
    #expect(try ScratchFolder.read(server.board.folder.appending("board.clips/b.mp4")) == bytes)
    try await server.end()
  }
}
