internal import ClipService
internal import Covers
internal import Synchronization
internal import SystemPackage

/// The decoder processes of a program, and the requests that wait for them.
///
/// A limited number of requests are worked on at a time; the others wait in order. A process that has nothing to do for a
/// while ends. One that a clip broke, or whose work was cancelled, is replaced.
public final class DecoderPool: Sendable {
  /// Something that happened in a pool, for the metrics of a program.
  public enum Event: Sendable, Hashable {
    /// A decoder process was started.
    case started
    /// A request got its decoder, after it waited for one.
    case began(waited: Duration)
    /// A request ended, with the cause of its error; `nil` with an image, or if its task was cancelled.
    case ended(after: Duration, error: ClipError.Cause?)
    /// A decoder works although parts of its sandbox are missing, which are named. Reported once.
    case incompleteSandbox(missing: String)
  }

  /// How strictly decoders are sandboxed.
  public enum Sandbox: Sendable, Hashable {
    /// Everything that the kernel offers is used; without Landlock and seccomp, nothing is decoded.
    case available
    /// Nothing is decoded if any part is missing.
    case required
  }

  /// The pool of generators that are not given another.
  public static let shared = DecoderPool()

  /// The maximum number of running requests.
  private let limit: Int
  /// How long an idle decoder is kept.
  private let idleTime: Duration
  private let makeService: @Sendable () throws(ServiceError) -> CoverService
  private let observer: @Sendable (Event) -> Void
  private let state = Mutex(State())

  private struct State {
    var service: CoverService?
    /// The idle decoders, the most recently used last.
    var idle: [Idle] = []
    /// Whether a task ends decoders that stay idle.
    var isWatched = false
    /// The number of decoders that requests have.
    var busy = 0
    var waiting: [Waiting] = []
    var nextNumber = 0
  }

  private struct Idle {
    let decoder: RestartingDecoder
    let since: ContinuousClock.Instant
  }

  private struct Waiting {
    let number: Int
    /// Resumed with whether the request may take a decoder.
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of running requests; by default the number of processors.
  ///   - decoder: The path of `clipcanvas-decoder`. By default it is searched for beside the program, in
  ///     `../libexec/clipcanvas`, and at the path in the environment variable `CLIPCANVAS_DECODER`.
  ///   - timeout: The longest time for one image; sheets may take ten times as long.
  ///   - sandbox: How strictly decoders are sandboxed.
  ///   - idleTime: How long an idle decoder is kept.
  ///   - observer: Called for each event, on any thread; it must return quickly.
  public init(
    limit: Int? = nil,
    decoder: String? = nil,
    timeout: Duration = .seconds(30),
    sandbox: Sandbox = .available,
    idleTime: Duration = .seconds(60),
    observer: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.limit = max(1, limit ?? CoverService.processors)
    (self.idleTime, self.observer) = (idleTime, observer)
    makeService = { () throws(ServiceError) in
      let program = if let decoder { FilePath(decoder) } else { try ProgramLocation.decoder.find() }
      return CoverService(
        decoder: program,
        timeout: timeout,
        sandbox: sandbox == .required ? .require : .auto
      ) { observer(.incompleteSandbox(missing: $0.missingText)) }
    }
  }

  deinit {
    let idle = state.withLock { $0.idle }
    guard !idle.isEmpty else { return }
    Task {
      for entry in idle { await entry.decoder.end() }
    }
  }

  /// Ends the idle decoders and waits for their processes.
  ///
  /// Running requests are not interrupted, and later ones start decoders again.
  public func endIdleDecoders() async {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for entry in idle { await entry.decoder.end() }
  }

  /// Lends a decoder to a request.
  ///
  /// - Throws: ``ClipError`` if no decoder can be started, or `CancellationError`.
  func withDecoder<Value: Sendable>(
    _ work: (RestartingDecoder) async throws(ServiceError) -> Result<Value, CoverFailure>
  ) async throws -> Result<Value, CoverFailure> {
    let clock = ContinuousClock()
    let asked = clock.now
    try await waitForTurn()
    let begun = clock.now
    observer(.began(waited: begun - asked))
    // Reported before the next request begins, so that a program sees no more of them at a time than the limit.
    func end(_ error: ClipError.Cause?) { observer(.ended(after: clock.now - begun, error: error)) }
    let decoder: RestartingDecoder
    do throws(ServiceError) {
      decoder = try take()
    } catch {
      end(.noDecoder)
      passOn()
      throw ClipError(error)
    }
    let starts = await decoder.starts
    let result = await handlingCancellation {
      () throws(ServiceError) in
      try await work(decoder)
    } onCancel: {
      Task { await decoder.shutDown() }
    }
    for _ in starts..<(await decoder.starts) { observer(.started) }
    guard !Task.isCancelled else {
      await decoder.end()
      end(nil)
      passOn()
      throw CancellationError()
    }
    switch result {
    case .success(.success): end(nil)
    case .success(.failure(let error)): end(ClipError(error).cause)
    case .failure: end(.noDecoder)
    }
    giveBack(decoder)
    do throws(ServiceError) {
      return try result.get()
    } catch {
      throw ClipError(error)
    }
  }

  // MARK: - Turns

  /// Waits until fewer than `limit` requests have a decoder.
  private func waitForTurn() async throws {
    try Task.checkCancellation()
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let isMine = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFree: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          guard state.busy < limit else {
            state.waiting.append(Waiting(number: number, continuation: continuation))
            return nil
          }
          state.busy += 1
          return true
        }
        if let isFree { continuation.resume(returning: isFree) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
      }
      waiting?.continuation.resume(returning: false)
    }
    guard isMine else { throw CancellationError() }
  }

  /// Gives the turn of a request that has ended to the next one.
  private func passOn() {
    let next: Waiting? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.busy -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }

  // MARK: - Decoders

  /// Takes an idle decoder, or creates one.
  private func take() throws(ServiceError) -> RestartingDecoder {
    let found: Result<RestartingDecoder, ServiceError> = state.withLock { state in
      if let entry = state.idle.popLast() { return .success(entry.decoder) }
      do throws(ServiceError) {
        try DescriptorLimit.makeRoom(forPoolOf: state.busy)
        let service = if let service = state.service { service } else { try makeService() }
        state.service = service
        return .success(service.makeDecoder())
      } catch {
        return .failure(error)
      }
    }
    return try found.get()
  }

  /// Keeps a decoder for the next request, and ends it if none comes.
  private func giveBack(_ decoder: RestartingDecoder) {
    let needsWatch = state.withLock { state in
      state.idle.append(Idle(decoder: decoder, since: .now))
      defer { state.isWatched = true }
      return !state.isWatched
    }
    passOn()
    guard needsWatch else { return }
    Task { [weak self, idleTime] in
      repeat { try? await Task.sleep(for: idleTime) } while await self?.endUnused() == true
    }
  }

  /// Ends the decoders that have been idle for long enough, and returns whether others are idle.
  private func endUnused() async -> Bool {
    let (unused, isWatched) = state.withLock { state in
      let unused = state.idle.filter { $0.since + idleTime <= .now }
      state.idle.removeAll { $0.since + idleTime <= .now }
      state.isWatched = !state.idle.isEmpty
      return (unused, state.isWatched)
    }
    for entry in unused { await entry.decoder.end() }
    return isWatched
  }
}
