import ClipService
import Glibc
import Testing

@Suite("Processor time of a decoder")
struct ProcessorTimeTests {
  private static func used() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  // A limit is a whole number of seconds. The test runs in a separate process, because the limit stays in force.
  @Test("A process may use at least the allowed time, and at most two seconds more")
  func allow() async {
    await #expect(processExitsWith: .success) {
      let allowed = Duration.milliseconds(1900)
      // The fractions of the used and the allowed time add up to more than a second.
      while Self.used().components.attoseconds < 300_000_000_000_000_000 {}
      let before = Self.used()
      ProcessorTime.allow(allowed, to: getpid())
      let after = Self.used()
      var limit = rlimit()
      try #require(getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit) == 0)
      #expect(.seconds(limit.rlim_cur) >= before + allowed)
      #expect(.seconds(limit.rlim_cur) <= after + allowed + .seconds(2))
    }
  }
}
