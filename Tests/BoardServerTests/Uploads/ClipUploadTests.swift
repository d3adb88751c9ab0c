import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("Files dropped on a served board", .enabled(if: Scope.isFull), .ownThread)
struct ClipUploadTests {
  private static func upload(
    _ bytes: [UInt8],
    to server: TestServer,
    canvas: String = "c1",
    _ metadata: [String: String]
  ) async throws -> TestResponse {
    let request = TestUpload.clipRequest(on: server, canvas: canvas, metadata, length: bytes.count)
    let upload = try await TestUpload.start(request, on: server)
    try await upload.send(bytes)
    return try await upload.finish(length: bytes.count)
  }

  private static let fixture = ProjectFolder.fixture("h264.mp4")

  @Test("A clip gets its name and a cover, and is sent back in parts as it is")
  func accepted() async throws {
    let server = try await TestServer()
    let bytes = try ScratchFolder.read(Self.fixture)
    let answer = try await Self.upload(bytes, to: server, ["filename": "../../beach.mp4"])
    #expect(answer.status == 200 && answer.json["outcome"]?.text == "changed", "\(answer.text)")
    #expect(server.clips == ["beach.mp4"] && server.parts.isEmpty)
    #expect(try ScratchFolder.read(server.board.folder.appending("board.clips/beach.mp4")) == bytes)
    let state = try await server.state("the cover is made") {
      $0["canvases"]?.elements.first?["cover"]?.text == "ready"
    }
    let generation = try #require(state["canvases"]?.elements.first?["clip"]?["generation"]?.int)
    let cover = try await server.answer(server.request("GET", "/covers/c1/\(generation)"))
    #expect(cover.status == 200 && cover["Content-Type"] == "image/png" && cover.body.starts(with: [0x89, 0x50]))

    let clip = server.request("GET", "/clips/c1/\(generation)")
    let whole = try await server.answer(clip)
    #expect(whole.status == 200 && whole.body == bytes && whole["Content-Type"] == "video/mp4")
    #expect(whole["X-Content-Type-Options"] == "nosniff" && whole["Accept-Ranges"] == "bytes")
    let part = try await server.answer(clip.with("Range", "bytes=10-19"))
    #expect(part.status == 206 && part.body == Array(bytes[10..<20]))
    #expect(part["Content-Range"] == "bytes 10-19/\(bytes.count)")
    let abuses = [
      "bytes=\(bytes.count)-", "bytes=5-2", "bytes=-0", "bytes=a-b", "bytes=99999999999999999999-",
      "bytes=" + String(repeating: "-", count: 8000),
    ]
    for range in abuses {
      let answer = try await server.answer(clip.with("Range", range))
      #expect(answer.status == 416 && answer["Content-Range"] == "bytes */\(bytes.count)", "\(range)")
    }
    for foreign in ["lines=0-1", ""] {
      let answer = try await server.answer(clip.with("Range", foreign))
      #expect(answer.status == 200 && answer.body == bytes, "\(foreign)")
    }
    let many = "bytes=" + (0..<1000).map { "\($0)-\($0)" }.joined(separator: ",")
    #expect(try await server.answer(clip.with("Range", many)).body == [bytes[0]])
    #expect(try await server.answer(server.request("GET", "/clips/c1/\(generation + 1)")).status == 404)
    try await server.end()
  }

