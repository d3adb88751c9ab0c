internal import Glibc
internal import SystemPackage

/// System calls that fail while a file on the file system is open.
package enum BusyFileSystem {
  /// Repeats a call until it no longer fails with `EBUSY`.
  ///
  /// A decoder whose parent has ended, or a program that another test is starting, keeps copies of open descriptors for
  /// a moment.
  ///
  /// - Parameter call: The call, which returns 0 on success and sets `errno` otherwise.
  /// - Throws: The system's error, `EBUSY` after five seconds.
  package static func wait(_ call: () -> Int32) async throws {
    var tries = 200
    while call() != 0 {
      tries -= 1
      guard errno == EBUSY, tries > 0 else { throw Errno(rawValue: errno) }
      try await pause(.milliseconds(25))
    }
  }
}
