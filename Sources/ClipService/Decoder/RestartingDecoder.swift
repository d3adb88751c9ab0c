internal import Covers
internal import DecoderWire
internal import Files
internal import SystemPackage

/// A decoder whose process is started on demand, and replaced after it breaks down or has processed its share of clips.
///
/// Used by one task at a time, except that ``shutDown()`` and ``end()`` may be called from another.
package actor RestartingDecoder {
  private enum State {
    case none
    case starting(SandboxedProcess)
    case running(SandboxedProcess, ProgramHello)
    /// No more processes are started.
    case shutDown
  }

  private let program: FilePath
  private let timeout: Duration
  private var state = State.none
  private let sandbox: SandboxDemand
  private let standby: StandbyProcesses
  private var number = 0
  /// The clip of the last series of covers, and the number of the series.
  private var series: (clip: ClipVersion, number: Int)?
  /// The number of requests the current process has served.
  private var served = 0
  /// The number of processes started.
  package private(set) var starts = 0

  /// How long the parent waits after a deadline; the decoder enforces the deadline, too.
  private static let grace = Duration.seconds(1)
  /// The maximum number of attempts; a process that has just been started may be killed, for instance when memory is
  /// short.
  private static let maximumTries = 5
  private let maximumClips: Int

  init(
    program: FilePath,
    timeout: Duration,
    sandbox: SandboxDemand,
    standby: StandbyProcesses,
    maximumClips: Int
  ) {
    self.program = program
    self.timeout = timeout
    self.sandbox = sandbox
    self.standby = standby
    self.maximumClips = maximumClips
  }

  /// Whether the next request will be the first one of its process.
  var isFresh: Bool { served == 0 }

  /// Performs one unit of work.
  ///
  /// If the decoder dies, hangs or sends an invalid reply, only this work fails. If it exited while idle, a new process
  /// is started and nothing fails.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - descriptors: The descriptors that belong to it.
  ///   - rawFormat: The format assumed for a clip whose content is not recognised.
  ///   - clip: The clip, if the decoder is to keep it open because further covers of it may follow.
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func perform(
    _ work: DecoderRequest.Work,
    descriptors: [FileDescriptor],
    rawFormat: RawFormat? = nil,
    keepingOpen clip: ClipVersion? = nil
  ) async throws(ServiceError) -> DecoderReply.Result {
    if let clip, series?.clip != clip { series = (clip, number + 1) }
    var request = DecoderRequest(
      number: 0,
      deadlineMilliseconds: Int(timeout * work.shareOfTimeout / .milliseconds(1)),
      work: work,
      rawFormat: rawFormat,
      series: clip.flatMap { _ in series?.number }
    )
    return try await perform(&request, descriptors: descriptors, tries: Self.maximumTries)
  }

  private func perform(
    _ request: inout DecoderRequest,
    descriptors: [FileDescriptor],
    tries: Int
  ) async throws(ServiceError) -> DecoderReply.Result {
    if served >= maximumClips { stop() }
    guard let (process, _) = try await started() else { return .failure(.shutDown) }
    number += 1
    served += 1
    request.number = number
    let timeout = timeout * request.work.shareOfTimeout
    let reply: DecoderReply?
    do throws(WireError) {
      reply = try await process.exchange(request, descriptors: descriptors, by: .now + timeout + Self.grace)
    } catch {
      stop()
      return .failure(CoverFailure(after: error, ending: await process.end(), of: .decoder, timeout: timeout))
    }
    if let reply { return reply.result }
    stop()
    guard tries > 1 else {
      return .failure(CoverFailure(after: .closed, ending: await process.end(), of: .decoder, timeout: timeout))
    }
    return try await perform(&request, descriptors: descriptors, tries: tries - 1)
  }

  /// Returns the greeting of the decoder, which is started if necessary.
  func hello() async throws(ServiceError) -> ProgramHello {
    guard let (_, hello) = try await started() else { throw ServiceError("the decoder has been shut down") }
    return hello
  }

  /// Ends the process, because it is no longer needed or its output cannot be trusted.
  ///
  /// Further work starts another process.
  package func stop() {
    switch state {
    case .starting(let process), .running(let process, _):
      process.letGo()
      state = .none
      served = 0
    case .none, .shutDown: break
    }
  }

  /// Ends the process and cancels its current work; no other process is started.
  package func shutDown() {
    stop()
    state = .shutDown
  }

  /// Shuts down and waits until the process has ended.
  package func end() async {
    let process: SandboxedProcess? =
      switch state {
      case .starting(let process), .running(let process, _): process
      case .none, .shutDown: nil
      }
    shutDown()
    _ = await process?.end()
  }

  /// Returns the process, which is started if necessary; returns `nil` after ``shutDown()``.
  private func started(
    tries: Int = maximumTries
  ) async throws(ServiceError) -> (process: SandboxedProcess, hello: ProgramHello)? {
    switch state {
    case .running(let process, let hello): return (process, hello)
    case .shutDown: return nil
    case .none, .starting: break
    }
    if let (process, hello) = await standby.take() {
      if case .shutDown = state {
        process.letGo()
        return nil
      }
      state = .running(process, hello)
      return (process, hello)
    }
    let process: SandboxedProcess
    do {
      process = try SandboxedProcess(starting: program, sandbox: sandbox.mode)
    } catch {
      throw SandboxedProcess.socketError(program, error)
    }
    state = .starting(process)
    starts += 1
    WireWarmUp.ofParent
    do {
      let hello = try await process.greeting(checkedBy: sandbox)
      guard case .starting = state else { return nil }
      state = .running(process, hello)
      return (process, hello)
    } catch let error as ServiceError {
      stop()
      throw error
    } catch {
      if case .shutDown = state { return nil }
      stop()
      let ending = await process.end()
      if tries > 1, case .closed? = error as? WireError, case .signalled = ending {
        return try await started(tries: tries - 1)
      }
      throw SandboxedProcess.startError(.decoder, at: program, ending: ending, error: error)
    }
  }
}

