/// A model whose keys can be read and written by name, for scripts and for what comes over a wire.
public protocol KeyValueCoding: Sendable {
  /// The keys by their names.
  static var valueKeys: [String: ValueKey<Self>] { get }
}

/// A key that can be written with a value whose type is known only when it comes.
public struct ValueKey<Model: Sendable>: Sendable {
  /// The key path itself.
  public let keyPath: any PartialKeyPath<Model> & Sendable
  /// The type of its value.
  public let type: any Sendable.Type
  let read: @Sendable (Observed<Model>) -> any Sendable
  let write: @Sendable (any Sendable, Observed<Model>) -> Bool

  /// Makes a key of a key path that can be written.
  public init<Value: Sendable>(_ keyPath: any WritableKeyPath<Model, Value> & Sendable) {
    self.keyPath = keyPath
    type = Value.self
    read = { $0[dynamicMember: keyPath] }
    write = { value, model in
      guard let value = value as? Value else { return false }
      model[dynamicMember: keyPath] = value
      return true
    }
  }
}

/// Why a value could not be read or written by name.
public enum KeyError: Error, Hashable, CustomStringConvertible {
  /// The model has no such key.
  case undefinedKey(String, known: [String])
  /// The key has another type.
  case typeMismatch(String, expected: String, given: String)

  /// What happened, for a person.
  public var description: String {
    switch self {
    case .undefinedKey(let key, let known):
      "cannot find key \(key): the model has no such key; use one of \(known.joined(separator: ", "))"
    case .typeMismatch(let key, let expected, let given):
      "cannot set key \(key): a value of type \(given) was given; give one of type \(expected)"
    }
  }
}

extension Observed where Model: KeyValueCoding {
  /// The value of a key by its name.
  public func value(forKey name: String) throws(KeyError) -> any Sendable {
    try key(name).read(self)
  }

  /// Writes a key by its name, through the same door as any other write.
  ///
  /// - Throws: `undefinedKey` or `typeMismatch`; then nothing was changed and nobody told.
  public func setValue(_ value: any Sendable, forKey name: String) throws(KeyError) {
    let key = try key(name)
    guard !key.write(value, self) else { return }
    throw .typeMismatch(name, expected: "\(key.type)", given: "\(type(of: value))")
  }

  private func key(_ name: String) throws(KeyError) -> ValueKey<Model> {
    let keys = Model.valueKeys
    guard let key = keys[name] else { throw .undefinedKey(name, known: keys.keys.sorted()) }
    return key
  }
}
