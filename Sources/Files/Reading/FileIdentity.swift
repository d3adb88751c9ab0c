package import SystemPackage

/// The device and inode of a file; equal for two paths to the same file.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(device: UInt64, inode: UInt64) {
    (self.device, self.inode) = (device, inode)
  }

  /// Creates the identity of the file at a path, following links; returns `nil` if no file exists.
  package init?(of path: FilePath) {
    guard let status = try? FileStatus(of: path) else { return nil }
    self = status.identity
  }
}

extension FileIdentity: CustomStringConvertible {
  /// The two numbers, in hexadecimal digits.
  package var description: String { "\(String(device, radix: 16))-\(String(inode, radix: 16))" }
}
