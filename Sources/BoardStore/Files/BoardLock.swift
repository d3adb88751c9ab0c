internal import Glibc
internal import SystemPackage

/// The right to write a board: a kernel lock on a file next to it, which is released however the process ends.
///
/// The file is never removed: a process waiting for a lock on a removed file would acquire it while another process
/// holds the lock on its replacement.
struct BoardLock: ~Copyable {
  private let file: FileDescriptor
  /// Whether the previous holder ended without releasing the lock.
  let wasAbandoned: Bool

  private static let shortestPause = 1_000.0
  private static let longestPause = 20_000.0

  /// Waits for the lock.
  ///
  /// - Parameters:
  ///   - board: The board. The lock file gets its owner, group and mode, if permitted.
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
      // Although lock files are never removed, another file has replaced this one.
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
      // The random pause keeps waiting processes from retrying at the same moment.
      usleep(useconds_t(pause * Double.random(in: 0.5...1.5)))
      pause = min(pause * 1.5, longestPause)
    }
  }

  /// Writes a note that identifies this holder to waiting processes; a read-only file is left without one.
  private borrowing func note() {
    // An earlier note may be longer.
    if wasAbandoned { _ = ftruncate(file.rawValue, 0) }
    _ = try? file.writeAll(toAbsoluteOffset: 0, LockNote().text.utf8)
  }
}
