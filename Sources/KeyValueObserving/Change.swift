/// Which of an observation's notices this is.
public enum ChangeKind: String, Sendable {
  /// The first, which tells what is there.
  case initial
  /// Before a write.
  case prior
  /// After a write.
  case changed
}

/// One notice about one key.
public struct Change<Model: Sendable, Value: Sendable>: Sendable {
  /// The key that was observed.
  public let keyPath: any KeyPath<Model, Value> & Sendable
  /// Which notice this is.
  public let kind: ChangeKind
  /// The value before; nil without ``ObservingOptions/old`` and in an `initial` notice.
  public let old: Value?
  /// The value after; nil without ``ObservingOptions/new`` and in a `prior` notice.
  public let new: Value?
  /// The notice's number among those of its observation, from 1 without gaps.
  public let sequence: Int
  /// The number of the write among those of its model, from 1; in an `initial` notice that of the last write before.
  ///
  /// Notices of one ``Observed/mutate(_:)`` have the same number. A write that nobody was told of is counted too.
  public let transaction: Int
}

extension Change {
  init(_ notice: Notice<Model>, keyPath: any KeyPath<Model, Value> & Sendable, options: ObservingOptions) {
    self.keyPath = keyPath
    kind = notice.kind
    old = notice.kind != .initial && options.contains(.old) ? notice.old[keyPath: keyPath] : nil
    new = notice.kind != .prior && options.contains(.new) ? notice.new[keyPath: keyPath] : nil
    sequence = notice.sequence
    transaction = notice.transaction
  }
}

/// What a registration is told: the models before and after, of which its handler takes what it wants.
struct Notice<Model: Sendable>: Sendable {
  let kind: ChangeKind
  let old: Model
  let new: Model
  let sequence: Int
  let transaction: Int
}
