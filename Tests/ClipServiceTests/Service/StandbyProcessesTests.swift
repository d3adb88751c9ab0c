import ClipService
import Covers
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Uses the real decoder, in processes whose only children are decoders.
@Suite("Decoders on standby")
struct StandbyProcessesTests {
  private static let decoder = ProjectFolder.program("clipcanvas-decoder")
  private static let clip = ProjectFolder.fixture("h264.mp4")

  /// The decoders that run; an ended decoder stays in the table of processes as long as it is on standby.
  private static func running() -> [Int32] { ProcessStatus.children().filter(ProcessStatus.isRunning) }

  /// Probes a clip; returns whether it has its size, and the decoders that ran then.
  private static func probe(_ service: CoverService) async throws -> (isRight: Bool, decoders: [Int32]) {
    var result = (isRight: false, decoders: [Int32]())
    try await service.probe([clip]) { _, probed in
      result = ((try? probed.get().facts.codec) == "h264", Self.running())
    }
    return result
  }

  /// Waits until the given number of decoders runs, for at most 20 seconds.
  private static func decoders(_ count: Int) async -> [Int32] {
    let deadline = ContinuousClock.now + .seconds(20)
    while Self.running().count != count, ContinuousClock.now < deadline {
      try? await pause(.milliseconds(10))
    }
    return Self.running()
  }

  /// Creates a service with decoders that wait, and returns them.
  private static func service(waiting count: Int) async -> (CoverService, waiting: [Int32]) {
    let service = CoverService(decoder: decoder)
    service.prepare(decoders: count)
    let waiting = await decoders(count)
    #expect(waiting.count == count)
    return (service, waiting)
  }

  @Test("The work uses a decoder that waits, and starts no other", .enabled(if: Scope.isFull))
  func used() async throws {
    await #expect(processExitsWith: .success) {
      let (service, waiting) = await Self.service(waiting: 1)
      let first = try await Self.probe(service)
      #expect(first.isRight && first.decoders == waiting)
      #expect(await Self.decoders(0) == [])
      // Nothing waits now, so one is started.
      let second = try await Self.probe(service)
      #expect(second.isRight && second.decoders.count == 1 && second.decoders != waiting)
    }
  }

  @Test("Decoders killed while they wait cost the work nothing", .enabled(if: Scope.isFull))
  func killed() async throws {
    await #expect(processExitsWith: .success) {
      let (service, waiting) = await Self.service(waiting: 2)
      for decoder in waiting { kill(decoder, SIGKILL) }
      #expect(await Self.decoders(0) == [])
      let probed = try await Self.probe(service)
      #expect(probed.isRight && probed.decoders.count == 1)
    }
  }

  @Test("No more decoders wait than asked for")
  func filled() async throws {
    await #expect(processExitsWith: .success) {
      let standby = StandbyProcesses(of: Self.decoder, sandbox: SandboxDemand(.auto) { _ in }, lifetime: .seconds(60))
      for (wanted, waiting) in [(1, 1), (2, 2), (1, 2)] {
        standby.fill(to: wanted)
        #expect(standby.count == waiting)
      }
      #expect(await Self.decoders(2).count == 2)
    }
  }

  @Test("An unused decoder ends after its time", .enabled(if: Scope.isFull))
  func unused() async throws {
    await #expect(processExitsWith: .success) {
      let sandbox = SandboxDemand(.auto) { _ in }
      let standby = StandbyProcesses(of: Self.decoder, sandbox: sandbox, lifetime: .seconds(5))
      standby.fill(to: 2)
      #expect(standby.count == 2)
      #expect(await Self.decoders(2).count == 2)
      #expect(await Self.decoders(0) == [])
      #expect(standby.count == 0)
      #expect(await standby.take()?.process == nil)
    }
  }

  @Test("Unused decoders end with their service", .enabled(if: Scope.isFull))
  func released() async throws {
    await #expect(processExitsWith: .success) {
      do {
        let (service, _) = await Self.service(waiting: 2)
        withExtendedLifetime(service) {}
      }
      #expect(await Self.decoders(0) == [])
    }
  }

  @Test("A program that cannot be started is reported by the work")
  func missing() async throws {
    let service = CoverService(decoder: "/nonexistent/decoder")
    service.prepare(decoders: 1)
    await #expect(throws: ServiceError.self) { _ = try await Self.probe(service) }
  }

  @Test("Nothing is started without room for its descriptors")
  func descriptors() async throws {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 30, rlim_max: 30)
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #expect(setrlimit(kind, &limit) == 0)
      let standby = StandbyProcesses(of: Self.decoder, sandbox: SandboxDemand(.auto) { _ in })
      standby.fill(to: 1)
      #expect(standby.count == 0 && Self.running() == [])
      let probed = try await Self.probe(CoverService(decoder: Self.decoder))
      #expect(probed.isRight)
    }
  }
}
