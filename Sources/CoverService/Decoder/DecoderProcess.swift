internal import Covers
internal import DecoderWire
internal import Files
internal import Subprocess
internal import SystemPackage

/// A running decoder and our end of the socket to it.
///
/// One exchange at a time: a second one waits for the first.
final class DecoderProcess: Sendable {
  /// What is done to the process while it runs.
  private enum Command: Sendable {
    /// Allows it so much more processor time.
    case allow(Duration)
    case kill
  }

  /// Our end of the socket, until it is closed.
  private let socket: QueueConfined<WireSocket?>
  private let commands: AsyncStream<Command>.Continuation
  private let run: Task<TerminationStatus, any Error>

  /// Starts the program, which locks itself in as it is told.
  ///
  /// Whether it could be started shows in the first ``receive(_:by:)``.
  init(starting program: FilePath, sandbox: SandboxMode) throws(WireError) {
    let (ours, theirs) = try WireSocket.makePair()
    socket = QueueConfined(label: "clipcanvas.decoder", WireSocket(takingOwnershipOf: ours, acceptsDescriptors: false))
    let (stream, continuation) = AsyncStream.makeStream(of: Command.self)
    commands = continuation
    // Ctrl-C goes to all processes in front of the terminal; when the parent ends, it ends its decoders itself.
    var options = PlatformOptions()
    options.processGroupID = 0
    run = Task { [options] in
      // Opened and closed here: when the process cannot be started, Subprocess leaves the socket open, so that its
      // greeting would be waited for until the deadline, and traps when it can open only one of two `.discarded`.
      var open = [theirs]
      defer { Self.close(&open) }
      let nothing = try Self.openNothing()
      open.append(nothing)
      let result = try await Subprocess.run(
        .path(program),
        arguments: ["--sandbox", sandbox.rawValue],
        // Nothing of the user's is a decoder's business, and no variable is to change what its libraries do.
        environment: .custom([:] as [Environment.Key: String]),
        platformOptions: options,
        input: .fileDescriptor(theirs, closeAfterSpawningProcess: false),
        output: .fileDescriptor(nothing, closeAfterSpawningProcess: false),
        error: .fileDescriptor(nothing, closeAfterSpawningProcess: false)
      ) { execution in
        Self.close(&open)
        // Until this ends the process is not waited for, so its number is its own.
        for await command in stream {
          switch command {
          case .allow(let time): ProcessorTime.allow(time, to: pid_t(execution.processIdentifier.value))
          case .kill: try? execution.send(signal: .kill)
          }
        }
      }
      return result.terminationStatus
    }
  }

  /// Waits for one message.
  func receive<Message: Decodable & Sendable>(
    _: Message.Type,
    by deadline: ContinuousClock.Instant
  ) async throws(WireError) -> Message {
    try await onQueue { socket throws(WireError) in
      try socket.receive(Message.self, by: deadline).message
    }
  }

  /// Sends one request with its descriptors and waits for its reply; `nil` when the decoder had gone before, or had
  /// spoken without being asked, so that nothing was sent.
  func exchange(
    _ request: DecoderRequest,
    descriptors: [FileDescriptor],
    by deadline: ContinuousClock.Instant
  ) async throws(WireError) -> DecoderReply? {
    commands.yield(.allow(ContinuousClock.now.duration(to: deadline)))
    return try await onQueue { socket throws(WireError) in
      guard socket.isQuiet else { return nil }
      try socket.send(request, descriptors: descriptors)
      let reply = try socket.receive(DecoderReply.self, by: deadline).message
      guard reply.number == request.number else { throw .nonsense("an answer to a question that was not asked") }
      guard reply.isWithinBounds else { throw .nonsense("an answer that is too large") }
      return reply
    }
  }

  /// Ends the decoder without waiting for it.
  ///
  /// It is killed: it keeps nothing that could be lost, and one that hangs or is under somebody else's control would
  /// not go for less. One that is already on its way out keeps the status it went with.
  func letGo() {
    socket.later { $0 = nil }
    commands.yield(.kill)
    commands.finish()
  }

  /// Ends the decoder and tells how it went.
  func end() async -> DecoderEnding {
    letGo()
    do {
      switch try await run.value {
      case .exited(let code): return .exited(Int(code))
      case .signaled(let signal): return .signalled(Int(signal))
      }
    } catch let error as NothingError {
      return .notStarted("cannot open /dev/null: \(error.errno.words)", advice: error.errno.shortageAdvice)
    } catch {
      guard let errno = (error as? SubprocessError)?.underlyingError else { return .notStarted("\(error)") }
      return .notStarted(errno.words, advice: errno.shortageAdvice)
    }
  }

  private struct NothingError: Error {
    let errno: Errno
  }

  private static func openNothing() throws(NothingError) -> FileDescriptor {
    do {
      return try FileDescriptor.open("/dev/null", .readWrite, options: .closeOnExec)
    } catch {
      throw NothingError(errno: error as? Errno ?? .ioError)
    }
  }

  private static func close(_ descriptors: inout [FileDescriptor]) {
    for descriptor in descriptors { try? descriptor.close() }
    descriptors = []
  }

  private func onQueue<Success: Sendable>(
    _ body: @escaping @Sendable (inout WireSocket) throws(WireError) -> Success
  ) async throws(WireError) -> Success {
    let result: Result<Success, WireError> = await socket.use { socket in
      guard var open = socket.take() else { return .failure(.closed) }
      let result: Result<Success, WireError>
      do throws(WireError) {
        result = .success(try body(&open))
      } catch {
        result = .failure(error)
      }
      socket = consume open
      return result
    }
    return try result.get()
  }
}

/// How a decoder process went.
enum DecoderEnding: Sendable {
  case exited(Int)
  case signalled(Int)
  case notStarted(String, advice: String? = nil)
}
