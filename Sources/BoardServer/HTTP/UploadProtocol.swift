internal import HTTPTypes
internal import Hummingbird

/// Adds the headers with the server's version of tus to every answer about an upload.
struct UploadProtocol<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    guard UploadRoutes.prefixes.contains(where: { request.uri.path.hasPrefix($0) }) else { return response }
    response.headers[.tusResumable] = UploadRoutes.version
    if response.status == .preconditionFailed { response.headers[.tusVersion] = UploadRoutes.version }
    return response
  }
}
