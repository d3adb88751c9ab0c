internal import Glibc
internal import SystemPackage

/// Calls that a file system refuses as long as somebody has a file of it open.
public enum BusyFileSystem {
  /// Tries a call again until it does not say "busy".
  ///
  /// A decoder whose parent has ended, or a program that another test is just starting, has copies of open files for a
  /// moment.
  ///
  /// - Parameter call: Gives 0, or another number with `errno` set.
  /// - Throws: What the system says, "busy" after five seconds.
  public static func wait(_ call: () -> Int32) async throws {
    var tries = 200
    while call() != 0 {
      tries -= 1
      guard errno == EBUSY, tries > 0 else { throw Errno(rawValue: errno) }
      try await Task.sleep(for: .milliseconds(25))
    }
  }
}
