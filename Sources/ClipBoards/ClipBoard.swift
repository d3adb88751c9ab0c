internal import BoardStore
internal import CanvasModel
internal import Dispatch
internal import SystemPackage

/// A board of canvases in a file that any number of programs read and change at the same time.
///
/// Nothing is kept in memory: each call reads the file. Calls wait for the disk and for other writers on a thread of
/// their own.
public struct ClipBoard: Sendable {
  /// The path of the file.
  public let path: String

  var file: BoardFile { BoardFile(at: FilePath(path)) }

  /// Creates a reference to a board, without reading it.
  public init(_ path: String) { self.path = path }

  /// Writes a new board, whose canvases are a grid and have the IDs `c1`, `c2` and so on.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - columns: The number of columns, at least 1.
  ///   - rows: The number of rows, at least 1; with at most 10,000 canvases in all.
  /// - Returns: The board.
  /// - Throws: ``BoardError``; with the cause ``BoardError/Cause/exists``, nothing was written.
  @discardableResult
  public static func create(_ path: String, columns: Int, rows: Int) async throws(BoardError) -> ClipBoard {
    let (sides, maximum) = (1...Layout.maximumRegions, Layout.maximumRegions)
    guard sides.contains(columns), sides.contains(rows), columns * rows <= maximum else {
      throw BoardError(.invalidEvent, "a new board has 1…\(maximum) canvases, not \(columns)×\(rows)")
    }
    let board = ClipBoard(path)
    try await board.onThread { file throws(BoardStore.BoardError) in
      try file.create(Board(columns: columns, rows: rows))
    }
    return board
  }

  /// Reads the board.
  public func read() async throws(BoardError) -> BoardState {
    try await onThread { file throws(BoardStore.BoardError) in BoardState(try file.read().board) }
  }

  /// Sends an event to the board.
  ///
  /// When this returns, the change is on disk.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - time: When it happens, in seconds since 1970; `nil` for now.
  ///   - lockTimeout: How long to wait for another writer.
  /// - Throws: ``BoardError``; nothing was changed then, except with the cause ``BoardError/Cause/unsynced``.
  @discardableResult
  public func send(
    _ event: BoardEvent,
    at time: Double? = nil,
    lockTimeout: Duration = .seconds(5)
  ) async throws(BoardError) -> BoardOutcome {
    try await send([event], at: time, lockTimeout: lockTimeout).outcome
  }

  /// Sends events to the board in one transaction, which is one step for undo.
  ///
  /// If one is refused, none has an effect.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - time: When they happen, in seconds since 1970; `nil` for now.
  ///   - lockTimeout: How long to wait for another writer.
  /// - Returns: The outcome of all events, and the index of the refused event.
  /// - Throws: ``BoardError``; nothing was changed then, except with the cause ``BoardError/Cause/unsynced``.
  @discardableResult
  public func send(
    _ events: [BoardEvent],
    at time: Double? = nil,
    lockTimeout: Duration = .seconds(5)
  ) async throws(BoardError) -> (outcome: BoardOutcome, refusedIndex: Int?) {
    guard let instant = time.map(Instant.init(secondsSince1970:)) ?? Instant.now else {
      throw BoardError(.invalidEvent, "the time of the event is not a number")
    }
    var steps: [(event: Event, at: Instant)] = []
    for event in events { steps.append((try event.event(), instant)) }
    let all = steps
    let result = try await onThread { file throws(BoardStore.BoardError) in
      try file.transact(lockTimeout: lockTimeout) { board in board.apply(all) }
    }
    return (BoardOutcome(result.outcome), result.index)
  }

  /// The board, and then each change of it, whichever program makes it, until the task is cancelled.
  public var updates: BoardUpdates { BoardUpdates(board: self) }

  /// Does work that may wait for the disk or a lock.
  private func onThread<Value: Sendable>(
    _ work: @escaping @Sendable (BoardFile) throws(BoardStore.BoardError) -> Value
  ) async throws(BoardError) -> Value {
    let file = file
    let result = await withCheckedContinuation { (done: CheckedContinuation<Result<Value, BoardError>, Never>) in
      DispatchQueue.global().async {
        let result = Result { () throws(BoardStore.BoardError) in try work(file) }
        done.resume(returning: result.mapError(BoardError.init))
      }
    }
    return try result.get()
  }
}
