internal import BoardStore
internal import Files
internal import SystemPackage

/// Why a board was not read or not changed.
public struct BoardError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause of an error.
  ///
  /// The names do not change between versions.
  public enum Cause: String, Sendable, CaseIterable {
    /// The file does not exist.
    case missing
    /// The path names something else than a regular file.
    case notFile
    /// The file is empty.
    case empty
    /// The content is not that of a board. `clipcanvas board repair` recovers what it can.
    case corrupt
    /// The board was written by a newer version.
    case newer
    /// The file or its lock cannot be opened.
    case denied
    /// A file is in the way of a new board.
    case exists
    /// Another process has held the lock for too long.
    case lockTimeout
    /// The board would become larger than 32 MiB.
    case tooLarge
    /// The system refused to write.
    case failed
    /// The board was changed, but may return to its old state after a power failure.
    case unsynced
    /// An event cannot be expressed: an ID or a path in it is empty.
    case invalidEvent
  }

  /// The cause.
  public let cause: Cause
  /// The reason for people, without the path of the board.
  public let message: String

  /// The reason.
  public var description: String { message }

  init(_ cause: Cause, _ message: String) { (self.cause, self.message) = (cause, message) }

  init(_ problem: UnreadableBoard) {
    switch problem {
    case .missing: self.init(.missing, "the board does not exist")
    case .notFile: self.init(.notFile, "the board is not a regular file")
    case .empty: self.init(.empty, "the board is empty (0 bytes)")
    case .corrupt(let what): self.init(.corrupt, "the board cannot be read: \(what)")
    case .foreign(.gzip): self.init(.corrupt, "the board is compressed with gzip")
    case .foreign(.markup): self.init(.corrupt, "the board is an HTML or XML document")
    case .newer(let version): self.init(.newer, "the board was written by a newer version (schema \(version))")
    case .denied(let error): self.init(.denied, "the board cannot be read: \(error.message)")
    }
  }

  init(_ error: BoardStore.BoardError) {
    switch error {
    case .unreadable(let problem): self.init(problem)
    case .refused, .notBoard, .exists: self.init(.exists, "another file is in the way of the board")
    case .lockTimeout: self.init(.lockTimeout, "another process is changing the board")
    case .lockDenied(let path): self.init(.denied, "the lock \(path.displayText) cannot be opened: permission denied")
    case .foreignLock(let path, _): self.init(.denied, "\(path.displayText) is not the lock of the board")
    // Only for a revision that was asked for, which this module does not do.
    case .conflict(let revision, let wanted):
      self.init(.failed, "the board has revision \(revision), not \(wanted)")
    case .tooLarge: self.init(.tooLarge, "the board would become larger than \(BoardDocument.maximumBytes >> 20) MiB")
    case .failed(let operation, let path, let error):
      self.init(.failed, "cannot \(operation) \(path.displayText): \(error.message)")
    case .unsynced(let folder, let error):
      self.init(.unsynced, "the board was changed, but \(folder.displayText) cannot be synced: \(error.message)")
    }
  }
}
