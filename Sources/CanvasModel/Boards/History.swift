/// One revision of a board: what was done, and what changed.
package struct Transaction: Hashable, Sendable {
  /// The kind of a transaction.
  package enum Kind: Hashable, Sendable {
    /// Events from a person or a recorder.
    case step([EventName])
    /// Only events about covers, which do not count as an undo step.
    case answers([EventName])
    /// An undo of the step that started with the given revision.
    case undo(Int)
    /// A redo of the step that started with the given revision.
    case redo(Int)

    /// The names of the events; empty for an undo or redo.
    package var names: [EventName] {
      switch self {
      case .step(let names), .answers(let names): names
      case .undo, .redo: []
      }
    }

    /// Whether the transaction only concerns covers, so that it takes no room among the steps.
    var isAnswers: Bool {
      switch self {
      case .answers: true
      case .step, .undo, .redo: false
      }
    }
  }

  /// The revision that the transaction created.
  package let revision: Int
  /// The time of the transaction.
  package let at: Instant
  /// What was done.
  package let kind: Kind
  /// Whether a recording was open after the transaction.
  package let isLocked: Bool
  /// The changes, in the order they are reported; a changed order of canvases is stored as positions.
  package let changes: [Change]
  /// The events with their arguments; empty for an undo or redo, and where only their names are known.
  package let events: [Event]
  /// The covers, before and after the transaction, of canvases whose clip changed while their cover did not.
  ///
  /// They are stored when the answers that they followed from are removed from the history.
  package internal(set) var covers: [CanvasID: Cover]

  /// The keys of a canvas that the transaction changed.
  fileprivate func keys(of canvas: CanvasID) -> Set<Key> { Set(changes.lazy.filter { $0.canvas == canvas }.map(\.key)) }

  /// The transaction with fewer details of its events, if all of them would displace many older steps.
  ///
  /// The arguments of the events are left out first, then names that repeat the one before, then the last names.
  var condensed: Transaction {
    guard Size.ofEvents(self) > History.maximumEventBytes else { return self }
    let short = Transaction(revision, at, kind, isLocked, changes)
    guard Size.ofEvents(short) > History.maximumEventBytes else { return short }
    let names: [EventName] = kind.names.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    let kept = Array(names.prefix(History.maximumTransactions))
    return Transaction(revision, at, kind.isAnswers ? .answers(kept) : .step(kept), isLocked, changes)
  }

  private init(_ revision: Int, _ at: Instant, _ kind: Kind, _ isLocked: Bool, _ changes: [Change]) {
    self.init(revision: revision, at: at, kind: kind, isLocked: isLocked, changes: changes)
  }

  /// Whether a recording was open before the transaction.
  var wasLocked: Bool {
    for change in changes {
      if case .session(let session) = change.old { return session.isLocked }
    }
    return isLocked
  }

  /// Creates a transaction.
  package init(
    revision: Int,
    at: Instant,
    kind: Kind,
    isLocked: Bool,
    changes: [Change],
    events: [Event] = [],
    covers: [CanvasID: Cover] = [:]
  ) {
    (self.revision, self.at, self.kind, self.isLocked, self.changes) = (revision, at, kind, isLocked, changes)
    (self.events, self.covers) = (events, covers)
  }
}

