import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("The example that answers an upload with its cover")
struct UploadServerTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func port(of server: RunningProgram) async throws -> Int {
    try await eventually("the server listens") { try server.outputSoFar().contains("listening") }
    return try #require(try server.outputSoFar().split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) })
  }

  private func request(_ body: [UInt8]) -> TestRequest {
    TestRequest(method: "POST", path: "/cover", headers: [("Host", "127.0.0.1")], body: body)
  }

  @Test("A clip gives its cover, anything else a message, and a client that hangs up frees the decoder")
  func uploads() async throws {
    let server = try RunningProgram("upload-server", ["0"], scratch: scratch)
    let port = try await port(of: server)
    let clip = try ScratchFolder.read(ProjectFolder.fixture("anamorphic-turned.mp4"))
    let cover = try await HTTPConnection(port: port).answer(to: request(clip))
    #expect(cover.status == 200 && cover["Content-Type"] == "image/webp")
    let file = try scratch.write(cover.body, as: "cover.webp")
    let size = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", file.string]
    )
    let ours = try await Program.run(
      "clipcanvas",
      ["probe", "--json", ProjectFolder.fixture("anamorphic-turned.mp4").string]
    )
    let words = size.text.dropLast().split(separator: ",").map(String.init)
    try #require(words.count == 3 && words[0] == "webp")
    #expect(ours.text.contains("\"shownWidth\":\(words[1])") && ours.text.contains("\"shownHeight\":\(words[2])"))

    let other = try await HTTPConnection(port: port).answer(to: request(Array("a text".utf8)))
    #expect(other.status == 422)
    // Half of a request.
    let impatient = try HTTPConnection(port: port)
    try await impatient.send(request(clip).bytes.dropLast(100))
    let again = try await HTTPConnection(port: port).answer(to: request(clip))
    #expect(again.body == cover.body)
    server.send(SIGKILL)
    _ = try await server.end()
  }
}
