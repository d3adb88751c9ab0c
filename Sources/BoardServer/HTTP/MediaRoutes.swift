internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import CoverService
internal import Files
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import SystemPackage

/// The clips and covers that the board names.
struct MediaRoutes: Sendable {
  let feed: BoardFeed
  let kinds: ClipKinds

  /// What one answer to a request for a part of a clip holds, in bytes: a browser asks again for what it needs next.
  private static let partBytes = 1 << 20
  private static let chunkBytes = 1 << 18

  func add(to router: Router<some RequestContext>) {
    router.get("/covers/:canvas/:generation") { _, context in
      try await cover(try canvas(try context.canvas(), try context.parameters.require("generation")))
    }
    router.get("/clips/:canvas/:generation") { request, context in
      try await clip(try canvas(try context.canvas(), try context.parameters.require("generation")), request)
    }
  }

  /// Returns a canvas whose clip has the given generation.
  private func canvas(_ id: CanvasID, _ generation: String) throws(RequestFailure) -> Canvas {
    guard let canvas = feed.board[id], let clip = canvas.clip, "\(clip.generation)" == generation else {
      throw RequestFailure(.notFound, "the board has no such clip")
    }
    return canvas
  }

  // MARK: - Covers

  private func cover(_ canvas: Canvas) async throws -> Response {
    guard case .ready(let cover) = canvas.cover else { throw RequestFailure(.notFound, "there is no cover yet") }
    let path = BoardPath.path(of: cover.path, in: feed.file.folder)
    guard let file = OpenMedia(path), file.bytes <= 64 << 20, file.startsWith([0x89, 0x50, 0x4E, 0x47]) else {
      throw RequestFailure(.notFound, "the cover is missing")
    }
    return Self.response(file, 0..<file.bytes, status: .ok, headers: Self.headers("image/png"))
  }

  // MARK: - Clips

  private func clip(_ canvas: Canvas, _ request: Request) async throws -> Response {
    guard let clip = canvas.clip else { throw RequestFailure(.notFound, "the board has no such clip") }
    let path = BoardPath.path(of: clip.file.path, in: feed.file.folder)
    guard let file = OpenMedia(path) else { throw RequestFailure(.notFound, "the clip is missing") }
    guard let type = await kinds.type(of: path, file.identity) else {
      throw RequestFailure(.unsupportedMediaType, "the clip cannot be read")
    }
    var headers = Self.headers(type)
    headers[.acceptRanges] = "bytes"
    guard let range = request.headers[.range] else {
      return Self.response(file, 0..<file.bytes, status: .ok, headers: headers)
    }
    guard let wanted = ByteRange.first(of: range, in: file.bytes) else {
      headers[.contentRange] = "bytes */\(file.bytes)"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    }
    let part = wanted.lowerBound..<min(wanted.upperBound, wanted.lowerBound + Self.partBytes)
    headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.bytes)"
    return Self.response(file, part, status: .partialContent, headers: headers)
  }

  private static func headers(_ type: String) -> HTTPFields {
    // A generation is never used again.
    [.contentType: type, .cacheControl: "private, max-age=31536000, immutable"]
  }

  private static func response(
    _ file: OpenMedia,
    _ range: Range<Int>,
    status: HTTPResponse.Status,
    headers: HTTPFields
  ) -> Response {
    let body = ResponseBody(contentLength: range.count) { writer in
      var position = range.lowerBound
      while position < range.upperBound {
        let count = min(chunkBytes, range.upperBound - position)
        let start = position
        let chunk = try await NIOThreadPool.singleton.runIfActive { try file.read(count, at: start) }
        position += chunk.readableBytes
        try await writer.write(chunk)
      }
      try await writer.finish(nil)
    }
    return Response(status: status, headers: headers, body: body)
  }
}

/// A file that is open for reading.
private final class OpenMedia: Sendable {
  let bytes: Int
  let identity: FileIdentity
  private let file: SystemPackage.FileDescriptor

  /// Opens a regular file; returns `nil` if there is none.
  init?(_ path: FilePath) {
    guard let file = try? SystemPackage.FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    else { return nil }
    guard let status = try? FileStatus(of: file), status.kind == .regular else {
      try? file.close()
      return nil
    }
    (self.file, bytes, identity) = (file, status.bytes, status.identity)
  }

  deinit {
    try? file.close()
  }

  func read(_ count: Int, at offset: Int) throws -> ByteBuffer {
    var buffer = ByteBuffer()
    try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { pointer in
      try file.read(
        fromAbsoluteOffset: Int64(offset),
        into: UnsafeMutableRawBufferPointer(rebasing: pointer[..<count])
      )
    }
    // A file that became shorter cannot be sent as announced.
    guard buffer.readableBytes > 0 else { throw Errno.ioError }
    return buffer
  }

  func startsWith(_ head: [UInt8]) -> Bool {
    guard let start = try? read(head.count, at: 0) else { return false }
    return start.readableBytesView.elementsEqual(head)
  }
}

/// The types of clips according to a decoder, each asked for once.
actor ClipKinds {
  private let shelf: ClipShelf
  private var known: [FileIdentity: String?] = [:]

  private static let maximumKnown = 10_000

  init(_ shelf: ClipShelf) {
    self.shelf = shelf
  }

  /// Returns the MIME type of a clip; `nil` if a decoder does not accept it.
  func type(of path: FilePath, _ identity: FileIdentity) async -> String? {
    if let type = known[identity] { return type }
    let type = try? await shelf.kind(of: path).get()
    if known.count >= Self.maximumKnown { known = [:] }
    known[identity] = .some(type)
    return type
  }
}
