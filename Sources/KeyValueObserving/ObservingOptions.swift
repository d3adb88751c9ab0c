/// Options that determine what a notification contains and when it is sent.
public struct ObservingOptions: OptionSet, Hashable, Sendable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Changes contain the value before the write.
  public static let old = ObservingOptions(rawValue: 1)
  /// Changes contain the value after the write.
  public static let new = ObservingOptions(rawValue: 2)
  /// The observer is notified immediately on registration, with the current value as `new`.
  public static let initial = ObservingOptions(rawValue: 4)
  /// The observer is also notified before each write, while the model still has the old value.
  public static let prior = ObservingOptions(rawValue: 8)
  /// The observer is also notified of writes that do not change the value.
  public static let equal = ObservingOptions(rawValue: 16)
}
