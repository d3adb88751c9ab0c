public import SystemPackage

extension FilePath {
  /// Whether the file exists and can be opened.
  public var exists: Bool {
    guard let file = try? FileDescriptor.open(self, .readOnly, options: [.nonBlocking, .closeOnExec]) else {
      return false
    }
    try? file.close()
    return true
  }
}
