public import SystemPackage

/// The device and inode of a file: equal for two paths that lead to the same file.
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(device: UInt64, inode: UInt64) {
    (self.device, self.inode) = (device, inode)
  }

  /// The identity of the file that a path leads to, links followed; `nil` when no file exists.
  public init?(of path: FilePath) {
    guard let status = try? FileStatus(of: path) else { return nil }
    self = status.identity
  }
}
