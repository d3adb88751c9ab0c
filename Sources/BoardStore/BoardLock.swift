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
  private static let mostRecordBytes = 256

  /// Waits for the lock.
  ///
  /// - Parameters:
  ///   - path: The file, which is made when it is missing.
  ///   - timeout: How long to wait.
  init(at path: FilePath, timeout: Duration) throws(BoardError) {
    let deadline = ContinuousClock.now + timeout
    while true {
      let file = try Self.open(path)
      if try Self.acquire(file, at: path, by: deadline) {
        self.file = file
        wasAbandoned = !Self.record(in: file).isEmpty
        note()
        return
      }
      // Somebody has put another file in its place, against the rule.
      try? file.close()
    }
  }

  deinit {
    _ = ftruncate(file.rawValue, 0)
    try? file.close()
  }

  private static func open(_ path: FilePath) throws(BoardError) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        path,
        .readWrite,
        options: [.create, .noFollow, .closeOnExec],
        permissions: .ownerReadWrite
      )
    } catch {
      throw .failed(operation: "open the lock", path: path, errno: error as? Errno ?? .ioError)
    }
  }

  /// False when the file that was locked is no longer the one of that name.
  private static func acquire(
    _ file: FileDescriptor,
    at path: FilePath,
    by deadline: ContinuousClock.Instant
  ) throws(BoardError) -> Bool {
    var pause = shortestPause
    while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
      let error = Errno(rawValue: errno)
      guard error == .wouldBlock || error == .interrupted else {
        try? file.close()
        throw .failed(operation: "lock", path: path, errno: error)
      }
      guard ContinuousClock.now < deadline else {
        let holder = holder(of: file)
        try? file.close()
        throw .lockTimeout(holder)
      }
      // Many who wait are kept from coming at the same moments.
      usleep(useconds_t(pause * Double.random(in: 0.5...1.5)))
      pause = min(pause * 1.5, longestPause)
    }
    var (locked, named) = (stat(), stat())
    return fstat(file.rawValue, &locked) == 0 && path.withPlatformString { stat($0, &named) } == 0
      && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev
  }

  /// Tells those who wait who has the lock and since when.
  private borrowing func note() {
    _ = try? file.writeAll(toAbsoluteOffset: 0, "\(getpid()) \(time(nil))\n".utf8)
  }

  private static func record(in file: FileDescriptor) -> String {
    let bytes = try? [UInt8](unsafeUninitializedCapacity: mostRecordBytes) { buffer, count in
      count = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  private static func holder(of file: FileDescriptor) -> LockHolder? {
    let words = record(in: file).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let processID = Int(words[0]), let start = Int(words[1]) else { return nil }
    return LockHolder(processID: processID, seconds: Double(max(0, time(nil) - start)))
  }
}
