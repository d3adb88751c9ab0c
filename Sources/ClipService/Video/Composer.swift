internal import Covers
internal import DecoderWire
internal import SystemPackage

/// A composer process that does one piece of work.
struct Composer {
  /// Called with each reply that reports progress.
  typealias Progress = (ComposerReply) -> Void

  let program: FilePath
  /// How long the process may make no progress before it is stopped.
  let timeout: Duration
  let sandbox: SandboxDemand
  /// Composers with the usual limit on their address space.
  let standby: StandbyProcesses

  /// How long the parent waits after a deadline; the composer enforces the deadline, too.
  private static let grace = Duration.seconds(1)

  /// Does the work, and waits until the process has ended, so that it cannot change what it wrote.
  ///
  /// A composer that exceeds its bounds is stopped. If the task is cancelled, the process is ended, and the reply is a
  /// failure.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - clips: The descriptors of the clips.
  ///   - files: The descriptors that the work requires; the first is that of the file to write.
  ///   - bounds: What the composer may use.
  ///   - addressSpace: The limit on its address space in MiB (default: the usual one).
  ///   - progress: Called when the work has progressed.
  /// - Throws: ``ServiceError`` if the composer cannot be started.
  func perform(
    _ work: ComposerRequest.Work,
    clips: [FileDescriptor],
    files: [FileDescriptor],
    within bounds: ComposerBounds,
    addressSpace: Int? = nil,
    progress: Progress = { _ in }
  ) async throws(ServiceError) -> ComposerReply {
    let process = try await start(addressSpace: addressSpace)
    return await withTaskCancellationHandler {
      do throws(ComposerFault) {
        try await send(work, clips: clips, files: files, within: bounds, to: process)
        var watch = ComposerWatch(bounds, interval: timeout + Self.grace, file: files.first, clips: clips.count)
        let reply = try await reply(of: process, watchedBy: &watch, progress: progress)
        _ = await process.end()
        return reply
      } catch {
        let ending = await process.end()
        return .failure(CoverFailure(after: error, ending: ending, timeout: timeout), clip: nil)
      }
    } onCancel: {
      process.letGo()
    }
  }

  private func start(addressSpace: Int?) async throws(ServiceError) -> SandboxedProcess {
    if addressSpace == nil, let (process, _) = await standby.take() { return process }
    let process: SandboxedProcess
    do {
      process = try SandboxedProcess(starting: program, sandbox: sandbox.mode, addressSpace: addressSpace)
    } catch {
      throw SandboxedProcess.socketError(program, error)
    }
    do {
      _ = try await process.greeting(checkedBy: sandbox)
      return process
    } catch {
      let ending = await process.end()
      throw error as? ServiceError
        ?? SandboxedProcess.startError(.composer, at: program, ending: ending, error: error)
    }
  }

  private func send(
    _ work: ComposerRequest.Work,
    clips: [FileDescriptor],
    files: [FileDescriptor],
    within bounds: ComposerBounds,
    to process: SandboxedProcess
  ) async throws(ComposerFault) {
    process.allow(timeout + Self.grace)
    let request = ComposerRequest(
      deadlineMilliseconds: Int(timeout / .milliseconds(1)),
      clips: clips.count,
      fileBytes: bounds.fileBytes + ComposerWatch.fileMargin,
      tasks: bounds.tasks,
      work: work
    )
    do throws(WireError) {
      try await process.onQueue { socket throws(WireError) in
        try socket.send(request, descriptors: files)
        for start in stride(from: 0, to: clips.count, by: ComposerClips.maximumCount) {
          let some = clips[start..<min(start + ComposerClips.maximumCount, clips.count)]
          try socket.send(ComposerClips(count: some.count), descriptors: Array(some))
        }
      }
    } catch {
      throw .wire(error)
    }
  }

  /// Returns the last reply, and reports the progress before.
  private func reply(
    of process: SandboxedProcess,
    watchedBy watch: inout ComposerWatch,
    progress: Progress
  ) async throws(ComposerFault) -> ComposerReply {
    while true {
      let reply = try await next(of: process, watchedBy: &watch)
      switch reply {
      case .progress, .measuring, .composing:
        try watch.note(reply)
        process.allow(timeout + Self.grace)
        progress(reply)
      case .measured, .composed, .remuxed, .failure: return reply
      }
    }
  }

  /// Waits for the next reply, and checks meanwhile what the composer does.
  private func next(
    of process: SandboxedProcess,
    watchedBy watch: inout ComposerWatch
  ) async throws(ComposerFault) -> ComposerReply {
    while true {
      var reply: ComposerReply?
      do throws(WireError) {
        reply = try await process.receive(ComposerReply.self, by: .now + ComposerWatch.step)
      } catch {
        guard error == .timedOut else { throw .wire(error) }
      }
      try watch.check(threads: process.threadCount)
      guard let reply else { continue }
      guard reply.isWithinBounds else { throw .wire(.invalidMessage("a reply that is too large")) }
      return reply
    }
  }
}
