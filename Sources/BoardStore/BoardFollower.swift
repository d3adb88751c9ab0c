public import CanvasModel

/// A notice from a ``BoardFollower``.
public enum BoardNotice: Sendable {
  /// A transaction that follows the previously reported one.
  case transaction(Transaction, board: Board)
  /// A board that the reported transactions do not lead to; following restarts from it.
  case fresh(Board)
  /// The board cannot be read; reported once until it can be read again.
  case unreadable(UnreadableBoard)
}

/// Follows a board's file while it is written, replaced, removed or created again.
///
/// It reads the file only on request; use `FolderWatch` to find out when to read it.
public struct BoardFollower: Sendable {
  private let file: BoardFile
  private var last: Last
  /// Why the last attempt to read the board failed; `nil` if it succeeded.
  public private(set) var problem: UnreadableBoard?

  /// The state up to which all transactions have been reported.
  private enum Last: Sendable {
    /// Nothing has been reported.
    case nothing
    /// This revision, whose board has not been read.
    case revision(Int)
    case board(Board)
  }

  /// Creates a follower of a board's file.
  ///
  /// - Parameters:
  ///   - file: The board's file.
  ///   - revision: The last known revision; `nil` to start with ``BoardNotice/fresh(_:)``.
  public init(_ file: BoardFile, since revision: Int?) {
    self.file = file
    last = revision.map { .revision($0) } ?? .nothing
  }

  /// Reads the file and returns what has changed since the last call, in chronological order.
  public mutating func look() -> [BoardNotice] {
    let board: Board
    do {
      board = try file.read().board
    } catch {
      guard case .unreadable(let problem) = error, problem != self.problem else { return [] }
      self.problem = problem
      return [.unreadable(problem)]
    }
    problem = nil
    defer { last = .board(board) }
    guard let transactions = following(board) else { return [.fresh(board)] }
    return transactions.map { .transaction($0, board: board) }
  }

  /// Returns the transactions from the last reported state to this board, or `nil` if they do not lead to it.
  private func following(_ board: Board) -> [Transaction]? {
    switch last {
    case .nothing: return nil
    case .revision(let revision): return board.history.transactions(after: revision, upTo: board.revision)
    case .board(let earlier):
      // Another board may have reached the same revisions, so the transactions must lead from one board to the other.
      guard let transactions = board.history.transactions(after: earlier.revision, upTo: board.revision),
        board.snapshot(before: transactions) == Snapshot(earlier)
      else { return nil }
      return transactions
    }
  }
}
