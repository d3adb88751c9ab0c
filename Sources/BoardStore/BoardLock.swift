internal import Glibc
internal import SystemPackage

/// The right to write a board: a kernel's lock on a file beside it, which ends with the process whatever happens to it.
///
/// The file is never removed: who waits for a lock on a removed file would have it beside somebody else.
struct BoardLock: ~Copyable {
  private let file: FileDescriptor
  /// Whether the holder before this one ended without letting go.
  let wasAbandoned: Bool

  private static let shortestPause = 1_000.0
  private static let longestPause = 20_000.0

  /// Waits for the lock.
  ///
  /// - Parameters:
  ///   - board: The board; the lock's file gets its owner, group and mode where this process may give them.
  ///   - timeout: How long to wait.
  init(of board: BoardFile, timeout: Duration) throws(BoardError) {
    let path = board.lockPath
    let deadline = ContinuousClock.now + timeout
    while true {
      let file = try LockFile.open(path)
      do throws(BoardError) {
        try Self.acquire(file, at: path, by: deadline)
        if try LockFile.isInPlace(file, at: path) {
          wasAbandoned = try LockFile.note(in: file, at: path) != nil
          LockFile.share(file, as: board.path)
          self.file = file
          note()
          return
        }
      } catch {
        try? file.close()
        throw error
      }
      // Another file has taken its place, against the rule.
      try? file.close()
    }
  }

  deinit {
    _ = ftruncate(file.rawValue, 0)
    try? file.close()
  }

  private static func acquire(
    _ file: FileDescriptor,
    at path: FilePath,
    by deadline: ContinuousClock.Instant
  ) throws(BoardError) {
    var pause = shortestPause
    while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
      let error = Errno(rawValue: errno)
      guard error == .wouldBlock || error == .interrupted else {
        throw .failed(operation: "lock", path: path, errno: error)
      }
      guard ContinuousClock.now < deadline else {
        throw .lockTimeout(try LockFile.note(in: file, at: path)?.holder)
      }
      // Many who wait are kept from coming at the same moments.
      usleep(useconds_t(pause * Double.random(in: 0.5...1.5)))
      pause = min(pause * 1.5, longestPause)
    }
  }

  /// Names the holder to those who wait; a file that may only be read stays without a note.
  private borrowing func note() {
    // An earlier note may be longer.
    if wasAbandoned { _ = ftruncate(file.rawValue, 0) }
    _ = try? file.writeAll(toAbsoluteOffset: 0, LockNote().text.utf8)
  }
}
