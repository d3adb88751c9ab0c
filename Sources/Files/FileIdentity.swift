package import Glibc
public import SystemPackage

/// The device and inode of a file; equal for two paths to the same file.
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Creates the identity of the file with the given status.
  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Creates the identity of the file at a path, following links; returns `nil` if no file exists.
  public init?(of path: FilePath) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }
}
