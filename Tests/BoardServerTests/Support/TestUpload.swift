import BoardStore
import TestSupport
import Testing

/// An upload as the page does it, by tus 1.0.
struct TestUpload: Sendable {
  static let version = ["Tus-Resumable": "1.0.0"]

  let server: TestServer
  /// The path of the upload on the server.
  let path: String

  // MARK: - Starting

  /// Returns the request that starts a recording, or continues one.
  static func takeRequest(on server: TestServer, _ metadata: [String: String] = [:]) -> TestRequest {
    server.request("POST", "/takes", headers(metadata, ["Upload-Defer-Length": "1"]))
  }

  /// Returns the request that starts to upload a clip.
  static func clipRequest(
    on server: TestServer,
    canvas: String = "c1",
    _ metadata: [String: String] = [:],
    length: Int
  ) -> TestRequest {
    server.request("POST", "/canvases/\(canvas)/clip", headers(metadata, ["Upload-Length": "\(length)"]))
  }

  private static func headers(_ metadata: [String: String], _ other: [String: String]) -> [String: String] {
    let pairs = metadata.map { "\($0.key) \(base64($0.value))" }.joined(separator: ",")
    return version.merging(other) { $1 }.merging(pairs.isEmpty ? [:] : ["Upload-Metadata": pairs]) { $1 }
  }

  private static func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var (digits, bytes) = ("", Array(text.utf8)[...])
    while !bytes.isEmpty {
      let group = Array(bytes.prefix(3))
      bytes = bytes.dropFirst(3)
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 { digits.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : "=") }
    }
    return digits
  }

  /// Starts an upload with a request that must succeed.
  static func start(
    _ request: TestRequest,
    on server: TestServer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> TestUpload {
    let answer = try await server.answer(request)
    try #require(answer.status == 201, "\(answer.status) \(answer.text)", sourceLocation: sourceLocation)
    return TestUpload(server: server, path: try #require(answer["Location"], sourceLocation: sourceLocation))
  }

  /// Starts to record on a canvas.
  static func record(
    _ canvas: String = "c1",
    on server: TestServer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> TestUpload {
    try await server.change(#"{"event":"preview","canvas":"\#(canvas)"}"#, sourceLocation: sourceLocation)
    return try await start(takeRequest(on: server), on: server, sourceLocation: sourceLocation)
  }

  // MARK: - Sending

  /// Returns the request that sends a part.
  func part(_ bytes: some Sequence<UInt8>, at offset: Int, _ headers: [String: String] = [:]) -> TestRequest {
    let usual = ["Content-Type": "application/offset+octet-stream", "Upload-Offset": "\(offset)"]
    return server.request(
      "PATCH",
      path,
      Self.version.merging(usual) { $1 }.merging(headers) { $1 },
      body: Array(bytes)
    )
  }

  /// Sends bytes in parts, which must all be accepted.
  func send(
    _ bytes: [UInt8],
    from start: Int = 0,
    partBytes: Int = 16_384,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let connection = try HTTPConnection(port: server.port)
    for begin in stride(from: start, to: bytes.count, by: partBytes) {
      let end = min(bytes.count, begin + partBytes)
      let answer = try await connection.answer(to: part(bytes[begin..<end], at: begin))
      try #require(answer.status == 204, "\(answer.status) \(answer.text)", sourceLocation: sourceLocation)
      #expect(answer["Upload-Offset"] == "\(end)", sourceLocation: sourceLocation)
    }
  }

  /// Asks how much arrived.
  func head() async throws -> TestResponse { try await server.answer(server.request("HEAD", path, Self.version)) }

  /// Asks how many bytes arrived.
  func offset() async throws -> Int? { try await head()["Upload-Offset"].flatMap { Int($0) } }

  /// Gives signs as a page does, so that the recording is not interrupted while something else is done.
  func whileKept<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    let signs = Task {
      while !Task.isCancelled {
        _ = try? await head()
        try await pause(.milliseconds(200))
      }
    }
    defer { signs.cancel() }
    return try await body()
  }

  /// Reports that the page goes away.
  func leave() async throws -> TestResponse {
    try await server.answer(server.request("POST", path + "/leave", Self.version))
  }

  /// Ends the upload.
  func finish(length: Int) async throws -> TestResponse {
    try await server.answer(
      server.request("POST", path + "/finish", Self.version.merging(["Upload-Length": "\(length)"]) { $1 })
    )
  }
}
