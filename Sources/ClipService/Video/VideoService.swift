package import Covers
package import SystemPackage

/// Writes videos, using a composer process, and checks them, using a decoder process.
package struct VideoService: Sendable {
  let composer: Composer
  let covers: CoverService

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - composer: The path of the composer program; see `ProgramLocation`.
  ///   - covers: The service whose decoder checks each video.
  ///   - timeout: The maximum time without progress.
  ///   - sandbox: How strictly the composer is sandboxed.
  ///   - onIncompleteSandbox: Called if the composer works although a requested part of its sandbox is missing.
  package init(
    composer: FilePath,
    covers: CoverService,
    timeout: Duration = .seconds(30),
    sandbox: SandboxMode = .auto,
    onIncompleteSandbox: @escaping @Sendable (SandboxState) -> Void = { _ in }
  ) {
    let demand = SandboxDemand(sandbox, onIncomplete: onIncompleteSandbox)
    let standby = StandbyProcesses(of: composer, sandbox: demand)
    self.composer = Composer(program: composer, timeout: timeout, sandbox: demand, standby: standby)
    self.covers = covers
  }

  /// Starts the programs that ``remux(_:progress:)`` uses, so that it need not wait for their start.
  package func prepareRemux() {
    composer.standby.fill(to: 1)
    covers.prepare(decoders: 1)
  }
}
