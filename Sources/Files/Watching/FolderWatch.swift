internal import Glibc
package import SystemPackage

/// Waits for changes in a folder.
///
/// It watches the folder rather than a file in it, because replacing a file creates a different file.
package struct FolderWatch: ~Copyable {
  /// Why a wait ended.
  package enum Event: Sendable {
    /// Something in the folder has changed since the last wait.
    case somethingHappened
    case timeIsOver
    /// The folder was removed or moved; a folder that replaces it needs a new watch.
    case folderIsGone
  }

  private let changes: FolderChanges

  /// A descriptor that becomes readable when something has changed, for use with `poll`; ``wait(_:)`` then consumes the
  /// events.
  package var descriptor: FileDescriptor { changes.descriptor }

  /// Starts watching a folder; no later change is missed.
  ///
  /// - Throws: The error of a failed system call.
  package init(_ folder: FilePath) throws(Errno) {
    let changes = try FolderChanges(includesAttributes: false)
    try changes.watch(folder)
    self.changes = changes
  }

  /// Waits until something has changed since the last call.
  ///
  /// - Parameter timeout: How long to wait; `nil` to wait indefinitely.
  /// - Throws: The error of a failed system call, except for an interruption by a signal.
  package borrowing func wait(_ timeout: Duration? = nil) throws(Errno) -> Event {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      var input = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
      let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
      switch poll(&input, 1, rest?.pollMilliseconds ?? -1) {
      case 0: return .timeIsOver
      case 1...: return changes.next().changes.contains { $0.kind == .folderGone } ? .folderIsGone : .somethingHappened
      default:
        let error = Errno(rawValue: errno)
        guard error == .interrupted else { throw error }
      }
    }
  }
}
