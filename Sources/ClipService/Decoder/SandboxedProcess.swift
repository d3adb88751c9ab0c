package import Covers
package import DecoderWire
internal import Files
internal import Subprocess
package import SystemPackage

/// A running process that reads clips, and our end of the socket to it.
///
/// Its standard output is a lifeline: one end of a socket whose other end only the current process has. Once the
/// current process has ended, for whatever reason, the kernel kills the process that reads clips.
///
/// Only one exchange is possible at a time; a second one waits for the first.
package final class SandboxedProcess: Sendable {
  /// An operation on the running process.
  private enum Command: Sendable {
    /// Allow the process the given additional processor time.
    case allow(Duration)
    case kill
  }

  /// Our end of the socket; `nil` once it is closed.
  private let socket: QueueConfined<WireSocket?>
  private let commands: AsyncStream<Command>.Continuation
  private let run: Task<TerminationStatus, any Error>
  /// Ends when the process has been started, or cannot be.
  private let start: AsyncStream<Never>
  /// The process ID; `nil` before the process has started and once it may have been reaped.
  private let processID: ProcessID

  /// Starts the program with the given sandbox mode.
  ///
  /// A failure to start it is reported by the first ``receive(_:by:)``.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - sandbox: How strictly it is sandboxed.
  ///   - addressSpace: The limit on its address space in MiB (default: the usual one of the program).
  package init(starting program: FilePath, sandbox: SandboxMode, addressSpace: Int? = nil) throws(WireError) {
    let (ours, theirs) = try WireSocket.makePair()
    let lifeline: (ours: FileDescriptor, theirs: FileDescriptor)
    do throws(WireError) {
      lifeline = try WireSocket.makePair()
    } catch {
      for end in [ours, theirs] { try? end.close() }
      throw error
    }
    socket = QueueConfined(label: "clipcanvas.process", WireSocket(takingOwnershipOf: ours, acceptsDescriptors: false))
    let (stream, continuation) = AsyncStream.makeStream(of: Command.self)
    commands = continuation
    let (start, started) = AsyncStream.makeStream(of: Never.self)
    self.start = start
    // Ctrl-C is sent to the whole foreground process group; when the parent exits, it ends its processes itself.
    var options = PlatformOptions()
    options.processGroupID = 0
    let arguments = ["--sandbox", sandbox.rawValue] + (addressSpace.map { ["--address-space", "\($0)"] } ?? [])
    let processID = ProcessID()
    self.processID = processID
    run = Task { [options] in
      defer {
        started.finish()
        try? lifeline.ours.close()
      }
      // Opened and closed here, because Subprocess leaves the socket open if the process cannot be started, so that its
      // greeting would be awaited until the deadline. It also traps if it can open only one of two `.discarded`.
      var open = [theirs, lifeline.theirs]
      defer { Self.close(&open) }
      let nothing = try Self.openNothing()
      open.append(nothing)
      let result = try await Subprocess.run(
        .path(program),
        arguments: Arguments(arguments),
        // The process does not need the user's environment, and no variable may change the behaviour of its libraries.
        environment: .custom([:] as [Environment.Key: String]),
        platformOptions: options,
        input: .fileDescriptor(theirs, closeAfterSpawningProcess: false),
        output: .fileDescriptor(lifeline.theirs, closeAfterSpawningProcess: false),
        error: .fileDescriptor(nothing, closeAfterSpawningProcess: false)
      ) { execution in
        Self.close(&open)
        // The process is not reaped before this loop ends, so its process ID cannot be reused.
        processID.set(execution.processIdentifier.value)
        started.finish()
        defer { processID.set(nil) }
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

  /// Waits until the process has been started, or cannot be, which a busy program may take long to do.
  func waitForStart() async {
    for await _ in start {}
  }

  /// Receives one message.
  package func receive<Message: Decodable & Sendable>(
    _: Message.Type,
    by deadline: ContinuousClock.Instant
  ) async throws(WireError) -> Message {
    try await onQueue { socket throws(WireError) in
      try socket.receive(Message.self, by: deadline).message
    }
  }

  /// Whether the process is connected and has sent nothing that is still unread.
  var isQuiet: Bool {
    get async { (try? await onQueue { socket throws(WireError) in socket.isQuiet }) ?? false }
  }

  /// The number of its threads; `nil` if that is unknown, as before it has started.
  package var threadCount: Int? { processID.threadCount }

  /// Allows the process additional processor time.
  package func allow(_ time: Duration) { commands.yield(.allow(time)) }

  /// Ends the process without waiting for it to exit.
  ///
  /// The process is killed: it has no data to lose, and a hung or compromised process might ignore other signals. A
  /// process that is already exiting keeps its exit status.
  package func letGo() {
    socket.later { $0 = nil }
    commands.yield(.kill)
    commands.finish()
  }

  /// Ends the process and returns how it ended, once the socket is closed, too.
  package func end() async -> ProcessEnding {
    letGo()
    let result = await run.result
    // The other end is closed by now, so that no call on the queue waits for data any more.
    await socket.use { _ in }
    do {
      switch try result.get() {
      case .exited(let code): return .exited(Int(code))
      case .signaled(let signal): return .signalled(Int(signal))
      }
    } catch let error as NothingError {
      return .notStarted("cannot open /dev/null: \(error.errno.message)", advice: error.errno.shortageAdvice)
    } catch {
      guard let errno = (error as? SubprocessError)?.underlyingError else { return .notStarted("\(error)") }
      return .notStarted(errno.message, advice: errno.shortageAdvice)
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

  /// Calls a function with the socket, on the queue of the process.
  package func onQueue<Success: Sendable>(
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

/// How a process ended.
package enum ProcessEnding: Sendable {
  case exited(Int)
  case signalled(Int)
  case notStarted(String, advice: String? = nil)
}
