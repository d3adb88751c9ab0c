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
  ///
  /// These are the writes of the key itself, of a key that contains it or is a part of it, and of any key if one of the
  /// two is not simply stored in the model, such as a computed key or a part of an array. ``Observed/mutate(_:)`` is a
  /// write of all keys.
  public static let equal = ObservingOptions(rawValue: 16)
}
