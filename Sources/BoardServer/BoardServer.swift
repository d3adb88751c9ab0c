internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import SystemPackage
internal import UnixSignals

/// The server of one board: its parts, and how they are connected.
struct BoardServer: Sendable {
  private let feed: BoardFeed
  private let arguments: ServeArguments
  /// The address to listen on.
  private let address: ListenAddress
  private let times: ServerTimes
  private let access: Access
  private let sharing: Sharing?
  private let uploads: UploadFolder
  private let recorder: TakeRecorder
  private let opening: BrowserOpening
  private let export: BoardExport
  private let unauthenticated: UnauthenticatedConnections
  private let responder: RouterResponder<ServerContext>

  init(_ feed: BoardFeed, _ arguments: ServeArguments, times: ServerTimes) throws(CommandError) {
    (self.feed, self.arguments, self.times) = (feed, arguments, times)
    let path = feed.file.path
    let absolute = (Folder.withoutLinks(feed.file.folder) ?? feed.file.folder).appending(
      path.lastComponent?.string ?? ""
    )
    try ServerLock.take(ofBoard: absolute, named: path)
    // Before a certificate is made for an address that is not one of this machine.
    address = try Self.freeAddress(for: arguments)
    let secrets = try Secrets.ofBoard(at: absolute)
    sharing = try Sharing(arguments)
    access = Access(
      secrets,
      names: Self.names(arguments, sharing),
      isSecure: arguments.identity != nil || sharing != nil,
      sharing: sharing
    )
    let services = try Self.services()
    opening = BrowserOpening(ofBoard: absolute)
    uploads = UploadFolder(ofBoard: absolute, times: times)
    let library = ClipLibrary(ofBoard: absolute, uploads: uploads, video: services.video, covers: services.covers)
    let covers = PageCovers(for: feed, with: services.covers, times: times)
    recorder = TakeRecorder(for: feed, uploads: uploads, library: library, covers: covers, times: times)
    let router = Router(context: ServerContext.self)
    router.add(middleware: UploadProtocol())
    unauthenticated = UnauthenticatedConnections(bound: ServerProgram.unauthenticatedConnections())
    router.add(middleware: AccessCheck(access: access, unauthenticated: unauthenticated))
    PageFiles.add(to: router)
    BoardRoutes(feed: feed, covers: covers, uploads: uploads).add(to: router)
    export = BoardExport(of: feed, at: absolute)
    DownloadRoutes(export: export, feed: feed).add(to: router)
    if let sharing {
      SharingRoutes(sharing: sharing, access: access, feed: feed).add(to: router)
      feed.show(guests: sharing.guests.all)
    }
    UploadRoutes(uploads: uploads, recorder: recorder).add(to: router)
    MediaRoutes(feed: feed, kinds: ClipKinds { await library.facts(of: $0).map { ClipFormat(of: $0).mimeType } }).add(
      to: router
    )
    responder = router.buildResponder()
  }

  /// The names of the server in addresses; the first is printed.
  private static func names(_ arguments: ServeArguments, _ sharing: Sharing?) -> [String] {
    if let sharing {
      // The owner is at this machine.
      let local = arguments.address.isWildcard ? Sharing.localNames(arguments.address) : []
      return (local + sharing.names + Sharing.localNames(arguments.address)).map(ListenAddress.inURL)
    }
    var names = arguments.hosts
    if !arguments.address.isWildcard { names.insert(arguments.address.host, at: 0) }
    if arguments.address.isLoopback { names.append("localhost") }
    return names.map(ListenAddress.inURL)
  }

  private static func services() throws(CommandError) -> (covers: CoverService, video: VideoService) {
    do throws(ServiceError) {
      let covers = CoverService(decoder: try ProgramLocation.decoder.find()) { sandbox in
        StandardError.print("clipcanvas: \(sandbox.warning)")
      }
      return (covers, VideoService(composer: try ProgramLocation.composer.find(), covers: covers))
    } catch {
      throw CommandError(.cannotContinue, "\(error)")
    }
  }

  // MARK: - Running