  @Test("A browser keeps a cover and a clip, and gets another one at the same address when the file is another")
  func changed() async throws {
    let server = try await TestServer()
    let bytes = try ScratchFolder.read(Self.fixture)
    #expect(try await Self.upload(bytes, to: server, ["filename": "a.mp4"]).status == 200)
    let state = try await server.state("the cover is made") {
      $0["canvases"]?.elements.first?["cover"]?.text == "ready"
    }
    let generation = try #require(state["canvases"]?.elements.first?["clip"]?["generation"]?.int)
    guard case .ready(let cover) = try server.stored().canvases[0].cover else { throw Errno.noSuchFileOrDirectory }
    for (path, file) in [("covers", cover.path), ("clips", "board.clips/a.mp4")] {
      let request = server.request("GET", "/\(path)/c1/\(generation)")
      let first = try await server.answer(request)
      let tag = try #require(first["ETag"])
      #expect(first.status == 200 && first["Cache-Control"] == "private, no-cache", "\(path)")
      for known in [tag, "\"x\", W/\(tag)", "*"] {
        let again = try await server.answer(request.with("If-None-Match", known))
        #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag, "\(path) \(known)")
      }
      let head = try await server.answer(
        server.request("HEAD", "/\(path)/c1/\(generation)").with("X-ClipCanvas-Token", nil)
      )
      #expect(head.status == 200 && head["Content-Length"] == "\(first.body.count)" && head["ETag"] == tag, "\(path)")
      // Another file of the same size.
      var other = first.body
      other[other.count - 1] ^= 1
      let place = server.board.folder.appending(file)
      _ = place.withPlatformString { unlink($0) }
      try ScratchFolder.write(other, to: place)
      let next = try await server.answer(request.with("If-None-Match", tag))
      #expect(next.status == 200 && next.body == other && next["ETag"] != tag, "\(path)")
      guard path == "clips" else { continue }
      let rest = try await server.answer(request.with("Range", "bytes=5-").with("If-Range", tag))
      #expect(rest.status == 200 && rest.body == other)
      let part = try await server.answer(request.with("Range", "bytes=5-9").with("If-Range", next["ETag"]))
      #expect(part.status == 206 && part.body == Array(other[5..<10]))
    }
    try await server.end()
  }

  @Test("One answer to a range holds at most 1 MiB, so that no client has to read a whole clip")
  func largeRange() async throws {
    let server = try await TestServer()
    // A clip with free space at its end.
    var bytes = try ScratchFolder.read(Self.fixture)
    bytes += [0, 0x30, 0, 0] + Array("free".utf8) + Array(repeating: 0, count: (3 << 20) - 8)
    let answer = try await Self.upload(bytes, to: server, ["filename": "large.mp4"])
    try #require(answer.status == 200, "\(answer.text)")
    let generation = try #require(try await server.state()["canvases"]?.elements.first?["clip"]?["generation"]?.int)
    for (range, start) in [
      ("bytes=0-", 0), ("bytes=100-9223372036854775807", 100), ("bytes=-2000000", bytes.count - 2_000_000),
    ] {
      let part = try await server.answer(server.request("GET", "/clips/c1/\(generation)", ["Range": range]))
      #expect(part.status == 206 && part.body == Array(bytes[start..<start + (1 << 20)]), "\(range)")
    }
    try await server.end()
  }

