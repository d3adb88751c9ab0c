public import Files
public import SystemPackage

/// Why a board's file cannot be read: four different things, and none of them is ever written over.
public enum UnreadableBoard: Error, Hashable, Sendable {
  case missing
  /// It has no bytes.
  case empty
  /// What is wrong, in words.
  case corrupt(String)
  /// Made by a newer version, of this schema.
  case newer(Int)
  /// What the system says.
  case denied(Errno)
}

/// Who has the board locked.
public struct LockHolder: Hashable, Sendable {
  /// Its process.
  public let processID: Int
  /// For how long, in seconds.
  public let seconds: Double
}

/// Why a file cannot be the lock of a board, although it has the lock's name.
public enum ForeignLock: Error, Hashable, Sendable {
  case symbolicLink
  /// A folder, a pipe, a device or a socket.
  case notRegular
  /// A hard link to it exists, so it may be a file of the user's.
  case hasOtherNames
  /// Its content is not a note of a holder.
  case hasOtherContent
}

/// Why something could not be done with a board's file.
public enum BoardError: Error, Hashable, Sendable {
  /// It cannot be read.
  case unreadable(UnreadableBoard)
  /// It exists already.
  case exists
  /// What stands in its place is never replaced.
  case refused(OutputRefusal)
  /// Somebody else has it locked; who, where that is known.
  case lockTimeout(LockHolder?)
  /// The lock exists, and this user may not open it.
  case lockDenied(FilePath)
  /// The file with the lock's name is not a lock; it was left untouched.
  case foreignLock(FilePath, ForeignLock)
  /// It has another revision than the one that was asked for.
  case conflict(revision: Int, wanted: Int)
  /// What was tried, on what, and what the system says; the old document is as it was.
  case failed(operation: String, path: FilePath, errno: Errno)
  /// It was changed, but this folder could not be synced: a power cut may bring the old document back.
  case unsynced(folder: FilePath, errno: Errno)
}