  /// Serves until a signal ends the program.
  func run(notices: AsyncStream<BoardNotice>) async throws {
    let left = uploads.restore(for: feed.board.session.take?.id)
    if left > 0 {
      StandardError.print("clipcanvas: \(uploads.displayText) has \(left) parts of recordings that no open take needs")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await recorder.makeWaitingCovers()
        for await notice in notices { await recorder.take(notice) }
      }
      group.addTask { await recorder.watchLeases() }
      group.addTask { try await listen() }
      // The first to end is the server, after a signal, or because it cannot listen.
      try await group.next()
      group.cancelAll()
    }
  }

  private func listen() async throws {
    var logger = Logger(label: "clipcanvas") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let application = Application(
      responder: responder,
      server: try server(),
      configuration: ApplicationConfiguration(
        address: .hostname(address.host, port: address.port),
        backlog: 4096,
        availableConnectionsDelegate: MaximumAvailableConnections(ServerProgram.connections())
      ),
      onServerRunning: { channel in announce(port: channel.localAddress?.port ?? address.port) },
      logger: logger
    )
    var configuration = ServiceGroupConfiguration(
      services: [application, Ending(feed: feed, recorder: recorder, export: export, opening: opening)],
      gracefulShutdownSignals: Self.endingSignals,
      logger: logger
    )
    configuration.maximumGracefulShutdownDuration = .seconds(1)
    try await ServiceGroup(configuration: configuration).run()
  }

  /// The signals that end the server; under `nohup`, it outlives its terminal.
  private static var endingSignals: [UnixSignal] {
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    // SIG_IGN, a macro that Swift does not import, is 1.
    let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    return [.sigterm, .sigint] + (isIgnored ? [] : [.sighup])
  }

  private func server() throws -> HTTPServerBuilder {
    let configuration = ServerProgram.channel(unauthenticated)
    let plain = HTTPServerBuilder { [times] responder in
      BoardChannel(HTTP1Channel(responder: responder, configuration: configuration), times: times)
    }
    if let sharing { return try .tls(plain, tlsConfiguration: sharing.certificate.configuration) }
    guard let identity = arguments.identity else { return plain }
    return try .tls(plain, tlsConfiguration: try identity.configuration())
  }

  /// Returns the address to listen on: the wanted one, or one with another port if that is taken and may change.
  private static func freeAddress(for arguments: ServeArguments) throws(CommandError) -> ListenAddress {
    let wanted = arguments.address
    guard let problem = PortTrial.problem(with: wanted) else { return wanted }
    guard problem == .system(.addressInUse), arguments.mayChangePort else {
      let advice =
        switch problem {
        case .unknownHost: "there is no host '\(wanted.host)'; use an address of this machine"
        case .system(.addressInUse):
          "another program is using the port; specify another with '--listen', or end that program"
        case .system(let error): error.message
        }
      throw CommandError(.cannotContinue, "cannot listen on \(wanted): \(advice)")
    }
    StandardError.print(
      "clipcanvas: another program is using port \(wanted.port), so the browser may ask for the camera again"
    )
    return wanted.withPort(0)
  }

  private func announce(port: Int) {
    access.setPort(port)
    sharing?.setPort(port)
    let invitation = try? sharing?.invite()
    // One write, so that a reader of a pipe has the line at once.
    _ = try? FileDescriptor.standardOutput.writeAll(announcement(with: invitation))
    if let sharing, !arguments.printsJSON { SharingTerminal.invite(on: sharing) }
    if arguments.opensBrowser { opening.open(access.address) }
  }
}

extension BoardServer {
  /// Returns what is printed when the server can be reached.
  private func announcement(with invitation: Invitation?) -> [UInt8] {
    guard !arguments.printsJSON else {
      var members = ["board": JSON.string(feed.file.path.displayText), "address": .string(access.address)]
      members["invitation"] = invitation?.record
      return JSON.object(JSONObject(members.map { ($0.key, $0.value) })).line + [0x0A]
    }
    let name = DisplayName.of(feed.file.path.lastComponent?.string ?? "board")
    return Array("\(name) at \(access.address)\n\(invitation.map { SharingTerminal.text(of: $0) } ?? "")".utf8)
  }
}

/// Pauses a recording and ends the streams of changes, which never end by themselves, when the server ends.
private struct Ending: Service {
  let feed: BoardFeed
  let recorder: TakeRecorder
  let export: BoardExport
  let opening: BrowserOpening

  /// The time that requests have to end, such as waiting for a clip.
  private static let limit = Duration.milliseconds(1500)

  func run() async throws {
    try? await gracefulShutdown()
    Task.detached {
      try? await Task.sleep(for: Self.limit)
      // What is not finished, the next run finishes; helpers end with their parent.
      _exit(EXIT_SUCCESS)
    }
    opening.remove()
    await recorder.end()
    await export.cancel()
    feed.end()
  }
}
