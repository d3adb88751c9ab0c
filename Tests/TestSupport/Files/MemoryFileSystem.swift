internal import Glibc
package import SystemPackage

/// A small tmpfs that stays mounted for the lifetime of this object; only root can mount it.
package final class MemoryFileSystem: Sendable {
  /// Whether this user can mount file systems.
  package static let isAllowed = geteuid() == 0
  /// The reason to skip a test without that permission.
  package static let absence = "mounting a file system takes root"

  /// The path of its top folder.
  package let path: FilePath

  /// Creates a folder and mounts a file system of a size in bytes there.
  package init(_ path: FilePath, size: Int) throws {
    self.path = path
    try FilePath.makeFolder(path)
    guard mount("clipcanvas-test", path.string, "tmpfs", 0, "size=\(size)") == 0 else { throw Errno(rawValue: errno) }
  }

  /// Makes it read-only.
  package func makeReadOnly() async throws {
    try await BusyFileSystem.wait { mount("", path.string, "", UInt(MS_REMOUNT | MS_RDONLY), nil) }
  }

  deinit {
    umount2(path.string, Int32(MNT_DETACH))
  }
}