/// The newest transactions of a board, oldest first.
///
/// It is bounded in number and in size. Answers about covers have a separate bound, and do not displace steps.
package struct History: Hashable, Sendable {
  /// The number of steps, undos and redos that are kept.
  package static let maximumTransactions = 100
  /// The number of answers about covers that are kept, for readers that follow a board.
  package static let maximumAnswers = 100
  /// The size of a history in the board's document, in bytes: an estimate that is never below the real size.
  package static let maximumBytes = 8 << 20

  /// The size of the events of a transaction beyond which fewer of their details are kept, in bytes.
  static let maximumEventBytes = maximumBytes / 8

  /// The transactions, oldest first.
  package private(set) var transactions: [Transaction]
  /// The estimated size of each transaction.
  private var sizes: [Int]

  /// Creates a history with the newest of some transactions.
  ///
  /// - Parameter transactions: The transactions, oldest first.
  package init(_ transactions: [Transaction] = []) {
    self.transactions = transactions
    sizes = transactions.map { Size.of($0) }
    trim(to: Self.maximumBytes)
  }

  /// Adds a transaction.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - bytes: The maximum size of the history.
  mutating func add(_ transaction: Transaction, within bytes: Int) {
    transactions.append(transaction)
    sizes.append(Size.of(transaction))
    trim(to: bytes)
  }

  /// The estimated size in the board's document, in bytes.
  package var bytes: Int { sizes.reduce(0, +) }

  /// Removes the oldest transactions until the size is at most this many bytes.
  mutating func trim(to maximum: Int) {
    var (steps, size) = (transactions.count { !$0.kind.isAnswers }, bytes)
    var excess = 0
    while excess < transactions.count, steps > Self.maximumTransactions || size > min(maximum, Self.maximumBytes) {
      if !transactions[excess].kind.isAnswers { steps -= 1 }
      size -= sizes[excess]
      excess += 1
    }
    transactions.removeFirst(excess)
    sizes.removeFirst(excess)
    for _ in 0..<max(0, transactions.count - steps - Self.maximumAnswers) { removeOldestAnswers() }
  }

  /// Removes the oldest answers about covers.
  ///
  /// The cover before the answers is kept with the transaction that set the clip: undo needs the
  /// last cover of each clip.
  private mutating func removeOldestAnswers() {
    guard let index = transactions.firstIndex(where: \.kind.isAnswers) else { return }
    for change in transactions[index].changes {
      guard let canvas = change.canvas, case .cover(let cover) = change.old else { continue }
      let before = transactions[..<index].lastIndex { !$0.keys(of: canvas).isDisjoint(with: [.clip, .cover]) }
      guard let before, !transactions[before].keys(of: canvas).contains(.cover),
        transactions[before].covers[canvas] == nil
      else { continue }
      transactions[before].covers[canvas] = cover
      sizes[before] = Size.of(transactions[before])
    }
    transactions.remove(at: index)
    sizes.remove(at: index)
  }

  /// A unit of undo: one transaction, or all transactions of one take and the previews that led to it.
  struct Step {
    /// The revision of the transaction, or of the start of the take, which identifies the step in an undo.
    let name: Int
    /// The changes of each transaction, in the order they were made.
    var changes: [[Change]]

    /// The canvases that the step moved.
    var moved: Set<CanvasID> { Set(changes.joined().lazy.filter { $0.key == .position }.compactMap(\.canvas)) }

    /// Whether the board is the same after the step as before, for example after a discarded take.
    ///
    /// Covers are ignored: changes of covers alone are not a step, and a changed clip is detected anyway.
    var isEmpty: Bool {
      var firsts: [Place: Value] = [:]
      var lasts: [Place: Value] = [:]
      for change in changes.joined() where change.key != .cover {
        let place = Place(canvas: change.canvas, key: change.key, take: change.takePath)
        firsts[place] = firsts[place] ?? change.old
        lasts[place] = change.new
      }
      return firsts == lasts
    }

    /// Whether the step changed only which canvas is selected or in preview.
    fileprivate var isOfFocus: Bool {
      changes.joined().allSatisfy { [.isSelected, .status, .session].contains($0.key) }
    }

    private struct Place: Hashable {
      let canvas: CanvasID?
      let key: Key
      let take: String?
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
        // The rest of a take whose start has left the history: part of a take is not a step.
        if open == nil, transaction.wasLocked { continue }
        var step = open.take() ?? Step(name: transaction.revision, changes: [])
        step.changes.append(transaction.changes)
        if transaction.isLocked {
          open = step
        } else if !step.isEmpty {
          if transaction.kind.names.contains(.takeFinished) {
            step.changes = Self.removePreviews(from: &done) + step.changes
          }
          done.append(step)
          undone = []
        }
      case .undo(let name):
        // The step may no longer be in the history; in that case it is not in `done`.
        if done.last?.name == name { done.removeLast() }
        undone.append(Step(name: name, changes: [transaction.changes]))
      case .redo(let name):
        if undone.last?.name == name { undone.removeLast() }
        done.append(Step(name: name, changes: [transaction.changes]))
      }
    }
    return (done, undone)
  }

  /// Removes the newest steps that only opened, moved or closed the preview, and returns their changes.
  ///
  /// They become part of the take that they led to, so that undoing the take opens no preview.
  private static func removePreviews(from steps: inout [Step]) -> [[Change]] {
    let first = (steps.lastIndex { !$0.isOfFocus } ?? -1) + 1
    defer { steps.removeSubrange(first...) }
    return steps[first...].flatMap(\.changes)
  }
}

extension History {
  /// Returns the transactions after one revision up to and including another; `nil` unless all of them are available.
  package func transactions(after first: Int, upTo last: Int) -> [Transaction]? {
    guard first <= last else { return nil }
    let wanted = transactions.filter { $0.revision > first && $0.revision <= last }
    return wanted.map(\.revision).elementsEqual(first + 1..<last + 1) ? wanted : nil
  }
}
