internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
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

  /// Whether a path is that of a clip or a cover.
  static func isMedia(_ path: String) -> Bool { path.hasPrefix("/covers/") || path.hasPrefix("/clips/") }

  func add(to router: Router<some RequestContext>) {
    router.get("/covers/:canvas/:generation") { request, context in try cover(try take(in: context), request) }
    router.head("/covers/:canvas/:generation") { request, context in
      try cover(try take(in: context), request).createHeadResponse()
    }
    router.get("/clips/:canvas/:generation") { request, context in try await clip(try take(in: context), request) }
    router.head("/clips/:canvas/:generation") { request, context in
      try await clip(try take(in: context), request).createHeadResponse()
    }
  }

  /// Returns the clip or take that the address names by its canvas and generation.
  private func take(in context: some RequestContext) throws -> KeptTake {
    let (id, generation) = (try context.canvas(), try context.parameters.require("generation"))
    guard let canvas = feed.board[id] else { throw RequestFailure(.notFound, "the board has no such clip") }
    let clip = canvas.clip.map { KeptTake(clip: $0, cover: canvas.cover) }
    guard let take = ([clip].compactMap(\.self) + canvas.takes).first(where: { "\($0.clip.generation)" == generation })
    else { throw RequestFailure(.notFound, "the board has no such clip") }
    return take
  }

  // MARK: - Covers

  private func cover(_ take: KeptTake, _ request: Request) throws -> Response {
    guard case .ready(let cover) = take.cover else { throw RequestFailure(.notFound, "there is no cover yet") }
    let path = BoardPath.path(of: cover.path, in: feed.file.folder)
    guard let file = OpenMedia(path), file.bytes <= 64 << 20, file.startsWith([0x89, 0x50, 0x4E, 0x47]) else {
      throw RequestFailure(.notFound, "the cover is missing")
    }
    let headers = Self.headers("image/png", file)
    if file.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
    return Self.response(file, 0..<file.bytes, status: .ok, headers: headers)
  }

  // MARK: - Clips

  private func clip(_ take: KeptTake, _ request: Request) async throws -> Response {
    let path = BoardPath.path(of: take.clip.file.path, in: feed.file.folder)
    guard let file = OpenMedia(path) else { throw RequestFailure(.notFound, "the clip is missing") }
    let type: String
    do throws(CoverFailure) {
      type = try await kinds.type(of: path, file.tag)
    } catch {
      throw RequestFailure(
        error.isBreakdown ? .internalServerError : .unsupportedMediaType,
        "the clip cannot be read: \(error.message)"
      )
    }
    return Self.answer(to: request, with: file, type: type)
  }

  /// Returns a file, or the part of it that a request asks for.
  static func answer(to request: Request, with file: OpenMedia, type: String) -> Response {
    var headers = headers(type, file)
    headers[.acceptRanges] = "bytes"
    if file.isKnown(to: request) { return Response(status: .notModified, headers: headers) }
    switch file.range(of: request) {
    case .foreign: return response(file, 0..<file.bytes, status: .ok, headers: headers)
    case .unsatisfiable:
      headers[.contentRange] = "bytes */\(file.bytes)"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    case .part(let wanted):
      let part = wanted.lowerBound..<min(wanted.upperBound, wanted.lowerBound + partBytes)
      headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.bytes)"
      return response(file, part, status: .partialContent, headers: headers)
    }
  }

  /// Headers that let a browser cache a file but revalidate it each time: another board's file, or a new version of a
  /// cover, has the same address.
  private static func headers(_ type: String, _ file: OpenMedia) -> HTTPFields {
    [.contentType: type, .cacheControl: "private, no-cache", .eTag: file.tag]
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
final class OpenMedia: Sendable {
  let bytes: Int
  /// What distinguishes the file and its content from others (RFC 9110, section 8.8.3).
  let tag: String
  private let file: SystemPackage.FileDescriptor

  /// Opens a regular file; returns `nil` for any other, or if the path does not exist.
  init?(_ path: FilePath) {
    guard let file = try? SystemPackage.FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    else { return nil }
    guard let status = try? FileStatus(of: file), status.kind == .regular else {
      try? file.close()
      return nil
    }
    (self.file, bytes) = (file, status.bytes)
    let time = status.modificationTime
    tag = "\"\(status.identity)-\(bytes)-\(time.seconds).\(time.nanoseconds)\""
  }

  deinit {
    try? file.close()
  }

  /// Whether the browser that sends a request has the file.
  func isKnown(to request: Request) -> Bool {
    request.headers[values: .ifNoneMatch].contains { header in
      header.split(separator: ",").contains { known in
        let known = known.drop { $0 == " " }
        return known == "*" || known == tag || known == "W/" + tag
      }
    }
  }

  /// Returns the part of the file that a request asks for.
  func range(of request: Request) -> ByteRange {
    guard let range = request.headers[.range] else { return .foreign }
    // Parts of two files do not fit together.
    guard (request.headers[.ifRange] ?? tag) == tag else { return .foreign }
    return ByteRange(range, in: bytes)
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
