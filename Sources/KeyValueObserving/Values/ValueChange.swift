/// A notification about one key that always contains both values, so neither is an additional optional.
public struct ValueChange<Value: Sendable>: Sendable {
  /// The kind of the notification.
  public let kind: ChangeKind
  /// The value before the write; in an `initial` notification, the current value.
  public let old: Value
  /// The value after the write, which in a `prior` notification is still to come.
  public let new: Value
  /// The number of the notification within its observation, counted from 1 without gaps.
  public let sequence: Int
  /// The number of the write; see ``ObservedChange/transaction``.
  public let transaction: Int
}

extension ValueChange {
  init<Model>(_ notice: Notice<Model>, keyPath: any KeyPath<Model, Value> & Sendable) {
    kind = notice.kind
    old = notice.old[keyPath: keyPath]
    new = notice.new[keyPath: keyPath]
    sequence = notice.sequence
    transaction = notice.transaction
  }
}

extension ValueChange: Equatable where Value: Equatable {}

/// A notification about several keys: one per transaction, however many of the keys it changes.
public struct ModelChange<Model: Sendable>: Sendable {
  /// The kind of the notification.
  public let kind: ChangeKind
  /// The observed keys whose values differ; in an `initial` notification, all of them.
  public let keys: [ObservedKey<Model>]
  /// The model before the write; in an `initial` notification, the current model.
  public let old: Model
  /// The model after the write, which in a `prior` notification is still to come.
  public let new: Model
  /// The number of the notification within its observation, counted from 1 without gaps.
  public let sequence: Int
  /// The number of the write; see ``ObservedChange/transaction``.
  public let transaction: Int

  init(_ notice: Notice<Model>, observing keys: [ObservedKey<Model>]) {
    kind = notice.kind
    self.keys = kind == .initial ? keys : keys.filter { $0.isDifferent(notice.old, notice.new) }
    old = notice.old
    new = notice.new
    sequence = notice.sequence
    transaction = notice.transaction
  }
}
