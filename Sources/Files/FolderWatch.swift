internal import Glibc
public import SystemPackage

/// Waits for changes in a folder.
///
/// It watches the folder rather than a file in it, because replacing a file creates a different file.
public struct FolderWatch: ~Copyable {
  /// Why a wait ended.
  public enum Event: Sendable {
    /// Something in the folder has changed since the last wait.
    case somethingHappened
    case timeIsOver
    /// The folder was removed or moved; a folder that replaces it needs a new watch.
    case folderIsGone
  }

  private let events: FileDescriptor

  /// A descriptor that becomes readable when something has changed, for use with `poll`; ``wait(_:)`` then consumes the
  /// events.
  public var descriptor: FileDescriptor { events }

  private static let interesting = [
    IN_CREATE, IN_CLOSE_WRITE, IN_MOVED_TO, IN_MOVED_FROM, IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF,
  ].reduce(0) { $0 | UInt32($1) }

  /// Starts watching a folder; no later change is missed.
  ///
  /// - Throws: The error of a failed system call.
  public init(_ folder: FilePath) throws(Errno) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    guard folder.withPlatformString({ inotify_add_watch(descriptor, $0, Self.interesting) }) >= 0 else {
      let error = Errno(rawValue: errno)
      close(descriptor)
      throw error
    }
    events = FileDescriptor(rawValue: descriptor)
  }

  deinit {
    try? events.close()
  }

  /// Waits until something has changed since the last call.
  ///
  /// - Parameter timeout: How long to wait; `nil` to wait indefinitely.
  /// - Throws: The error of a failed system call, except for an interruption by a signal.
  public borrowing func wait(_ timeout: Duration? = nil) throws(Errno) -> Event {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      var input = pollfd(fd: events.rawValue, events: Int16(POLLIN), revents: 0)
      let rest = deadline.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) }
      let milliseconds = rest.map { Int32(clamping: Int(max(0, min($0, 1e9)).rounded(.up))) } ?? -1
      switch poll(&input, 1, milliseconds) {
      case 0: return .timeIsOver
      case 1...: return drain() ? .folderIsGone : .somethingHappened
      default:
        let error = Errno(rawValue: errno)
        guard error == .interrupted else { throw error }
      }
    }
  }

  /// Consumes all pending events.
  ///
  /// - Returns: Whether the folder itself was removed or moved.
  private borrowing func drain() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      var isGone = false
      while let count = try? events.read(into: buffer), count > 0 {
        var offset = 0
        while offset < count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          isGone = isGone || event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
      return isGone
    }
  }
}
