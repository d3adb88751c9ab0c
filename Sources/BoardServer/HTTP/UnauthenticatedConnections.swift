internal import Hummingbird
internal import NIOCore
internal import Synchronization

/// The connections that have not sent an allowed request.
///
/// Every user of this machine can connect. Connections without requests, or with unfinished ones, would take the memory
/// and the descriptors that pages need, so their number is limited: a new one beyond the limit closes the oldest.
final class UnauthenticatedConnections: Sendable {
  private struct State {
    /// The connections by number, which increases with each connection opened.
    var channels: [Int: any Channel] = [:]
    var numbers: [ObjectIdentifier: Int] = [:]
    /// The number of the next connection.
    var next = 0
    /// No connection has a lower number.
    var first = 0

    mutating func remove(_ channel: any Channel) {
      if let number = numbers.removeValue(forKey: ObjectIdentifier(channel)) { channels[number] = nil }
    }

    mutating func removeOldest() -> (any Channel)? {
      while first < next {
        defer { first += 1 }
        guard let channel = channels.removeValue(forKey: first) else { continue }
        numbers[ObjectIdentifier(channel)] = nil
        return channel
      }
      return nil
    }
  }

  private let bound: Int
  private let state = Mutex(State())

  /// - Parameter bound: The number of connections to keep.
  init(bound: Int) { self.bound = bound }

  /// Adds a connection; closes the oldest if there are too many.
  fileprivate func add(_ channel: any Channel) {
    let oldest = state.withLock { state -> (any Channel)? in
      state.channels[state.next] = channel
      state.numbers[ObjectIdentifier(channel)] = state.next
      state.next += 1
      return state.channels.count > bound ? state.removeOldest() : nil
    }
    oldest?.close(promise: nil)
  }

  /// Removes a connection: it has ended, or a request on it was allowed.
  func remove(_ channel: any Channel) { state.withLock { $0.remove(channel) } }

  /// Returns what adds a connection when it is opened.
  func handler() -> any RemovableChannelHandler { Handler(self) }

  private final class Handler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let unauthenticated: UnauthenticatedConnections

    init(_ unauthenticated: UnauthenticatedConnections) { self.unauthenticated = unauthenticated }

    func handlerAdded(context: ChannelHandlerContext) { unauthenticated.add(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { unauthenticated.remove(context.channel) }
  }
}

/// The context of a request, which knows the connection and the sender.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel
  /// The guest that sent the request; `nil` for the owner of the board.
  var guest: Guest?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}
