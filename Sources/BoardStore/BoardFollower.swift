public import CanvasModel

/// What somebody who follows a board is told.
public enum BoardNotice: Sendable {
  /// A transaction that follows the one told before.
  case transaction(Transaction, board: Board)
  /// The board is another one than what was told leads to: it starts over with this.
  case fresh(Board)
  /// The board cannot be read now; told once until it can be again.
  case unreadable(UnreadableBoard)
}

/// Follows a board's file through everything that happens to it: writes, replacing, removing, making anew.
///
/// It reads the file when it is asked to; ``FolderWatch`` tells when that is worth it.
public struct BoardFollower: Sendable {
  private let file: BoardFile
  private var last: Last
  private var problem: UnreadableBoard?

  /// Up to where everything has been told.
  private enum Last: Sendable {
    /// Nothing has.
    case nothing
    /// The transaction of this revision, which was not seen itself.
    case revision(Int)
    case board(Board)
  }

  /// - Parameters:
  ///   - file: The board.
  ///   - revision: The last one that is known; `nil` for none, which starts with ``BoardNotice/fresh(_:)``.
  public init(_ file: BoardFile, since revision: Int?) {
    self.file = file
    last = revision.map { .revision($0) } ?? .nothing
  }

  /// Looks at the file and tells what has come since the last look, in the order in which it came.
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

  /// The transactions from the last one told to this board; `nil` when they do not lead there.
  private func following(_ board: Board) -> [Transaction]? {
    switch last {
    case .nothing: return nil
    case .revision(let revision): return board.history.transactions(after: revision, upTo: board.revision)
    case .board(let earlier):
      // Another board may have reached the same revisions: only what leads from one to the other counts.
      guard let transactions = board.history.transactions(after: earlier.revision, upTo: board.revision),
        board.snapshot(before: transactions) == Snapshot(earlier)
      else { return nil }
      return transactions
    }
  }
}
