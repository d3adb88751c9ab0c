internal import Glibc
public import SystemPackage

extension FilePath {
  /// The system's error if no file can be created in the folder at this path; `nil` if one can.
  public var writingError: Errno? {
    let status = withPlatformString { faccessat(AT_FDCWD, $0, W_OK | X_OK, AT_EACCESS) }
    return status == 0 ? nil : Errno(rawValue: errno)
  }

  /// Whether the file exists and can be opened.
  public var exists: Bool {
    guard let file = try? FileDescriptor.open(self, .readOnly, options: [.nonBlocking, .closeOnExec]) else {
      return false
    }
    try? file.close()
    return true
  }
}
