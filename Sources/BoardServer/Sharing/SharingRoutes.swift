internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The requests of guests to join, and of the owner to invite and remove them.
struct SharingRoutes: Sendable {
  let sharing: Sharing
  let access: Access
  let feed: BoardFeed

  /// The paths that need no access: the page of an invitation and its files, which contain no secrets.
  static let openPaths: Set = ["/join", "/join.js", "/guest.js", "/server.js", "/icon.svg"]
  private static let maximumBytes = 4096

  func add(to router: Router<ServerContext>) {
    router.get("/join") { _, _ in PlainPage.invitation }
    router.post("/join") { request, _ in try await join(request) }
    // Guests may not send these; see `GuestRights`.
    router.post("/invitations") { _, _ in Response(try sharing.invite().json, status: .created) }
    router.delete("/guests/:guest") { _, context in
      try sharing.guests.remove(try context.parameters.require("guest"))
      feed.show(guests: sharing.guests.all)
      return Response(status: .noContent)
    }
  }

  private func join(_ request: Request) async throws -> Response {
    guard let bytes = try? await request.body.collect(upTo: Self.maximumBytes),
      let json = try? JSON(parsing: [UInt8](buffer: bytes)), case .string(let token) = json["token"],
      case .string(let name) = json["name"]
    else { throw RequestFailure(.badRequest, "an invitation is accepted with its token and a name") }
    let guest = try sharing.guests.join(with: token, as: name)
    feed.show(guests: sharing.guests.all)
    StandardError.print("clipcanvas: \(guest.name) has joined the board")
    let answer: JSON = .object([
      "id": .string(guest.id), "name": .string(guest.name), "token": .string(guest.writing),
    ])
    return Response(answer, status: .created, headers: [.setCookie: access.cookie(of: guest)])
  }
}
