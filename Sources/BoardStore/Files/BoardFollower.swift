package import CanvasModel

/// A notice from a ``BoardFollower``.
package enum BoardNotice: Sendable {
  /// A transaction that follows the previously reported one.
  case transaction(Transaction, board: Board)
  /// Steps were removed from the history, so that they cannot be undone or redone; nothing else has changed.
  case forgotten(Board)
  /// A board that the reported transactions do not lead to; following restarts from it.
  case fresh(Board)
  /// The board cannot be read; reported once until it can be read again.
  case unreadable(UnreadableBoard)
}

/// Follows a board's file while it is written, replaced, removed or created again.
///
/// It reads the file only on request; use `FolderWatch` to find out when to read it. A file that still has the same
/// content is not parsed again.
package struct BoardFollower: Sendable {
  private let file: BoardFile
  private var last: Last
  /// Why the last attempt to read the board failed; `nil` if it succeeded.
  package private(set) var problem: UnreadableBoard?

  /// The state after the last transaction that was reported.
  private enum Last: Sendable {
    /// Nothing has been reported.
    case nothing
    /// This revision, whose board has not been read.
    case revision(Int)
    case stored(BoardFile.Stored)

    var stored: BoardFile.Stored? {
      if case .stored(let stored) = self { stored } else { nil }
    }
  }

  /// Creates a follower of a board's file.
  ///
  /// - Parameters:
  ///   - file: The board's file.
  ///   - revision: The last known revision; `nil` to start with ``BoardNotice/fresh(_:)``.
  package init(_ file: BoardFile, since revision: Int?) {
    self.file = file
    last = revision.map { .revision($0) } ?? .nothing
  }

  /// Reads the file and returns what has changed since the last call, in chronological order.
  package mutating func look() -> [BoardNotice] {
    let known = last.stored
    do {
      return take(try file.readStored(orKnown: known))
    } catch {
      guard case .unreadable(let problem) = error, problem != self.problem else { return [] }
      self.problem = problem
      return [.unreadable(problem)]
    }
  }

  /// Changes the board as ``BoardFile/transact(lockTimeout:ifRevision:_:)`` does, and returns what has changed since the
  /// last call, including the change.
  package mutating func transact<Result>(
    lockTimeout: Duration,
    _ body: (inout Board) -> Result
  ) throws(BoardError) -> (result: Result, notices: [BoardNotice]) {
    let (result, old, new) = try file.transact(from: last.stored, lockTimeout: lockTimeout, body)
    return (result, take(old) + take(new, madeFrom: old))
  }

  /// - Parameter old: The last reported state, if the new one was made from it by this process.
  private mutating func take(_ new: BoardFile.Stored, madeFrom old: BoardFile.Stored? = nil) -> [BoardNotice] {
    problem = nil
    let (board, known) = (new.document.board, (old ?? last.stored)?.document.board)
    defer { last = .stored(new) }
    guard let transactions = following(new, madeFrom: old) else { return [.fresh(board)] }
    if transactions.isEmpty, let known, known.history != board.history { return [.forgotten(board)] }
    return transactions.map { .transaction($0, board: board) }
  }

  /// Returns the transactions from the last reported state to another, or `nil` if they do not lead to it.
  private func following(_ new: BoardFile.Stored, madeFrom old: BoardFile.Stored?) -> [Transaction]? {
    let board = new.document.board
    if let old { return board.history.transactions(after: old.document.board.revision, upTo: board.revision) }
    switch last {
    case .nothing: return nil
    case .revision(let revision): return board.history.transactions(after: revision, upTo: board.revision)
    case .stored(let earlier) where earlier.text.bytes == new.text.bytes: return []
    case .stored(let earlier):
      let earlier = earlier.document.board
      // Another board may have reached the same revisions, so the transactions must lead from one board to the other.
      guard let transactions = board.history.transactions(after: earlier.revision, upTo: board.revision),
        board.snapshot(before: transactions) == Snapshot(earlier)
      else { return nil }
      return transactions
    }
  }
}
