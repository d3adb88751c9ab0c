internal import BoardStore
internal import BoardSupport
internal import Covers
internal import Files
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import SystemPackage

/// The requests for the board as a video and as a picture, which only owners send.
struct DownloadRoutes: Sendable {
  let export: BoardExport
  let feed: BoardFeed

  /// The time limit for one cover of a picture, in seconds.
  private static let timeout = 30

  func add(to router: Router<ServerContext>) {
    router.post("/export") { _, _ in
      try await export.start()
      return Response(status: .accepted)
    }
    router.delete("/export") { _, _ in
      await export.cancel()
      return Response(status: .noContent)
    }
    router.get("/export/video") { request, context in
      try context.requireOwner()
      guard let file = OpenMedia(export.place.path) else {
        throw RequestFailure(.notFound, "the board has not been exported yet")
      }
      return MediaRoutes.answer(to: request, with: file, type: "video/mp4").asAttachment
    }
    router.get("/picture") { _, context in
      try context.requireOwner()
      return try await picture()
    }
  }

  private func picture() async throws -> Response {
    let arguments = RenderArguments(
      board: feed.file.path,
      output: "-",
      size: .usual,
      layout: nil,
      style: BoardStyle(),
      isForced: false,
      reportsJSON: false,
      timeout: Self.timeout,
      sandbox: .auto
    )
    let end = try await ViewProgram.run(.render(arguments))
    guard !end.output.isEmpty else {
      throw RequestFailure(.internalServerError, "the board cannot be drawn: \(end.message)")
    }
    return Response(bytes: end.output, type: "image/png").asAttachment
  }
}

extension Response {
  /// The response as a file to store; the page chooses its name.
  fileprivate var asAttachment: Response {
    var copy = self
    copy.headers[.contentDisposition] = "attachment"
    return copy
  }
}
