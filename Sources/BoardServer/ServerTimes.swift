/// The intervals of a board server.
///
/// They are parameters so that tests can use shorter ones.
package struct ServerTimes: Equatable, Sendable {
  /// A recording counts as interrupted after this time without a sign from its browser.
  package var lease = Duration.seconds(6)
  /// How often the server checks whether a lease is over.
  package var leaseCheck = Duration.milliseconds(500)
  /// A longer time between two checks means that the server stood still.
  package var standstill = Duration.seconds(2)
  /// The pause before the server tries again what failed; it doubles with each failure in a row.
  package var firstPause = Duration.seconds(1)
  /// The longest pause before the server tries again to finish a recording.
  package var longestPause = Duration.seconds(60)
  /// How often a board that cannot be read is checked before a cover is stored in it.
  package var readableCheck = Duration.seconds(1)
  /// How often the board's file is read while its folder is missing or cannot be watched.
  package var polling = Duration.milliseconds(200)
  /// A clip's upload is removed after this time without a sign from its client.
  package var clipPatience = Duration.seconds(15 * 60)
  /// How long what arrives after the last answer on a connection is dropped before the connection is closed.
  package var refusedBody = Duration.seconds(5)

  /// Creates the intervals of the program.
  package init() {}
}
