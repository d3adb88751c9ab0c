/// One revision of a board: what was done, and what changed.
public struct Transaction: Hashable, Sendable {
  /// The kind of a transaction.
  public enum Kind: Hashable, Sendable {
    /// Events from a person or a recorder.
    case step([EventName])
    /// Only events about covers, which do not count as an undo step.
    case answers([EventName])
    /// An undo of the step that started with the given revision.
    case undo(Int)
    /// A redo of the step that started with the given revision.
    case redo(Int)
  }

  /// The revision that the transaction created.
  public let revision: Int
  /// The time of the transaction.
  public let at: Instant
  /// What was done.
  public let kind: Kind
  /// Whether a recording was open after the transaction.
  public let isLocked: Bool
  /// The changes, in the order in which they are reported.
  public let changes: [Change]

  /// Whether a recording was open before the transaction.
  var wasLocked: Bool {
    for change in changes {
      if case .session(let session) = change.old { return session.isLocked }
    }
    return isLocked
  }

  /// Creates a transaction.
  public init(revision: Int, at: Instant, kind: Kind, isLocked: Bool, changes: [Change]) {
    (self.revision, self.at, self.kind, self.isLocked, self.changes) = (revision, at, kind, isLocked, changes)
  }
}

/// The newest transactions of a board, oldest first.
public struct History: Hashable, Sendable {
  /// The number of transactions that are kept.
  public static let maximumTransactions = 100

  /// The transactions, oldest first.
  public private(set) var transactions: [Transaction]

  /// Creates a history with at most the newest ``maximumTransactions`` transactions.
  ///
  /// - Parameter transactions: The transactions, oldest first.
  public init(_ transactions: [Transaction] = []) {
    self.transactions = transactions.suffix(Self.maximumTransactions)
  }

  mutating func add(_ transaction: Transaction) {
    self = History(transactions + [transaction])
  }

  /// A unit of undo: one transaction, or all transactions of one take.
  struct Step {
    /// The revision that the step started with, which identifies it in an undo.
    let name: Int
    /// The changes, in the order in which they were made.
    var changes: [Change]

    /// Whether the board is the same after the step as before, for example after a discarded take.
    ///
    /// Covers are ignored: changes of covers alone are not a step, and a changed clip is detected anyway.
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

  /// The steps that can be undone and those that can be redone; in each list, the next one is last.
  var steps: (done: [Step], undone: [Step]) {
    var done: [Step] = []
    var undone: [Step] = []
    var open: Step?
    for transaction in transactions {
      switch transaction.kind {
      case .answers: break
      case .step:
        // The rest of a take whose start is no longer in the history: part of a take is not a step.
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
        // The step may no longer be in the history; in that case it is not in `done`.
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
  /// Returns the transactions after one revision up to and including another; `nil` unless all of them are available.
  public func transactions(after first: Int, upTo last: Int) -> [Transaction]? {
    guard first <= last else { return nil }
    let wanted = transactions.filter { $0.revision > first && $0.revision <= last }
    return wanted.map(\.revision).elementsEqual(first + 1..<last + 1) ? wanted : nil
  }
}
