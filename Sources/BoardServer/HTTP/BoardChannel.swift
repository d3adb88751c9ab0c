internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// A connection over HTTP/1, with the rules of ``ConnectionRules``.
struct BoardChannel: ServerChildChannel {
  private let base: HTTP1Channel
  private let times: ServerTimes

  init(_ base: HTTP1Channel, times: ServerTimes) { (self.base, self.times) = (base, times) }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { [times] value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      // What comes next drops what these rules need.
      try pipeline.addHandler(ConnectionRules(times), position: .after(decoder))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Compares the two places where a request names its server, and ends a connection whose request is not read to its
/// end.
///
/// A request that is refused is answered before its body has arrived, which may be endless. The connection is then
/// closed for writing after the answer. What still arrives is dropped for a while, because a client may not read the
/// answer before it has sent everything, and closing a connection with unread data would discard the answer.
final class ConnectionRules: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// A request that is not answered yet.
  private struct Pending {
    let keepsAlive: Bool
    var hasArrived = false
  }

  private enum State {
    case open
    /// The answer that is being sent is the last one.
    case answering
    /// What arrives is dropped.
    case closing
  }

  /// The requests, in order of arrival.
  private var pending: [Pending] = []
  private var state = State.open
  private var deadline: Scheduled<Void>?
  private let patience: TimeAmount

  init(_ times: ServerTimes) { patience = TimeAmount(times.refusedBody) }

  // MARK: - Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard state != .closing else { return }
    var part = unwrapInboundIn(data)
    switch part {
    case .head(var head):
      pending.append(Pending(keepsAlive: head.isKeepAlive))
      head.separateAuthority()
      part = .head(head)
    case .body: break
    case .end: if !pending.isEmpty { pending[pending.count - 1].hasArrived = true }
    }
    context.fireChannelRead(wrapInboundOut(part))
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    // No other handler requests more data.
    if state == .closing { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if state == .closing, case .inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  // MARK: - Answers

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard state != .closing else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    var part = unwrapOutboundIn(data)
    switch part {
    case .head(var head) where head.status.code >= 200:
      let request = pending.first
      if request?.keepsAlive != true || request?.hasArrived != true {
        state = .answering
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        part = .head(head)
      }
    case .head, .body: break
    case .end:
      if !pending.isEmpty { pending.removeFirst() }
      guard state == .open else { return finish(context, wrapOutboundOut(part), promise) }
    }
    context.write(wrapOutboundOut(part), promise: promise)
  }

  /// Sends the end of the last answer, and closes the connection.
  private func finish(_ context: ChannelHandlerContext, _ end: NIOAny, _ promise: EventLoopPromise<Void>?) {
    state = .closing
    let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { _ in
      context.close(mode: .output, promise: nil)
      self.deadline = context.eventLoop.assumeIsolated().scheduleTask(in: self.patience) { context.close(promise: nil) }
      context.read()
    }
    context.writeAndFlush(end, promise: sent)
  }
}

extension HTTPRequestHead {
  /// Separates the name of the server from the path in a request such as `GET http://127.0.0.1:8080/board`.
  ///
  /// HTTP lets clients repeat the server's name there, and `Host` then does not count (RFC 9112, section 3.2.2). Unless
  /// the two are equal, the name is added as a second host, so that the request has no certain one.
  fileprivate mutating func separateAuthority() {
    guard !uri.hasPrefix("/"), uri != "*" else { return }
    let rest = uri.firstRange(of: "://").map { uri[$0.upperBound...] } ?? uri[...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let path = rest[authority.endIndex...]
    uri = path.hasPrefix("/") ? String(path) : "/" + path
    if headers["Host"].map({ $0.lowercased() }) != [authority.lowercased()] {
      headers.add(name: "Host", value: String(authority))
    }
  }
}
