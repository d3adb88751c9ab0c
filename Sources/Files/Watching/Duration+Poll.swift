extension Duration {
  /// The duration as a timeout of poll(2), in whole milliseconds; at least 0 and at most eleven days.
  package var pollMilliseconds: Int32 { Int32(max(0, min(self / .milliseconds(1), 1e9)).rounded(.up)) }
}
