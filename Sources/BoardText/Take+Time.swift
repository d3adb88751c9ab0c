public import CanvasModel

extension Take {
  /// Returns the duration without pauses, as minutes and seconds; empty if the instants are invalid.
  ///
  /// - Parameter now: The current time, which ends an open segment.
  public func runningTime(until now: Instant) -> String {
    seconds(until: now).map(Self.clockText) ?? ""
  }

  /// Returns seconds formatted as minutes and seconds, such as `1:05`.
  public static func clockText(_ seconds: Int) -> String {
    "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }
}
