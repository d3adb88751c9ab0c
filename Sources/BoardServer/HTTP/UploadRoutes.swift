internal import BoardStore
internal import CanvasModel
internal import Files
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOPosix

/// The uploads of recordings and files, with the tus protocol 1.0 (core, creation and deferred length).
struct UploadRoutes: Sendable {
  let uploads: UploadFolder
  let recorder: TakeRecorder

  /// The version of the protocol.
  static let version = "1.0.0"
  /// What the paths of these requests begin with.
  static let prefixes = ["/takes", "/canvases/", "/uploads/"]

  func add(to router: Router<ServerContext>) {
    router.on("/takes", method: .options) { _, _ in Self.abilities }
    router.post("/takes") { request, context in try await startTake(request, by: context.guest) }
    router.post("/canvases/:canvas/clip") { request, context in try await startClip(request, context.canvas()) }
    router.head("/uploads/:upload") { request, context in try offset(of: try upload(request, context)) }
    router.patch("/uploads/:upload") { request, context in try await append(request, to: try upload(request, context)) }
    router.delete("/uploads/:upload") { request, context in try end(try upload(request, context)) }
    router.post("/uploads/:upload/finish") { request, context in
      try await finish(request, try upload(request, context))
    }
    router.post("/uploads/:upload/leave") { request, context in try await leave(try upload(request, context)) }
  }

  /// Returns the upload that the address names; a guest can only use its own.
  private func upload(_ request: Request, _ context: ServerContext) throws -> Upload {
    try Self.checkVersion(of: request)
    let upload = try uploads.upload(try context.parameters.require("upload"))
    guard context.guest == nil || upload.guest === context.guest else { throw GuestRights.refusal }
    return upload
  }

  private static var abilities: Response {
    Response(
      status: .noContent,
      headers: [
        .tusVersion: version, .tusExtension: "creation,creation-defer-length,termination",
        .tusMaxSize: "\(UploadLimits.fileBytes)",
      ]
    )
  }

  // MARK: - Requests

  private func startTake(_ request: Request, by guest: Guest?) async throws -> Response {
    try Self.checkVersion(of: request)
    guard request.headers[.uploadDeferLength] == "1", request.headers[.uploadLength] == nil else {
      throw RequestFailure(.badRequest, "the length of a recording is not known at its start (Upload-Defer-Length: 1)")
    }
    let metadata = try Metadata(request.headers[.uploadMetadata])
    let (upload, outcome): (Upload, Outcome)
    if let take = metadata["take"] {
      guard let take = TakeID(take) else { throw RequestFailure(.badRequest, "the name of the take is empty") }
      (upload, outcome) = try await recorder.resume(take, by: guest)
    } else {
      (upload, outcome) = try await recorder.start(replacing: metadata["replace"] == "true", by: guest)
    }
    guard case .object(let answer) = JSON(outcome) else { preconditionFailure("an outcome is an object") }
    upload.setMetadata(request.headers[.uploadMetadata])
    var members = answer.members.map { ($0.key, $0.value) }
    members += [("upload", .string(upload.id)), ("take", JSON(upload.purpose.take?.description))]
    return Self.created(upload, .object(JSONObject(members)))
  }

  private func startClip(_ request: Request, _ canvas: CanvasID) async throws -> Response {
    try Self.checkVersion(of: request)
    let metadata = try Metadata(request.headers[.uploadMetadata])
    guard let length = Self.number(request.headers[.uploadLength]) else {
      throw RequestFailure(.badRequest, "the size of the file is missing (Upload-Length)")
    }
    guard length > 0 else { throw RequestFailure(.badRequest, "the file is empty; choose another one") }
    try await recorder.checkImport(into: canvas, replacing: metadata["replace"] == "true")
    let upload = try uploads.addClip(
      for: canvas,
      replaces: metadata["replace"] == "true",
      name: metadata["filename"] ?? "clip",
      length: length
    )
    upload.setMetadata(request.headers[.uploadMetadata])
    return Self.created(upload, .object(["upload": .string(upload.id)]))
  }

