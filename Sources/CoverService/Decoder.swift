internal import Covers
internal import DecoderWire
internal import SystemPackage

/// A place for one decoder process: started when the first work comes, started anew after it broke down.
///
/// Used by one task at a time.
actor Decoder {
  private let program: FilePath
  private let timeout: Duration
  private let sandbox: SandboxDemand
  private var running: (process: DecoderProcess, hello: DecoderHello)?
  private var number = 0

  /// A decoder keeps the deadline itself; this much later the parent no longer waits for it.
  private static let grace = Duration.seconds(1)
  /// Loading FFmpeg's libraries from a cold disk takes its time.
  private static let startTimeout = Duration.seconds(30)

  init(program: FilePath, timeout: Duration, sandbox: SandboxDemand) {
    self.program = program
    self.timeout = timeout
    self.sandbox = sandbox
  }

  /// Does one piece of work.
  ///
  /// A decoder that dies, hangs or answers nonsense costs this piece only.
  ///
  /// - Throws: ``ServiceError`` when no decoder can be started.
  func perform(
    _ work: DecoderRequest.Work,
    descriptors: [FileDescriptor]
  ) async throws(ServiceError) -> DecoderReply.Result {
    let process = try await started().process
    number += 1
    let request = DecoderRequest(
      number: number,
      deadlineMilliseconds: Int(timeout / .milliseconds(1)),
      work: work
    )
    do {
      return try await process.exchange(request, descriptors: descriptors, by: .now + timeout + Self.grace).result
    } catch {
      running = nil
      let ending = await process.end()
      return .failure(failure(after: error, ending: ending))
    }
  }

  /// The first line of the decoder, which is started for it.
  func hello() async throws(ServiceError) -> DecoderHello {
    try await started().hello
  }

  /// Ends the process, for good or because what it gave cannot be trusted.
  ///
  /// More work starts another.
  func stop() {
    running?.process.letGo()
    running = nil
  }

  private func started() async throws(ServiceError) -> (process: DecoderProcess, hello: DecoderHello) {
    if let running { return running }
    let process: DecoderProcess
    do {
      process = try DecoderProcess(starting: program, sandbox: sandbox.mode)
    } catch {
      throw ServiceError("cannot make a socket for \(program.displayText): \(error)")
    }
    do {
      let hello = try await process.receive(DecoderHello.self, by: .now + Self.startTimeout)
      guard hello.wire == DecoderProtocol.version else { throw WireError.nonsense("another version of the protocol") }
      try sandbox.check(hello.sandbox)
      running = (process, hello)
      return (process, hello)
    } catch let error as ServiceError {
      process.letGo()
      throw error
    } catch {
      let ending = await process.end()
      throw Self.startError(program, ending: ending, error: error)
    }
  }

  private static func startError(_ program: FilePath, ending: DecoderEnding, error: any Error) -> ServiceError {
    let reason =
      switch (error as? WireError, ending) {
      case (_, .notStarted(let why)): why
      case (.nonsense(let what)?, _): "it is of another version than clipcanvas (\(what))"
      case (.timedOut?, _): "it said nothing for \(startTimeout.components.seconds) seconds"
      case (_, .signalled(let signal)): "it was ended by signal \(signal)"
      case (_, .exited(let code)): "it ended with status \(code)"
      }
    return ServiceError(
      "cannot start the decoder \(program.displayText): \(reason); install it beside clipcanvas or name it in "
        + DecoderLocation.variable
    )
  }

  private func failure(after error: WireError, ending: DecoderEnding) -> CoverFailure {
    switch error {
    case .timedOut:
      CoverFailure(
        stage: .service,
        cause: .timedOut,
        message: "the decoder gave no answer within \(timeout.components.seconds) seconds and was stopped"
      )
    case .nonsense(let what):
      CoverFailure(stage: .service, cause: .decoderNonsense, message: "the decoder answered nonsense (\(what))")
    case .closed, .system:
      switch ending {
      case .signalled(let signal):
        CoverFailure(
          stage: .service,
          cause: .decoderDied,
          code: signal,
          message: "the decoder was ended by signal \(signal)"
        )
      case .exited(let code):
        CoverFailure(
          stage: .service,
          cause: .decoderDied,
          code: code,
          message: "the decoder ended with status \(code)"
        )
      case .notStarted(let why):
        CoverFailure(stage: .service, cause: .decoderDied, message: "the decoder ended: \(why)")
      }
    }
  }
}
