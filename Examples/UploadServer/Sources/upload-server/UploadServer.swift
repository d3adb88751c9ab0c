import ClipCovers
import Glibc
import Hummingbird

/// A web server that answers an uploaded clip with its cover:
/// `curl --data-binary @clip.mp4 http://127.0.0.1:8080/cover -o cover.webp`.
///
/// The argument is the port, 8080 by default.
@main
enum UploadServer {
  /// The largest upload, in bytes.
  private static let maximumBytes = 256 << 20

  static func main() async throws {
    let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
    let app = Application(
      router: router(CoverGenerator(maximumSize: .init(width: 640, height: 640), format: .webp())),
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: {
        print("listening on port \($0.localAddress?.port ?? port)")
        fflush(nil)
      }
    )
    try await app.runService()
  }

  private static func router(_ covers: CoverGenerator) -> Router<BasicRequestContext> {
    let router = Router()
    router.post("cover") { request, _ in
      let body = try await request.body.collect(upTo: maximumBytes)
      do {
        // If the client hangs up, its task is cancelled, and the decoder ends its work.
        let cover = try await covers.image(of: .bytes(Array(body.readableBytesView)), at: .best)
        return Response(
          status: .ok,
          headers: [.contentType: cover.mediaType],
          body: .init(byteBuffer: ByteBuffer(bytes: cover.data))
        )
      } catch let error as ClipError {
        // A clip without a picture is the client's matter; anything else is ours.
        let status: HTTPResponse.Status = error.stage == .service ? .serviceUnavailable : .unprocessableContent
        return Response(status: status, body: .init(byteBuffer: ByteBuffer(string: "\(error)\n")))
      }
    }
    return router
  }
}
