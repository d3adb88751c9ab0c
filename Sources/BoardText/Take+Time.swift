public import CanvasModel

extension Take {
  /// How long it is, its pauses left out, as minutes and seconds; empty where the instants make no sense.
  ///
  /// - Parameter now: Up to when an open segment lasts.
  public func runningTime(until now: Instant) -> String {
    seconds(until: now).map(Self.clockText) ?? ""
  }

  /// Seconds as minutes and seconds, `1:05`.
  public static func clockText(_ seconds: Int) -> String {
    "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }
}
