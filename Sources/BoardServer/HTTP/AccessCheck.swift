internal import BoardStore
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization

/// Refuses requests that do not come from a page of this server, and sets the headers that keep its pages apart from
/// others.
struct AccessCheck: RouterMiddleware {
  let access: Access
  let unauthenticated: UnauthenticatedConnections

  func handle(
    _ request: Request,
    context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      if let entrance = try access.entrance(request) {
        unauthenticated.remove(context.channel)
        response = entrance
      } else if try access.isOpen(request) {
        response = try await next(request, context)
        if request.method == .post { unauthenticated.remove(context.channel) }
      } else {
        var context = context
        context.guest = try access.guest(request)
        unauthenticated.remove(context.channel)
        if context.guest != nil { try GuestRights.check(request) }
        response = try await next(request, context)
      }
    } catch let failure as RequestFailure {
      response = Self.answer(to: request, failure)
    } catch let error as HTTPError {
      response = Self.answer(to: request, RequestFailure(error.status, error.body ?? error.status.reasonPhrase))
    }
    for (name, value) in Self.headers where response.headers[name] == nil { response.headers[name] = value }
    return response
  }

  /// Returns a page for a browser that opens an address, and JSON for a program.
  private static func answer(to request: Request, _ failure: RequestFailure) -> Response {
    let mode = request.headers[.secFetchMode]
    let wantsPage = mode == "navigate" || mode == nil && request.headers[.accept]?.contains("text/html") == true
    guard request.method == .get, wantsPage else { return Response(failure.json, status: failure.status) }
    return PlainPage.refusal(failure)
  }

  private static var headers: [(HTTPField.Name, String)] {
    [
      (.cacheControl, "no-store"),
      (.contentSecurityPolicy, Access.policy),
      (.xContentTypeOptions, "nosniff"),
      (.referrerPolicy, "no-referrer"),
      (.crossOriginResourcePolicy, "same-origin"),
      (.crossOriginOpenerPolicy, "same-origin"),
      (.permissionsPolicy, "camera=(self), microphone=(self), display-capture=(self)"),
    ]
  }
}

