import BoardStore
import CanvasModel
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Takes whose segments come from different cameras and browsers.
@Suite("Segments of recordings that differ", .enabled(if: Scope.isFull), .ownThread)
struct SegmentsTests {
  /// Records segments as one take, stops it, and returns the only clip.
  private static func clip(of segments: [[UInt8]], on server: TestServer) async throws -> FilePath {
    var upload = try await TestUpload.record(on: server)
    try await upload.send(segments[0])
    for segment in segments.dropFirst() {
      try await server.change(#"{"event":"recordPause"}"#)
      let take = try #require(try await server.state()["take"]?["id"]?.text)
      upload = try await TestUpload.start(TestUpload.takeRequest(on: server, ["take": take]), on: server)
      try await upload.send(segment)
    }
    try await server.change(#"{"event":"recordStop"}"#)
    let answer = try await upload.finish(length: segments.last?.count ?? 0)
    try #require(answer.status == 200, "\(answer.text)")
    try await eventually("the parts are removed") { server.parts.isEmpty }
    let path = try #require(try server.stored().canvases[0].clip?.file.path)
    return server.board.folder.appending(path)
  }

  private static func streams(of clip: FilePath) async throws -> [String] {
    let result = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_type,width,height", "-of", "csv=p=0", clip.string]
    )
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test(
    "Segments with other codecs, sizes or sound are encoded again, and the clip has all of them",
    arguments: [
      [Recordings.vp8, Recordings.mp4], [Recordings.vp9, Recordings.vp8], [Recordings.mp4, Recordings.upright],
      [Recordings.upright, Recordings.mp4, Recordings.vp9],
    ]
  )
  func different(_ recordings: [Recording]) async throws {
    let server = try await TestServer()
    var segments: [[UInt8]] = []
    for recording in recordings { segments.append(try await recording.bytes) }
    let clip = try await Self.clip(of: segments, on: server)
    let seconds = Recording.seconds * Double(recordings.count)
    let duration = try #require(try await VideoCheck.duration(of: clip))
    #expect(abs(duration - seconds) <= 0.15, "\(duration)")
    let frames = try #require(try await VideoCheck.frames(of: clip))
    #expect(abs(frames - Int(seconds * 30)) <= recordings.count, "\(frames)")
    let size = recordings[0] === Recordings.upright ? "120,160" : "160,120"
    #expect(try await Self.streams(of: clip) == ["video,\(size)", "audio"])
    try await server.end()
  }

  @Test("A segment that was cut off by the end of its browser is encoded up to where it ends")
  func cut() async throws {
    let server = try await TestServer()
    let (first, second) = (try await Recordings.vp8.bytes, try await Recordings.mp4.bytes)
    let clip = try await Self.clip(of: [Array(first[..<(first.count * 2 / 3)]), second], on: server)
    // All of the second segment, and more than a third of the first.
    let duration = try #require(try await VideoCheck.duration(of: clip))
    #expect((2.7...3.9).contains(duration), "\(duration)")
    #expect(try await VideoCheck.frames(of: clip) != nil)
    try await server.end()
  }

  @Test("A segment without a single frame costs nothing of the others", arguments: [true, false])
  func empty(isFirst: Bool) async throws {
    let server = try await TestServer()
    let whole = try await Recordings.mp4.bytes
    // What a browser that was killed at once leaves: the head of the file.
    let fragment = try #require(whole.firstRange(of: Array("moof".utf8)))
    let head = Array(whole[..<(fragment.lowerBound - 4)])
    let clip = try await Self.clip(of: isFirst ? [head, whole] : [whole, head], on: server)
    #expect(try await VideoCheck.frames(of: clip) == 50)
    try await server.end()
  }

  @Test("A take that another program records cannot be continued here, and stays as it is")
  func foreign() async throws {
    let server = try await TestServer()
    for command in [["preview", "c1"], ["record", "start"], ["record", "pause"]] {
      let result = try await Program.run(
        "clipcanvas",
        ["board"] + command + ["--board", server.board.path.string]
      )
      try #require(result.exitStatus == 0, "\(result.errorOutput)")
    }
    let before = try server.bytes()
    let take = try #require(try server.stored().session.take?.id.description)
    let answer = try await server.answer(TestUpload.takeRequest(on: server, ["take": take]))
    #expect(
      answer.status == 409 && answer.sentence?.hasPrefix("another program is making this recording") == true,
      "\(answer.text)"
    )
    #expect(try server.bytes() == before && server.parts.isEmpty)
    try await server.end()
  }
}
