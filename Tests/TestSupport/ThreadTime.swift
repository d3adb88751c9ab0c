import Glibc

/// The processor time of the current thread, which does not depend on what else the machine does.
package enum ThreadTime {
  /// Returns the processor time that a function takes, in the current thread.
  package static func measure(_ body: () throws -> Void) rethrows -> Duration {
    let start = now()
    try body()
    return now() - start
  }

  private static func now() -> Duration {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { preconditionFailure("clock_gettime failed") }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