extension DecoderRequest.Work {
  /// How many times as long as a cover the work may take.
  ///
  /// A sheet has as many as 400 frames and an animation 600; with the usual limit for a cover, they may take five
  /// minutes.
  fileprivate var shareOfTimeout: Int {
    switch self {
    case .cover(let request, _): request.hasSeveralFrames ? 10 : 1
    case .tiles: 10
    case .encode, .probe: 1
    }
  }
}

extension CoverFailure {
  /// The work was not done because the run is ending.
  fileprivate static let shutDown = CoverFailure(
    stage: .service,
    cause: .decoderDied,
    message: "the decoder was shut down"
  )
}

extension RestartingDecoder {
  /// Examines an open clip.
  ///
  /// - Throws: ``ServiceError`` if no decoder can be started.
  func probe(
    _ file: FileDescriptor,
    programme: Int?,
    rawFormat: RawFormat?
  ) async throws(ServiceError) -> Result<ProbedClip, ProbeFailure> {
    switch try await perform(.probe(programme: programme), descriptors: [file], rawFormat: rawFormat) {
    case .facts(let facts, let details): .success(ProbedClip(facts: facts, details: details))
    case .lacksVideo(let failure, let details): .failure(ProbeFailure(failure, details: details))
    case .failure(let failure): .failure(ProbeFailure(failure))
    case .cover, .tiles: .failure(ProbeFailure(.unexpectedAnswer))
    }
  }

  /// Does work with this decoder, and once more with another process if the first one broke down.
  func retrying<Value>(
    isolation: isolated (any Actor)? = #isolation,
    _ work: () async throws(ServiceError) -> Result<Value, CoverFailure>
  ) async throws(ServiceError) -> Result<Value, CoverFailure> {
    let wasFresh = await isFresh
    let first = try await work()
    guard case .failure(let failure) = first, failure.isWorthAnotherDecoder(wasFresh: wasFresh) else { return first }
    await stop()
    return try await work()
  }
}

extension CoverFailure {
  /// Whether the same work may succeed with another decoder process.
  ///
  /// A clip that used up the timeout of a new process would only do so again.
  func isWorthAnotherDecoder(wasFresh: Bool) -> Bool { isBreakdown && !(wasFresh && cause == .timedOut) }
}
