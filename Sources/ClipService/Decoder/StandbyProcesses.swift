internal import Covers
package import DecoderWire
internal import Synchronization
package import SystemPackage

/// Processes that are started before they are needed, so that work does not wait for their start.
///
/// Exited processes are skipped. Unused ones are terminated after a timeout or on deinit.
package final class StandbyProcesses: Sendable {
  private let program: FilePath
  private let sandbox: SandboxDemand
  private let lifetime: Duration
  private let waiting = Mutex<[SandboxedProcess]>([])

  /// Creates an empty stock of processes.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - sandbox: How strictly the processes are sandboxed.
  ///   - lifetime: How long an unused process is kept.
  package init(of program: FilePath, sandbox: SandboxDemand, lifetime: Duration = .seconds(60)) {
    (self.program, self.sandbox, self.lifetime) = (program, sandbox, lifetime)
  }

  deinit {
    for process in waiting.withLock(\.self) { process.letGo() }
  }

  /// The number of processes that wait for work.
  package var count: Int { waiting.withLock(\.count) }

  /// Starts processes until the given number waits for work.
  ///
  /// Nothing is started without room for the descriptors. What else prevents a process from being started is reported
  /// when the work starts one itself.
  ///
  /// - Parameters:
  ///   - count: The number of processes.
  ///   - clips: The number of clips that this process has open at the same time.
  package func fill(to count: Int, besideClips clips: Int = 0) {
    guard DescriptorLimit.hasRoom(forProcesses: count, besideClips: clips) else { return }
    waiting.withLock { waiting in
      while waiting.count < count {
        guard let process = try? SandboxedProcess(starting: program, sandbox: sandbox.mode) else { return }
        waiting.append(process)
        Task { [weak self, lifetime] in
          try? await Task.sleep(for: lifetime)
          self?.end(process)
        }
      }
    }
  }

  private func end(_ process: SandboxedProcess) {
    let isWaiting = waiting.withLock { waiting in
      guard let index = waiting.firstIndex(where: { $0 === process }) else { return false }
      waiting.remove(at: index)
      return true
    }
    if isWaiting { process.letGo() }
  }

  /// Takes a process that is ready for work, and its greeting; returns `nil` if no process waits.
  package func take() async -> (process: SandboxedProcess, hello: ProgramHello)? {
    while let process = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      if let hello = try? await process.greeting(checkedBy: sandbox), await process.isQuiet { return (process, hello) }
      process.letGo()
    }
    return nil
  }
}
