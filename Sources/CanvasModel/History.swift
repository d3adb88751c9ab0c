/// One revision of a board: what was done, and what it changed.
public struct Transaction: Hashable, Sendable {
  /// What was done.
  public enum Kind: Hashable, Sendable {
    /// By a person or a recorder.
    case step([EventName])
    /// By the makers of covers alone; no step of its own.
    case answers([EventName])
    /// The step that started with this revision was taken back.
    case undo(Int)
    /// The step that started with this revision was done again.
    case redo(Int)
  }

  /// The revision it made.
  public let revision: Int
  /// When.
  public let at: Instant
  /// What was done.
  public let kind: Kind
  /// Whether a recording was open after it.
  public let isLocked: Bool
  /// In the order in which they are told.
  public let changes: [Change]

  /// Whether a recording was open before it.
  var wasLocked: Bool {
    for change in changes {
      if case .session(let session) = change.old { return session.isLocked }
    }
    return isLocked
  }

  /// Makes one of its parts.
  public init(revision: Int, at: Instant, kind: Kind, isLocked: Bool, changes: [Change]) {
    (self.revision, self.at, self.kind, self.isLocked, self.changes) = (revision, at, kind, isLocked, changes)
  }
}

/// The newest transactions of a board, oldest first.
public struct History: Hashable, Sendable {
  /// How many are kept.
  public static let mostTransactions = 100

  /// Oldest first.
  public private(set) var transactions: [Transaction]

  /// A history, of which the newest ``mostTransactions`` are kept.
  ///
  /// - Parameter transactions: Oldest first.
  public init(_ transactions: [Transaction] = []) {
    self.transactions = transactions.suffix(Self.mostTransactions)
  }

  mutating func add(_ transaction: Transaction) {
    transactions.append(transaction)
    if transactions.count > Self.mostTransactions {
      transactions.removeFirst(transactions.count - Self.mostTransactions)
    }
  }

  /// What a person did in one go: one transaction, or all those of one take.
  struct Step {
    /// The revision it started with, by which an undo names it.
    let name: Int
    /// In the order in which they were made.
    var changes: [Change]

    /// Whether the board is the same after it as before, as after a take that was discarded.
    ///
    /// Covers do not count: alone they are no step, and a clip that changed shows by itself.
    var isEmpty: Bool {
      var firsts: [Place: Value] = [:]
      var lasts: [Place: Value] = [:]
      for change in changes where change.key != .cover {
        let place = Place(canvas: change.canvas, key: change.key)
        firsts[place] = firsts[place] ?? change.old
        lasts[place] = change.new
      }
      return firsts == lasts
    }

    private struct Place: Hashable {
      let canvas: CanvasID?
      let key: Key
    }
  }

  /// The steps that can be taken back and those that can be done again, the next one last.
  var steps: (done: [Step], undone: [Step]) {
    var done: [Step] = []
    var undone: [Step] = []
    var open: Step?
    for transaction in transactions {
      switch transaction.kind {
      case .answers: break
      case .step:
        // The rest of a take whose start is older than the history: half a take is no step.
        if open == nil, transaction.wasLocked { continue }
        var step = open.take() ?? Step(name: transaction.revision, changes: [])
        step.changes += transaction.changes
        if transaction.isLocked {
          open = step
        } else if !step.isEmpty {
          done.append(step)
          undone = []
        }
      case .undo(let name):
        // Its step may be older than the history by now; then it is not among those that are done.
        if done.last?.name == name { done.removeLast() }
        undone.append(Step(name: name, changes: transaction.changes))
      case .redo(let name):
        if undone.last?.name == name { undone.removeLast() }
        done.append(Step(name: name, changes: transaction.changes))
      }
    }
    return (done, undone)
  }
}

extension History {
  /// The transactions of the revisions after one up to another; `nil` unless all of them are here.
  public func transactions(after first: Int, upTo last: Int) -> [Transaction]? {
    guard first <= last else { return nil }
    let wanted = transactions.filter { $0.revision > first && $0.revision <= last }
    return wanted.map(\.revision).elementsEqual(first + 1..<last + 1) ? wanted : nil
  }
}
