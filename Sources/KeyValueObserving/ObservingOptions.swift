/// What an observer wants to be told, and when.
public struct ObservingOptions: OptionSet, Hashable, Sendable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Makes options of their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Changes carry the value before.
  public static let old = ObservingOptions(rawValue: 1)
  /// Changes carry the value after.
  public static let new = ObservingOptions(rawValue: 2)
  /// A first notice comes at once, with the present value as `new`.
  public static let initial = ObservingOptions(rawValue: 4)
  /// A notice comes before each write too, while the model still has the old value.
  public static let prior = ObservingOptions(rawValue: 8)
  /// A write of the value that is there already is told too.
  public static let equal = ObservingOptions(rawValue: 16)
}
