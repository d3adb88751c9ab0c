/// A request to draw: the model, and the display keys that differ from what was drawn last.
public struct Drawing<Model: Sendable>: Sendable {
  /// The model to draw.
  public let model: Model
  /// The model as it was last drawn; `nil` at the first drawing after a bind.
  public let drawn: Model?
  /// The keys to draw, in the order of the display keys: all at first, then those that changed; never empty.
  public let keys: [ObservedKey<Model>]
  /// The number of the write that caused the drawing; see ``ObservedChange/transaction``.
  public let transaction: Int

  /// Whether everything has to be drawn.
  public var isFirst: Bool { drawn == nil }

  /// Returns the last drawn value, if any, and the value to draw; `nil` if the key does not have to be drawn.
  public func change<Value>(of keyPath: KeyPath<Model, Value>) -> (old: Value?, new: Value)? {
    guard keys.contains(keyPath) else { return nil }
    return (drawn?[keyPath: keyPath], model[keyPath: keyPath])
  }
}
