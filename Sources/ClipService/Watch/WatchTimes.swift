/// The intervals of a watch.
///
/// They are parameters so that tests can use shorter ones.
package struct WatchTimes: Codable, Equatable, Sendable {
  /// How long a file must not have changed to count as complete, unless it has been closed.
  package var quiet = Duration.seconds(2)
  /// How often files that may still be written are checked.
  package var growingCheck = Duration.milliseconds(500)
  /// How often the named folders are checked.
  package var rootCheck = Duration.seconds(5)
  /// How often they are checked while one is missing.
  package var missingRootCheck = Duration.seconds(1)
  /// The time between two searches if the system reports no changes.
  package var search = Duration.seconds(10)
  /// How long to wait for the next clip, so that several that arrive together are processed by the same decoders.
  package var lingering = Duration.seconds(1)
  /// The pause before a clip that failed is tried again; it doubles with each failure in a row.
  package var firstRetry = Duration.seconds(5)
  /// The longest pause before a clip that failed is tried again.
  package var longestRetry = Duration.seconds(600)

  /// Creates the intervals of the program.
  package init() {}

  /// Returns shorter intervals, all by the same factor.
  package static func / (times: WatchTimes, divisor: Int) -> WatchTimes {
    var shorter = times
    for interval in [
      \.quiet, \.growingCheck, \.rootCheck, \.missingRootCheck, \.search, \.lingering, \.firstRetry, \.longestRetry,
    ] as [WritableKeyPath<WatchTimes, Duration>] { shorter[keyPath: interval] /= divisor }
    return shorter
  }
}
