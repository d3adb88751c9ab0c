internal import BoardStore
package import BoardSupport
internal import Covers
internal import Glibc
internal import HummingbirdCore
internal import NIOCore

/// The board in browsers.
package enum ServerProgram {
  /// Requests with more headers are refused.
  private static let maximumHeaderBytes = 16 << 10
  /// A connection without a request is closed after this time.
  private static let idleTimeout = TimeAmount.seconds(30)
  /// What other descriptors need: the board, uploads, clips and helper programs.
  private static let otherDescriptors = 256
  private static let maximumConnections = 16_384
  /// The number of connections that are kept although nothing was granted on them.
  private static let maximumUnauthenticated = 512

  /// Serves the board until a signal ends the program.
  package static func run(_ arguments: ServeArguments) async throws(CommandError) {
    try await run(arguments, times: ServerTimes())
  }

  /// Serves the board with intervals other than those of the program.
  package static func run(_ arguments: ServeArguments, times: ServerTimes) async throws(CommandError) {
    let (notices, continuation) = AsyncStream.makeStream(of: BoardNotice.self)
    let feed = try BoardFeed(BoardFile(at: arguments.board), notices: continuation, times: times)
    let server = try BoardServer(feed, arguments, times: times)
    do {
      try await server.run(notices: notices)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(.cannotContinue, "cannot serve the board: \(error)")
    }
  }

  /// The number of connections that the limit on descriptors allows.
  static func connections() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return max(16, min(maximumConnections, Int(clamping: limit.rlim_cur) - otherDescriptors))
  }

  /// The number of connections that are kept although nothing was granted on them: most of the others remain.
  static func unauthenticatedConnections() -> Int { min(maximumUnauthenticated, connections() / 2) }

  static func channel(_ unauthenticated: UnauthenticatedConnections) -> HTTP1Channel.Configuration {
    .init(
      additionalChannelHandlers: [unauthenticated.handler()],
      idleTimeout: idleTimeout,
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: maximumHeaderBytes,
        maxHeaderListSize: maximumHeaderBytes,
        maxHeaderFieldCount: 100
      )
    )
  }
}
