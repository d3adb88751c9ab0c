/// A model whose keys can be read and written by name, for scripts and for serialised data.
public protocol KeyValueCoding: Sendable {
  /// The keys by name.
  static var valueKeys: [String: ValueKey<Self>] { get }
}

/// A key that can be written with a value whose type is known only at run time.
public struct ValueKey<Model: Sendable>: Sendable {
  /// The type of the key's value.
  let type: any Sendable.Type
  let read: @Sendable (Observed<Model>) -> any Sendable
  let write: @Sendable (any Sendable, Observed<Model>) -> Bool

  /// Creates a key from a writable key path.
  public init<Value: Sendable>(_ keyPath: any WritableKeyPath<Model, Value> & Sendable) {
    type = Value.self
    read = { $0[dynamicMember: keyPath] }
    write = { value, model in
      // Swift converts `nil` of any type to every optional type.
      let isForeignNil = (value as? any NilValue)?.isNil == true && Swift.type(of: value) != Value.self
      guard !isForeignNil, let value = value as? Value else { return false }
      model[dynamicMember: keyPath] = value
      return true
    }
  }
}

/// An optional value of any type.
private protocol NilValue {
  var isNil: Bool { get }
}

extension Optional: NilValue {
  fileprivate var isNil: Bool { self == nil }
}

/// An error from reading or writing a value by name.
public enum KeyError: Error, Hashable, CustomStringConvertible {
  /// The model has no such key.
  case undefinedKey(String, known: [String])
  /// The key has a different type.
  case typeMismatch(String, expected: String, given: String)

  /// A human-readable message.
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
  /// Returns the value of the key with the given name.
  public func value(forKey name: String) throws(KeyError) -> any Sendable {
    try key(name).read(self)
  }

  /// Writes the key with the given name; observers are notified as for any other write.
  ///
  /// - Throws: `undefinedKey` or `typeMismatch`. In both cases nothing is changed and no observer is notified.
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
