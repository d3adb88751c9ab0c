/// Keeps account of registrations: who observes which key of which model.
///
/// Models share the process's ledger (``shared``) unless they are given another one. Safe from many threads.
public final class Ledger: Sendable {
  /// One registration.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// The model that is observed.
    public let model: ModelID
    /// The key that is observed.
    public let keyPath: any AnyKeyPath & Sendable
    /// What the key is called.
    public var key: String { name ?? "\(keyPath)" }
    /// Who observes.
    public let observer: ObserverID
    let name: String?

    /// The entry on a line, such as `cell 4 observes \Canvas.cover of model 3`.
    public var description: String { "\(observer) observes \(key) of \(model)" }

    /// Whether model, key and observer are the same.
    public static func == (first: Entry, second: Entry) -> Bool {
      first.model == second.model && first.keyPath == second.keyPath && first.observer == second.observer
    }

    /// Hashes model, key and observer.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(model)
      hasher.combine(keyPath)
      hasher.combine(observer)
    }
  }

  /// The account at one moment.
  public struct Counts: Hashable, Sendable {
    /// How many registrations there were, those that are over included.
    public internal(set) var adds: Int
    /// How many are over.
    public internal(set) var removes: Int
    /// How many were there already and changed nothing.
    public internal(set) var repeatedAdds: Int
    /// How many removals found nothing to remove.
    public internal(set) var unmatchedRemovals: Int
    /// How many there are, as counted in the list; `adds - removes` at any moment.
    public internal(set) var live: Int

    /// Makes an account to compare with.
    public init(adds: Int = 0, removes: Int = 0, repeatedAdds: Int = 0, unmatchedRemovals: Int = 0) {
      self.adds = adds
      self.removes = removes
      self.repeatedAdds = repeatedAdds
      self.unmatchedRemovals = unmatchedRemovals
      live = adds - removes
    }
  }

  /// The ledger of the process.
  public static let shared = Ledger()

  /// Whether removing what is not there throws.
  public let isStrict: Bool
  private let state = Guarded(State())

  private struct State: Sendable {
    var entries: Set<Entry> = []
    var counts = Counts()
  }

  /// Makes an empty ledger.
  ///
  /// - Parameter isStrict: Whether removing what is not there throws, rather than only being counted.
  public init(isStrict: Bool = false) { self.isStrict = isStrict }

  /// The account now.
  public var counts: Counts { state.withLock { $0.counts } }

  /// All registrations there are, by model, observer and key.
  public var entries: [Entry] {
    let entries = state.withLock { $0.entries }
    return entries.sorted { ($0.model.order, $0.observer.order, $0.key) < ($1.model.order, $1.observer.order, $1.key) }
  }

  /// Adds the keys of one registration, all or none: none if one of them is there.
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

  /// Removes what was added.
  func removeListed(_ entries: Set<Entry>) {
    state.withLock { state in
      state.entries.subtract(entries)
      state.counts.removes += entries.count
      state.counts.live = state.entries.count
    }
  }

  /// Counts the removal of what is not there.
  func removeUnlisted(_ entry: Entry) throws(LedgerError) {
    state.withLock { $0.counts.unmatchedRemovals += 1 }
    guard isStrict else { return }
    throw .notRegistered(model: entry.model, key: entry.key, observer: entry.observer)
  }
}

/// What a strict ledger does not let pass.
public enum LedgerError: Error, Hashable, CustomStringConvertible {
  /// A removal without a registration.
  case notRegistered(model: ModelID, key: String, observer: ObserverID)

  /// What happened, for a person.
  public var description: String {
    switch self {
    case .notRegistered(let model, let key, let observer):
      "cannot remove \(observer) from \(key) of \(model): it is not registered there; add it first, or remove it once"
    }
  }
}
