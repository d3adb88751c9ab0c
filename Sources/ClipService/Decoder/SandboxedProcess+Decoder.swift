internal import DecoderWire
internal import SystemPackage

extension SandboxedProcess {
  /// Sends a decoder a request with its descriptors and returns the reply; returns `nil`, without sending anything, if
  /// the decoder had exited or had sent unsolicited data.
  func exchange(
    _ request: DecoderRequest,
    descriptors: [FileDescriptor],
    by deadline: ContinuousClock.Instant
  ) async throws(WireError) -> DecoderReply? {
    allow(ContinuousClock.now.duration(to: deadline))
    return try await onQueue { socket throws(WireError) in
      guard socket.isQuiet else { return nil }
      try socket.send(request, descriptors: descriptors)
      let reply = try socket.receive(DecoderReply.self, by: deadline).message
      guard reply.number == request.number else { throw .invalidMessage("a reply to a request that was not sent") }
      guard reply.isWithinBounds else { throw .invalidMessage("a reply that is too large") }
      return reply
    }
  }
}
