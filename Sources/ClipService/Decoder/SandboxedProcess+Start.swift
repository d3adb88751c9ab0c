package import Covers
package import DecoderWire
internal import Files
internal import Glibc
package import SystemPackage

extension SandboxedProcess {
  /// The maximum time for starting a process; loading FFmpeg's libraries from a cold disk takes a while.
  private static let startTimeout = Duration.seconds(30)

  /// Receives the greeting and checks it.
  ///
  /// - Throws: ``ServiceError`` if the sandbox does not meet the demand; otherwise `WireError`.
  package func greeting(checkedBy sandbox: SandboxDemand) async throws -> ProgramHello {
    await waitForStart()
    let hello = try await receive(ProgramHello.self, by: .now + Self.startTimeout)
    guard hello.wire == DecoderProtocol.version else {
      throw WireError.invalidMessage("another version of the protocol")
    }
    guard hello.isWithinBounds else { throw WireError.invalidMessage("a greeting that is too large") }
    try sandbox.check(hello.sandbox)
    return hello
  }

  /// Returns the error for a process that could not be started, or did not send a valid greeting.
  package static func startError(
    _ location: ProgramLocation,
    at program: FilePath,
    ending: ProcessEnding,
    error: any Error
  ) -> ServiceError {
    let install = "install it beside clipcanvas or specify it with \(location.variable)"
    let (reason, advice) =
      switch (error as? WireError, ending) {
      case (_, .notStarted(let why, let advice)): (why, advice ?? install)
      case (.invalidMessage(let what)?, _): ("its version differs from that of clipcanvas (\(what))", install)
      case (.timedOut?, _): ("it did not reply within \(startTimeout.secondsText)", install)
      case (_, .signalled(let signal)): ("it was ended by signal \(signal)", memoryAdvice + install)
      case (_, .exited(statusOfLoader)):
        ("its libraries cannot be loaded (status \(statusOfLoader))", memoryAdvice + "run it on its own to see why")
      case (_, .exited(let code)): ("it ended with status \(code)", install)
      }
    return ServiceError("cannot start the \(location.noun) \(program.displayText): \(reason); \(advice)")
  }

  /// The exit status of a program whose libraries cannot be loaded by the dynamic linker.
  private static let statusOfLoader = 127

  /// The limit on memory that this process has and its programs inherit, as the beginning of advice; empty if none.
  private static var memoryAdvice: String {
    func isLimited(_ resource: __rlimit_resource) -> Bool {
      var limit = rlimit()
      return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 && limit.rlim_cur != rlim_t.max
    }
    if isLimited(RLIMIT_AS) { return "raise the limit on address space (ulimit -v), or " }
    return isLimited(RLIMIT_DATA) ? "raise the limit on data (ulimit -d), or " : ""
  }

  /// Returns the error for a socket that could not be made.
  package static func socketError(_ program: FilePath, _ error: WireError) -> ServiceError {
    guard case .system(let errno) = error else { return ServiceError("cannot make a socket: \(error)") }
    let advice = errno.shortageAdvice.map { "; \($0)" } ?? ""
    return ServiceError("cannot make a socket for \(program.displayText): \(errno.message)\(advice)")
  }
}

extension CoverFailure {
  /// Creates a failure for a process that did not answer as it should.
  package init(after error: WireError, ending: ProcessEnding, of location: ProgramLocation, timeout: Duration) {
    let noun = location.noun
    let (cause, code, message): (Cause, Int, String) =
      switch (error, ending) {
      case (.timedOut, _):
        (.timedOut, 0, "the \(noun) did not reply within \(timeout.secondsText) and was stopped")
      case (.invalidMessage(let what), _): (.invalidReply, 0, "the \(noun) sent an invalid reply (\(what))")
      case (_, .signalled(let signal)): (.decoderDied, signal, "the \(noun) was killed by signal \(signal)")
      case (_, .exited(let code)): (.decoderDied, code, "the \(noun) exited with status \(code)")
      case (_, .notStarted(let why, _)): (.decoderDied, 0, "the \(noun) ended: \(why)")
      }
    let advice: String? = cause == .timedOut ? .longerTimeout : nil
    self.init(stage: .service, cause: cause, code: code, message: message, advice: advice)
  }
}

extension Duration {
  /// The whole seconds in words, such as `30 seconds`.
  fileprivate var secondsText: String { "\(components.seconds) second\(components.seconds == 1 ? "" : "s")" }
}
