internal import Glibc
package import SystemPackage

/// An open folder, whose files are examined and removed by name.
///
/// Replacing the folder by a link in the meantime has no effect.
package struct OpenFolder: ~Copyable {
  private let descriptor: FileDescriptor

  /// Opens a folder; returns `nil` if it cannot be opened, or if it is a link.
  package init?(at path: FilePath) {
    let opened = path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    guard opened >= 0 else { return nil }
    descriptor = FileDescriptor(rawValue: opened)
  }

  deinit {
    try? descriptor.close()
  }

  /// Returns the names in the folder, in no order.
  package func names() throws(Errno) -> [String] { try FolderNames.list(descriptor) }

  /// Returns a regular file's identity and its size in bytes; `nil` for anything else.
  package func regularFile(named name: String) -> (identity: FileIdentity, bytes: Int)? {
    let status = try? FileStatus(ofName: name, in: descriptor.rawValue)
    guard let status, status.kind == .regular else { return nil }
    return (status.identity, status.bytes)
  }

  /// Removes a file; returns whether that succeeded.
  package func remove(_ name: String) -> Bool { unlinkat(descriptor.rawValue, name, 0) == 0 }
}
