internal import Glibc
package import SystemPackage

extension FilePath {
  /// The system's error if no file can be created in the folder at this path; `nil` if one can.
  package var writingError: Errno? {
    let status = withPlatformString { faccessat(AT_FDCWD, $0, W_OK | X_OK, AT_EACCESS) }
    return status == 0 ? nil : Errno(rawValue: errno)
  }

  /// Whether the file exists and can be opened.
  package var exists: Bool {
    guard let file = try? FileDescriptor.open(self, .readOnly, options: [.nonBlocking, .closeOnExec]) else {
      return false
    }
    try? file.close()
    return true
  }
}