  @Test(
    "What is not a video is refused with the reason, and nothing of it stays",
    arguments: [
      ("page.webm", "<!doctype html><script>alert(1)</script>"), ("notes.mp4", "These are notes.\n"),
      ("list.m3u8", "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"),
      ("x.ffconcat", "ffconcat version 1.0\nfile /etc/passwd\n"),
    ]
  )
  func refused(_ name: String, _ text: String) async throws {
    let server = try await TestServer()
    let before = try server.bytes()
    let answer = try await Self.upload(Array(text.utf8), to: server, ["filename": name])
    #expect(
      answer.status == 422 && answer.sentence?.hasPrefix("this cannot be used as a clip: ") == true,
      "\(answer.text)"
    )
    #expect(server.clips.isEmpty && server.parts.isEmpty)
    #expect(try server.bytes() == before)
    try await server.end()
  }

  /// A web page within free space: a box of MP4, and an element of Matroska.
  private static let page = Array("<!doctype html><script>alert(1)</script>".utf8)
  private static let freeBox = [0, 0, 0, UInt8(page.count + 8)] + Array("free".utf8) + page
  private static let voidElement: [UInt8] = [0xEC, 0x80 | UInt8(page.count)] + page

  /// Clips that are also web pages, the names that they are uploaded with, and those that they get.
  static let polyglots: [(fixture: String, given: String, stored: String)] = [
    ("h264.mp4", "poly.html", "poly.html.mp4"), ("h264.mp4", "poly.mp4.html", "poly.mp4.html.mp4"),
    ("h264.mp4", "poly.html.mp4", "poly.html.mp4"), ("h264.mp4", "poly.MP4", "poly.MP4"),
    ("h264.mp4", "poly.m4v", "poly.m4v"), ("h264.mp4", "poly.webm", "poly.mp4"), ("h264.mp4", "poly", "poly.mp4"),
    ("h264.mp4", "poly.", "poly.mp4"), ("h264.mp4", "poly.mp4. .", "poly.mp4"),
    ("h264.mp4", "poly.html .", "poly.html.mp4"),
    ("h264.mp4", "12.08.2026", "12.08.2026.mp4"), ("h264.mp4", ".html", "html.mp4"), ("h264.mp4", "a.php", "a.php.mp4"),
    ("h264.mp4", "a.desktop", "a.desktop.mp4"), ("h264.mp4", "a.mp4\u{0}.html", "a.mp4_.html.mp4"),
    ("vp8.webm", "poly.html", "poly.html.webm"), ("vp8.webm", "poly.svg", "poly.svg.webm"),
    ("vp8.webm", "poly.mp4", "poly.webm"), ("vp8.webm", "poly.mkv", "poly.mkv"), ("vp8.webm", "", "clip.webm"),
    ("h264.mkv", "poly.htm", "poly.htm.mkv"), ("h264-faststart.mov", "poly.js", "poly.js.mov"),
    ("h264.ts", "poly.xhtml", "poly.xhtml.ts"), ("h264.ts", "00001.MTS", "00001.MTS"),
    ("mpeg4.avi", "poly", "poly.avi"), ("theora.ogv", "poly.ogg", "poly.ogg.ogv"), ("wmv2.wmv", "a.html", "a.html.wmv"),
    ("h264.flv", "a.html", "a.html.flv"), ("mpeg2.mxf", "a.html", "a.html.mxf"), ("mpeg1.mpg", "a.html", "a.html.mpg"),
    ("elementary.h264", "a.html", "a.html.h264"),
  ]

  @Test(
    "A clip that is also something else gets an extension of its container, whatever its name",
    arguments: polyglots
  )
  func polyglot(_ polyglot: (fixture: String, given: String, stored: String)) async throws {
    let server = try await TestServer()
    var bytes = try ScratchFolder.read(ProjectFolder.fixture(polyglot.fixture))
    switch polyglot.fixture {
    case "h264.mp4": bytes += Self.freeBox
    case "vp8.webm", "h264.mkv": bytes += Self.voidElement
    default: break
    }
    let answer = try await Self.upload(bytes, to: server, ["filename": polyglot.given])
    #expect(answer.status == 200, "\(answer.text)")
    #expect(server.clips == [polyglot.stored])
    try await server.end()
  }

  @Test("A clip replaces another only if that was agreed to, and never a file")
  func replacing() async throws {
    let server = try await TestServer()
    let bytes = try ScratchFolder.read(Self.fixture)
    #expect(try await Self.upload(bytes, to: server, ["filename": "a.mp4"]).status == 200)
    let refused = try await server.answer(TestUpload.clipRequest(on: server, ["filename": "a.mp4"], length: 5))
    #expect(refused.status == 409 && refused.json["reason"]?.text == "hasClip")
    #expect(refused.sentence == "the canvas already has a clip; confirm that it may be replaced")
    #expect(try await Self.upload(bytes, to: server, ["filename": "a.mp4", "replace": "true"]).status == 200)
    #expect(server.clips.filter { $0.hasSuffix(".mp4") } == ["a-2.mp4", "a.mp4"])
    try await server.end()
  }

  @Test("A clip that arrives when the canvas is gone or has another clip is removed")
  func tooLate() async throws {
    let server = try await TestServer()
    let bytes = try ScratchFolder.read(Self.fixture)
    let upload = try await TestUpload.start(TestUpload.clipRequest(on: server, length: bytes.count), on: server)
    try await upload.send(bytes)
    try await server.change(#"{"event":"removeCanvas","canvas":"c1"}"#)
    let answer = try await upload.finish(length: bytes.count)
    #expect(answer.status == 409 && answer.json["reason"]?.text == "unknownCanvas", "\(answer.text)")
    #expect(server.clips.isEmpty && server.parts.isEmpty)
    try await server.end()
  }

  @Test("A file that arrives while a recording is open waits until it has ended")
  func whileRecording() async throws {
    let server = try await TestServer()
    let bytes = try ScratchFolder.read(Self.fixture)
    let request = TestUpload.clipRequest(on: server, canvas: "c2", ["filename": "a.mp4"], length: bytes.count)
    let upload = try await TestUpload.start(request, on: server)
    try await upload.send(bytes)
    _ = try await TestUpload.record(on: server)
    let refused = try await upload.finish(length: bytes.count)
    #expect(refused.status == 409 && refused.json["reason"]?.text == "locked", "\(refused.text)")
    #expect(try await upload.offset() == bytes.count && server.clips.isEmpty)
    try await server.change(#"{"event":"recordDiscard"}"#)
    let answer = try await upload.finish(length: bytes.count)
    #expect(answer.status == 200 && server.clips == ["a.mp4"], "\(answer.text)")
    // A page that missed the answer gets it again.
    let again = try await upload.finish(length: bytes.count)
    #expect(again.status == 200 && again.text == answer.text, "\(again.text)")
    try await server.end()
  }

  @Test("Many files whose clients have stopped sending do not block recordings, and can be given up")
  func many() async throws {
    let server = try await TestServer()
    var uploads: [TestUpload] = []
    for _ in 0..<32 {
      uploads.append(try await TestUpload.start(TestUpload.clipRequest(on: server, length: 1000), on: server))
    }
    let refused = try await server.answer(TestUpload.clipRequest(on: server, length: 1000))
    #expect(refused.status == 429, "\(refused.text)")
    let ended = try await server.answer(server.request("DELETE", uploads[0].path, TestUpload.version))
    #expect(ended.status == 204 && ended["Tus-Resumable"] == "1.0.0" && server.parts.count == 31)
    #expect(try await uploads[0].head().status == 410)
    uploads.append(try await TestUpload.start(TestUpload.clipRequest(on: server, length: 1000), on: server))
    let take = try await TestUpload.record(on: server)
    // What is recorded is given up by an event of the board.
    #expect(try await server.answer(server.request("DELETE", take.path, TestUpload.version)).status == 403)
    try await server.change(#"{"event":"recordDiscard"}"#)
    try await server.end()
  }

  @Test("What is discarded or refused frees its room on the disk")
  func room() async throws {
    let server = try await TestServer()
    let take = try await TestUpload.record(on: server)
    try await take.send(Array(repeating: 0, count: 100_000))
    try await server.change(#"{"event":"recordDiscard"}"#)
    let clip = try await TestUpload.start(TestUpload.clipRequest(on: server, length: 5), on: server)
    try await clip.send(Array("text\n".utf8))
    #expect(try await clip.finish(length: 5).status == 422)
    try await eventually("the parts are removed") { server.parts.isEmpty }
    try await eventually("no removed file is open") {
      server.program.openFiles().allSatisfy { !$0.contains("(deleted)") }
    }
    try await server.end()
  }

  @Test("Canvases with any valid ID can be named in addresses, and nothing else")
  func oddCanvases() async throws {
    let scratch = try ScratchFolder()
    let ids = ["-", "_-_", String(repeating: "Z", count: 64)]
    let board = Board(columns: 3, rows: 1)
    let file = BoardFile(at: scratch("board.json"))
    try file.create(board)
    var text = String(decoding: try ScratchFolder.read(file.path), as: UTF8.self)
    for (old, new) in zip(["c1", "c2", "c3"], ids) {
      text.replace("\"id\":\"\(old)\"", with: "\"id\":\"\(new)\"")
      text.replace("\"id\": \"\(old)\"", with: "\"id\": \"\(new)\"")
    }
    try ScratchFolder.write(text.utf8, to: file.path)
    let server = try await TestServer(in: scratch)
    let bytes = try ScratchFolder.read(Self.fixture)
    // Any character may be escaped in an address.
    for (index, canvas) in [ids[0], "%5F-_", ids[2]].enumerated() {
      #expect(
        try await Self.upload(bytes, to: server, canvas: canvas, ["filename": "\(index).mp4"]).status == 200,
        "\(canvas)"
      )
      let canvases = try await server.state()["canvases"]?.elements ?? []
      let generation = try #require(canvases[index]["clip"]?["generation"]?.int)
      #expect(
        try await server.answer(server.request("GET", "/clips/\(canvas)/\(generation)")).body == bytes,
        "\(canvas)"
      )
    }
    for canvas in ["a%2Fb%252F%20%C3%A4", "%2e%2E", "100%25", "%00"] {
      let answer = try await server.answer(server.request("GET", "/clips/\(canvas)/1"))
      #expect((400..<500).contains(answer.status), "\(canvas)")
    }
    try await server.end()
  }
}