  private static func created(_ upload: Upload, _ json: JSON) -> Response {
    Response(
      json,
      status: .created,
      headers: [.location: "/uploads/\(upload.id)", .uploadOffset: "0"]
    )
  }

  private func offset(of upload: Upload) throws(RequestFailure) -> Response {
    guard !upload.isOver else { return Response(status: .gone) }
    upload.renew()
    var headers: HTTPFields = [.uploadOffset: "\(upload.offset)"]
    headers[.uploadMetadata] = upload.metadata
    if let length = upload.length {
      headers[.uploadLength] = "\(length)"
    } else {
      headers[.uploadDeferLength] = "1"
    }
    return Response(status: .noContent, headers: headers)
  }

  private func append(_ request: Request, to upload: Upload) async throws -> Response {
    guard request.headers[.contentType] == "application/offset+octet-stream" else {
      throw RequestFailure(.unsupportedMediaType, "data must be sent as application/offset+octet-stream")
    }
    guard let offset = Self.number(request.headers[.uploadOffset]) else {
      throw RequestFailure(.badRequest, "the offset of the data is missing (Upload-Offset)")
    }
    let length = Self.number(request.headers[.uploadLength])
    guard length != nil || request.headers[.uploadLength] == nil else {
      throw RequestFailure(.badRequest, "Upload-Length is not a number")
    }
    let bytes = Self.number(request.headers[.contentLength])
    // An empty part is a sign of life.
    if bytes != 0 { try uploads.checkRoom(for: bytes ?? 1) }
    let turn = try upload.beginPart(at: offset, bytes: bytes, of: length)
    for try await part in request.body {
      // Disks can be slow, and other requests should not have to wait for them.
      try await NIOThreadPool.singleton.runIfActive { try upload.write(part, in: turn) }
    }
    return Response(status: .noContent, headers: [.uploadOffset: "\(upload.offset)"])
  }

  /// Ends the upload of a clip that is not wanted any more; what was recorded is discarded on the board.
  private func end(_ upload: Upload) throws -> Response {
    guard upload.purpose.take == nil else {
      throw RequestFailure(.forbidden, "discard a recording with the event recordDiscard")
    }
    guard !upload.isOver else { throw RequestFailure(.gone, "this upload was finished or discarded") }
    uploads.remove(upload)
    return Response(status: .noContent)
  }

  private func finish(_ request: Request, _ upload: Upload) async throws -> Response {
    guard let length = Self.number(request.headers[.uploadLength]) ?? upload.length else {
      throw RequestFailure(.badRequest, "the size of the upload is missing (Upload-Length)")
    }
    return Response(try await recorder.finish(upload, length: length))
  }

  private func leave(_ upload: Upload) async throws -> Response {
    try await recorder.leave(upload)
    return Response(status: .noContent)
  }

  // MARK: - Headers

  private static func checkVersion(of request: Request) throws(RequestFailure) {
    guard request.headers[.tusResumable] == version else {
      throw RequestFailure(.preconditionFailed, "uploads use version \(version) of the tus protocol (Tus-Resumable)")
    }
  }

  private static func number(_ text: String?) -> Int? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  /// The key and value pairs of an upload.
  private struct Metadata {
    private let values: [String: String]

    init(_ header: String?) throws(RequestFailure) {
      var values: [String: String] = [:]
      for pair in header?.split(separator: ",") ?? [] {
        let words = pair.split(separator: " ")
        guard let key = words.first, words.count <= 2, let bytes = Base64.decode(words.count == 2 ? words[1] : ""),
          let text = String(validating: bytes, as: UTF8.self)
        else { throw RequestFailure(.badRequest, "Upload-Metadata is not a list of keys with Base64 values") }
        values[String(key)] = text
      }
      self.values = values
    }

    subscript(key: String) -> String? { values[key] }
  }
}

extension RequestContext {
  /// The canvas that the address names.
  func canvas() throws -> CanvasID {
    let text = try parameters.require("canvas")
    guard let bytes = PercentEncoding.decode(text.utf8), let name = String(validating: bytes, as: UTF8.self),
      let canvas = CanvasID(name)
    else {
      throw RequestFailure(.badRequest, "the address does not name a canvas")
    }
    return canvas
  }
}
