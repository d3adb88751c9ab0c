/// What a content is to draw: the model, and which of the keys it shows differ from what it drew last.
public struct Drawing<Model: Sendable>: Sendable {
  /// The model to be shown.
  public let model: Model
  /// The model as it was drawn last; nil at the first drawing after a bind.
  public let drawn: Model?
  /// The keys to draw, in the order of the display keys: at first all, later those that changed, never none.
  public let keys: [ObservedKey<Model>]
  /// The number of the write that this is about; see ``Change/transaction``.
  public let transaction: Int

  /// Whether everything is to be drawn.
  public var isFirst: Bool { drawn == nil }

  /// Whether a key is to be drawn.
  public func contains(_ keyPath: PartialKeyPath<Model>) -> Bool { keys.contains { $0.keyPath == keyPath } }

  /// The value drawn last, if there is one, and the one to draw; nil if the key is not to be drawn.
  public func change<Value>(of keyPath: KeyPath<Model, Value>) -> (old: Value?, new: Value)? {
    guard contains(keyPath) else { return nil }
    return (drawn?[keyPath: keyPath], model[keyPath: keyPath])
  }
}
