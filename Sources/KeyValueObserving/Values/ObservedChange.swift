/// The kind of a notification.
public enum ChangeKind: String, Sendable {
  /// The first notification, with the current value.
  case initial
  /// A notification before a write.
  case prior
  /// A notification after a write.
  case changed
}

/// A notification about one key, containing the values that the options name.
///
/// If the values of the key are themselves optional, `Value` is the type that they wrap: `old` and `new` are then `nil`
/// also where the key is. See ``ValueChange`` for values that are always there.
public struct ObservedChange<Model: Sendable, Value: Sendable>: Sendable {
  /// The key that was observed.
  public let keyPath: any PartialKeyPath<Model> & Sendable
  /// The kind of the notification.
  public let kind: ChangeKind
  /// The value before the write; `nil` without ``ObservingOptions/old`` and in an `initial` notification.
  public let old: Value?
  /// The value after the write; `nil` without ``ObservingOptions/new`` and in a `prior` notification.
  public let new: Value?
  /// The number of the notification within its observation, counted from 1 without gaps.
  public let sequence: Int
  /// The number of the write within its model, counted from 1; in an `initial` notification, that of the last write.
  ///
  /// All notifications of one ``Observed/mutate(_:)`` have the same number. Unobserved writes are counted too.
  public let transaction: Int
}

extension ObservedChange {
  @inlinable
  init(_ notice: Notice<Model>, keyPath: any KeyPath<Model, Value> & Sendable, options: ObservingOptions) {
    self.init(notice, keyPath, options) { $0[keyPath: keyPath] }
  }

  @inlinable
  init(_ notice: Notice<Model>, keyPath: any KeyPath<Model, Value?> & Sendable, options: ObservingOptions) {
    self.init(notice, keyPath, options) { $0[keyPath: keyPath] }
  }

  @inlinable
  init(
    _ notice: Notice<Model>,
    _ keyPath: any PartialKeyPath<Model> & Sendable,
    _ options: ObservingOptions,
    value: (Model) -> Value?
  ) {
    self.keyPath = keyPath
    kind = notice.kind
    old = notice.kind != .initial && options.contains(.old) ? value(notice.old) : nil
    new = notice.kind != .prior && options.contains(.new) ? value(notice.new) : nil
    sequence = notice.sequence
    transaction = notice.transaction
  }
}

/// A notification for a registration: the models before and after; its handler extracts what it needs.
@usableFromInline
struct Notice<Model: Sendable>: Sendable {
  @usableFromInline let kind: ChangeKind
  @usableFromInline let old: Model
  @usableFromInline let new: Model
  @usableFromInline let sequence: Int
  @usableFromInline let transaction: Int

  @inlinable
  init(kind: ChangeKind, old: Model, new: Model, sequence: Int, transaction: Int) {
    (self.kind, self.old, self.new) = (kind, old, new)
    (self.sequence, self.transaction) = (sequence, transaction)
  }
}
