package import Files
package import SystemPackage

/// Why a board's file cannot be read; no change of the board overwrites such a file.
package enum UnreadableBoard: Error, Hashable, Sendable {
  case missing
  /// The path is that of a folder, pipe, device or socket, or of a link to nothing.
  case notFile
  /// The file has no bytes.
  case empty
  /// The file is damaged; the value describes the problem.
  case corrupt(String)
  /// The file has another format, so it cannot be repaired.
  case foreign(ForeignFormat)
  /// The file was written by a newer version, with this schema version.
  case newer(Int)
  /// The file cannot be opened or read; the value is the system's error.
  case denied(Errno)
}

/// A format of files that take a board's place by mistake.
package enum ForeignFormat: Hashable, Sendable {
  /// Data compressed with gzip.
  case gzip
  /// An HTML or XML document, such as the error page of a server.
  case markup
}

/// The process that holds a board's lock.
package struct LockHolder: Hashable, Sendable {
  /// The process ID.
  package let processID: Int
  /// How long the process has held the lock, in seconds.
  package let seconds: Double
}

/// Why a file with the name of a board's lock is not that lock.
package enum ForeignLock: Error, Hashable, Sendable {
  case symbolicLink
  /// The file is a folder, pipe, device or socket.
  case notRegular
  /// The file has another hard link, so it may belong to the user.
  case hasOtherNames
  /// The content of the file is not a lock holder's note.
  case hasOtherContent
}

/// An error of an operation on a board's file.
package enum BoardError: Error, Hashable, Sendable {
  /// The file cannot be read.
  case unreadable(UnreadableBoard)
  /// The file already exists.
  case exists
  /// The file exists and cannot have been a board, so it is never replaced.
  case notBoard
  /// The path is occupied by something that is never replaced.
  case refused(OutputRefusal)
  /// Another process holds the lock; the value is the holder, if known.
  case lockTimeout(LockHolder?)
  /// The lock file exists, but this user may not open it.
  case lockDenied(FilePath)
  /// The file with the lock's name is not a lock; it was left unchanged.
  case foreignLock(FilePath, ForeignLock)
  /// The board's revision is not the required one.
  case conflict(revision: Int, wanted: Int)
  /// The document would be larger than ``BoardDocument/maximumBytes``; nothing was changed.
  case tooLarge
  /// An operation failed; the old document is unchanged.
  case failed(operation: String, path: FilePath, errno: Errno)
  /// The board was changed, but its folder could not be synced: a power failure may restore the old document.
  case unsynced(folder: FilePath, errno: Errno)
}
