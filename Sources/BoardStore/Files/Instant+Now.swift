package import CanvasModel
internal import Glibc

extension Instant {
  /// The current time of the system clock, in whole milliseconds; a command reads it once.
  package static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let milliseconds = time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    guard let now = Instant(secondsSince1970: Double(milliseconds) / 1000) else {
      preconditionFailure("the clock gives a number")
    }
    return now
  }
}
