/// A key path to a value of any type that can be compared: what a list of keys is made of.
///
///     static let displayKeys = [ObservedKey(\Canvas.cover), ObservedKey(\Canvas.isSelected)]
public struct ObservedKey<Model: Sendable>: Sendable, CustomStringConvertible {
  /// The key path itself.
  public let keyPath: any PartialKeyPath<Model> & Sendable
  /// What messages and the ledger call the key.
  public var name: String { givenName ?? "\(keyPath)" }
  // Describing a path takes longer than all else in a registration, and few ask for it.
  let givenName: String?
  private let differ: @Sendable (Model, Model) -> Bool

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - keyPath: Any readable path: stored, computed, or through several properties.
  ///   - name: What messages call it. Without one it is the path's own description, which for a computed property says
  ///     no more than that it is computed.
  public init<Value: Equatable & Sendable>(_ keyPath: any KeyPath<Model, Value> & Sendable, name: String? = nil) {
    self.keyPath = keyPath
    givenName = name
    differ = { $0[keyPath: keyPath] != $1[keyPath: keyPath] }
  }

  /// The name.
  public var description: String { name }

  /// Whether the key has two different values in two models.
  public func isDifferent(_ first: Model, _ second: Model) -> Bool { differ(first, second) }
}
