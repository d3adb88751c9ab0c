internal import BoardStore
internal import CanvasModel
internal import Dispatch
internal import Files
internal import Synchronization
internal import SystemPackage

/// A board, and then each change of it in the order of its revisions, until the task is cancelled.
///
/// The file is read when the next update is asked for, so nothing accumulates for a slow consumer. What it missed is
/// taken from the history of the board; if the history is too short, the whole board follows.
public struct BoardUpdates: AsyncSequence, Sendable {
  /// What is new.
  public enum Element: Sendable {
    /// The whole board: at the start, after it was created again, and when changes were missed.
    case board(BoardState)
    /// The changes of one transaction, and the newest board.
    case changes([BoardChange], revision: Int, board: BoardState)
    /// The board cannot be read; reported once until it can be read again.
    case unreadable(BoardError)
  }

  /// The iterator of the updates.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let file: BoardFile
    private var following: Following?

    init(_ board: ClipBoard) { file = board.file }

    /// Waits for the next update.
    ///
    /// Returns `nil` if the task is cancelled.
    ///
    /// - Throws: ``BoardError`` with the cause ``BoardError/Cause/failed`` if the process has no descriptors left.
    public mutating func next() async throws(BoardError) -> Element? {
      if let following { return await following.next() }
      do throws(Errno) {
        let following = Following(file, try Wakeup())
        self.following = following
        return await following.next()
      } catch {
        throw BoardError(.failed, "cannot wait for changes: \(error)")
      }
    }
  }

  let board: ClipBoard

  /// Creates the iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(board) }
}

/// The reading of a board for one consumer.
final class Following: Sendable {
  private struct State: ~Copyable {
    var follower: BoardFollower
    var watch: RenewedWatch
    /// Updates that were read and not yet asked for, oldest first.
    var pending: [BoardUpdates.Element] = []
  }

  private let queue = DispatchQueue(label: "clipcanvas.updates")
  private let wakeup: Wakeup
  private let isCancelled = Atomic(false)
  private let state: Mutex<State>

  init(_ file: BoardFile, _ wakeup: Wakeup) {
    self.wakeup = wakeup
    state = Mutex(State(follower: BoardFollower(file, since: nil), watch: RenewedWatch(file.folder)))
  }

  /// Waits for the next update on the queue of this object.
  func next() async -> BoardUpdates.Element? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        queue.async { done.resume(returning: self.waitForNext()) }
      }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
      wakeup.signal()
    }
  }

  private func waitForNext() -> BoardUpdates.Element? {
    state.withLock { state in
      while !isCancelled.load(ordering: .relaxed) {
        if !state.pending.isEmpty { return state.pending.removeFirst() }
        // The watch starts before the file is read, so that no change in between is missed.
        let folder = try? state.watch.start()
        state.pending = state.follower.look().compactMap(BoardUpdates.Element.init)
        guard state.pending.isEmpty else { continue }
        wakeup.wait(or: folder.map { [$0] } ?? [], timeout: folder == nil ? RenewedWatch.pollingInterval : nil)
        try? state.watch.takeChanges()
      }
      return nil
    }
  }
}

extension BoardUpdates.Element {
  init?(_ notice: BoardNotice) {
    switch notice {
    case .forgotten: return nil
    case .fresh(let board): self = .board(BoardState(board))
    case .transaction(let transaction, let board):
      self = .changes(
        transaction.changes.map(BoardChange.init),
        revision: transaction.revision,
        board: BoardState(board)
      )
    case .unreadable(let problem): self = .unreadable(BoardError(problem))
    }
  }
}