/// Who may read and change the board.
final class Access: Sendable {
  static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self' \(PlainPage.styleSource)", "img-src 'self' blob:",
    "media-src 'self' blob:", "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  private struct Place {
    var port = 0
    /// The values of `Host` that are this server, in lower case.
    var hosts: Set<String> = []
  }

  private let secrets: Secrets
  private let names: [String]
  private let sharing: Sharing?
  private let scheme: String
  private let place = Mutex(Place())

  /// - Parameters:
  ///   - secrets: The secrets of the board.
  ///   - names: The names under which browsers reach the server, IPv6 addresses in brackets.
  ///   - isSecure: Whether the server uses TLS.
  ///   - sharing: Who else may use the board; `nil` if it is not shared.
  init(_ secrets: Secrets, names: [String], isSecure: Bool, sharing: Sharing? = nil) {
    (self.secrets, self.names, self.sharing) = (secrets, names.map { $0.lowercased() }, sharing)
    scheme = isSecure ? "https" : "http"
  }

  /// Says which port the server listens on; before, every request is refused.
  func setPort(_ port: Int) {
    let usual = scheme == "https" ? 443 : 80
    place.withLock { place in
      place.port = port
      place.hosts = Set(names.flatMap { port == usual ? ["\($0):\(port)", $0] : ["\($0):\(port)"] })
    }
  }

  /// The address that opens the page with the right to change the board.
  var address: String { "\(scheme)://\(names[0]):\(place.withLock(\.port))/?token=\(secrets.entry)" }

  private var cookieName: String { "clipcanvas-\(place.withLock(\.port))" }
  private var guestCookieName: String { "clipcanvas-guest-\(place.withLock(\.port))" }

  /// Returns the answer to a request for the printed address: a cookie, and a page with the right to change the board.
  ///
  /// - Returns: The answer; `nil` for any other request.
  func entrance(_ request: Request) throws(RequestFailure) -> Response? {
    guard request.method == .get, request.uri.path == "/", let token = request.uri.queryParameters.get("token") else {
      return nil
    }
    try checkHost(of: request)
    guard Secrets.areEqual(token, secrets.entry) else {
      throw RequestFailure(
        .unauthorized,
        "this address is not valid; open the one that 'clipcanvas board serve' printed"
      )
    }
    var headers = HTTPFields()
    headers[.setCookie] = cookie(cookieName, secrets.reading)
    return PlainPage.entrance(writing: secrets.writing, headers: headers)
  }

  /// Returns the header that gives the browser of a guest the right to read.
  func cookie(of guest: Guest) -> String { cookie(guestCookieName, guest.reading) }

  private func cookie(_ name: String, _ value: String) -> String {
    "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict" + (scheme == "https" ? "; Secure" : "")
  }

  /// Whether a request needs no access, because it is that of somebody with an invitation.
  func isOpen(_ request: Request) throws(RequestFailure) -> Bool {
    guard sharing != nil, SharingRoutes.openPaths.contains(request.uri.path) else { return false }
    guard request.method == .get || request.uri.path == "/join" && request.method == .post else { return false }
    try checkHost(of: request)
    // A link to the page of an invitation may be anywhere; a change may only come from that page.
    if request.method == .post { try checkSite(of: request) }
    return true
  }

  /// Checks that a request comes from a page of this server and is allowed.
  ///
  /// - Returns: The guest that sends it; `nil` for the owner of the board.
  func guest(_ request: Request) throws(RequestFailure) -> Guest? {
    try checkHost(of: request)
    try checkSite(of: request)
    if isReading(request) {
      if cookies(cookieName, of: request).contains(where: { Secrets.areEqual($0, secrets.reading) }) { return nil }
      for value in cookies(guestCookieName, of: request) {
        if let guest = sharing?.guests.guest(reading: value) { return guest }
      }
      throw RequestFailure(.unauthorized, "this browser has no access to the board; \(wayIn)")
    }
    let token = request.headers[.writeToken] ?? ""
    if Secrets.areEqual(token, secrets.writing) { return nil }
    if let guest = sharing?.guests.guest(writing: token) { return guest }
    throw RequestFailure(.unauthorized, "this page cannot change the board; \(wayIn)")
  }

  private var wayIn: String {
    "open the address that 'clipcanvas board serve' printed" + (sharing == nil ? "" : ", or a new invitation")
  }

  /// Whether a request needs the cookie only.
  private func isReading(_ request: Request) -> Bool {
    let path = request.uri.path
    return request.method == .get || request.method == .head && MediaRoutes.isMedia(path)
  }

  private func checkHost(of request: Request) throws(RequestFailure) {
    let host = request.head.authority?.lowercased() ?? ""
    // A second one is among the headers.
    guard request.headers[.secondHost] == nil, place.withLock({ $0.hosts.contains(host) }) else {
      throw RequestFailure(
        .misdirectedRequest,
        "this server does not accept the host name in the address; start it with '--host NAME' to add one"
      )
    }
  }

  private func checkSite(of request: Request) throws(RequestFailure) {
    let site = request.headers[.secFetchSite]
    let isAddressBar = site == "none" && request.method == .get && request.uri.path == "/"
    guard site == nil || site == "same-origin" || isAddressBar else { throw Self.foreign }
    guard let origin = request.headers[.origin]?.lowercased() else {
      // Browsers send none with these to the same origin.
      guard request.method == .get || request.method == .head else { throw Self.foreign }
      return
    }
    guard place.withLock({ $0.hosts.contains { origin == "\(scheme)://\($0)" } }) else { throw Self.foreign }
  }

  private static let foreign = RequestFailure(
    .forbidden,
    "this request came from another page, but only pages of this server may make it; open the board first"
  )

  /// Returns the values of a cookie.
  private func cookies(_ name: String, of request: Request) -> [Substring] {
    request.headers[values: .cookie].flatMap { header in
      header.split(separator: ";").compactMap { pair in
        let pair = pair.drop { $0 == " " }
        return pair.hasPrefix(name + "=") ? pair.dropFirst(name.count + 1) : nil
      }
    }
  }
}

extension HTTPField.Name {
  private static func named(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is the name of a header") }
    return name
  }

  static let secondHost = named("Host")
  static let writeToken = named("X-ClipCanvas-Token")
  static let secFetchSite = named("Sec-Fetch-Site")
  static let secFetchMode = named("Sec-Fetch-Mode")
  static let referrerPolicy = named("Referrer-Policy")
  static let crossOriginResourcePolicy = named("Cross-Origin-Resource-Policy")
  static let crossOriginOpenerPolicy = named("Cross-Origin-Opener-Policy")
  static let permissionsPolicy = named("Permissions-Policy")
  static let tusResumable = named("Tus-Resumable")
  static let tusVersion = named("Tus-Version")
  static let tusExtension = named("Tus-Extension")
  static let tusMaxSize = named("Tus-Max-Size")
  static let uploadOffset = named("Upload-Offset")
  static let uploadLength = named("Upload-Length")
  static let uploadDeferLength = named("Upload-Defer-Length")
  static let uploadMetadata = named("Upload-Metadata")
}
