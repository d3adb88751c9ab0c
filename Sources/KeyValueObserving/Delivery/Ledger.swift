/// A record of registrations, each with its observer, key and model.
///
/// Models use the process-wide ledger (``shared``) by default. A ledger can be used from any thread.
public final class Ledger: Sendable {
  /// A registration.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// The observed model.
    public let model: ModelID
    /// The observed key.
    private let namedKey: NamedKey
    /// The observer.
    public let observer: ObserverID

    /// The key's name.
    public var key: String { namedKey.name ?? "\(namedKey.keyPath)" }

    /// The entry as one line, such as `cell 4 observes \Canvas.cover of model 3`.
    public var description: String { "\(observer) observes \(key) of \(model)" }

    init(model: ModelID, keyPath: any AnyKeyPath & Sendable, observer: ObserverID, name: String?) {
      (self.model, self.observer) = (model, observer)
      namedKey = NamedKey(keyPath: keyPath, name: name)
    }

    /// A key path and the name that was given to it, which has no part in comparisons.
    private struct NamedKey: Hashable, Sendable {
      let keyPath: any AnyKeyPath & Sendable
      let name: String?

      static func == (first: NamedKey, second: NamedKey) -> Bool { first.keyPath == second.keyPath }

      func hash(into hasher: inout Hasher) { hasher.combine(keyPath) }
    }
  }

  /// The ledger's counters at one moment.
  public struct Counts: Hashable, Sendable {
    /// The number of registrations added.
    public internal(set) var adds: Int
    /// The number of registrations removed.
    public internal(set) var removes: Int
    /// The number of attempts to add an existing registration, which had no effect.
    public internal(set) var repeatedAdds: Int
    /// The number of removals that found nothing to remove.
    public internal(set) var unmatchedRemovals: Int
    /// The number of current registrations, counted in the list; always `adds - removes`.
    package internal(set) var live: Int

    /// Creates counters to compare with.
    package init(adds: Int = 0, removes: Int = 0, repeatedAdds: Int = 0, unmatchedRemovals: Int = 0) {
      self.adds = adds
      self.removes = removes
      self.repeatedAdds = repeatedAdds
      self.unmatchedRemovals = unmatchedRemovals
      live = adds - removes
    }
  }

  /// The process-wide ledger.
  public static let shared = Ledger()

  /// Whether removing an observer that is not registered throws.
  private let isStrict: Bool
  private let state = Guarded(State())

  private struct State: Sendable {
    var entries: Set<Entry> = []
    var counts = Counts()
  }

  /// Creates an empty ledger.
  ///
  /// - Parameter isStrict: Whether removing an observer that is not registered throws, rather than only being counted.
  public init(isStrict: Bool = false) { self.isStrict = isStrict }

  /// The current counters.
  public var counts: Counts { state.withLock { $0.counts } }

  /// All current registrations, sorted by model, observer and key.
  public var entries: [Entry] {
    let entries = state.withLock { $0.entries }
    return entries.sorted { ($0.model.order, $0.observer.order, $0.key) < ($1.model.order, $1.observer.order, $1.key) }
  }

  /// Adds the keys of one registration; adds none and returns false if one of them is already present.
  func add(_ entries: Set<Entry>) -> Bool {
    state.withLock { state in
      guard state.entries.isDisjoint(with: entries) else {
        state.counts.repeatedAdds += 1
        return false
      }
      state.entries.formUnion(entries)
      state.counts.adds += entries.count
      state.counts.live = state.entries.count
      return true
    }
  }

  /// Removes entries that were added.
  func removeListed(_ entries: Set<Entry>) {
    state.withLock { state in
      state.entries.subtract(entries)
      state.counts.removes += entries.count
      state.counts.live = state.entries.count
    }
  }

  /// Counts the removal of an entry that is not present, and throws if the ledger is strict.
  func removeUnlisted(_ entry: Entry) throws(LedgerError) {
    state.withLock { $0.counts.unmatchedRemovals += 1 }
    guard isStrict else { return }
    throw .notRegistered(model: entry.model, key: entry.key, observer: entry.observer)
  }
}

/// A violation reported by a strict ledger.
public enum LedgerError: Error, Hashable, CustomStringConvertible {
  /// An observer was removed that was not registered.
  case notRegistered(model: ModelID, key: String, observer: ObserverID)

  /// A human-readable message.
  public var description: String {
    switch self {
    case .notRegistered(let model, let key, let observer):
      "cannot remove \(observer) from \(key) of \(model): it is not registered there; add it first, or remove it once"
    }
  }
}
