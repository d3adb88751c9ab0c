/// A type-erased key path to an `Equatable` value, so that keys of different types can be listed together.
///
///     static let displayKeys = [ObservedKey(\Canvas.cover), ObservedKey(\Canvas.isSelected)]
public struct ObservedKey<Model: Sendable>: Sendable, CustomStringConvertible {
  /// The key path.
  public let keyPath: any PartialKeyPath<Model> & Sendable
  // Describing a key path takes longer than the rest of a registration and is rarely needed.
  @usableFromInline let givenName: String?
  /// The size of a value in bytes.
  @usableFromInline let size: Int
  @usableFromInline let differ: @Sendable (Model, Model) -> Bool

  /// Creates a key.
  ///
  /// The key must have a value at all times, because it is read after each write. An element of an array, such as
  /// `\.list[2]`, has none when the array has become shorter, and reading it then ends the process; observe the array.
  ///
  /// - Parameters:
  ///   - keyPath: Any readable key path: stored, computed, or through several properties.
  ///   - name: The name used in messages (default: the key path's description, which for a computed property does not
  ///     contain the property's name).
  @inlinable
  public init<Value: Equatable & Sendable>(_ keyPath: any KeyPath<Model, Value> & Sendable, name: String? = nil) {
    self.keyPath = keyPath
    givenName = name
    size = MemoryLayout<Value>.size
    differ = { $0[keyPath: keyPath] != $1[keyPath: keyPath] }
  }

  /// The key's name in messages and in the ledger.
  public var description: String { givenName ?? "\(keyPath)" }

  /// Returns whether the key's values in two models differ.
  @inlinable
  func isDifferent(_ first: Model, _ second: Model) -> Bool { differ(first, second) }
}

extension Sequence {
  /// Returns whether a key path is among the keys, such as those of a ``Drawing`` or a ``ModelChange``.
  public func contains<Model>(_ keyPath: PartialKeyPath<Model>) -> Bool where Element == ObservedKey<Model> {
    contains { $0.keyPath == keyPath }
  }
}
