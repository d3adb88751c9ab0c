internal import Glibc
public import SystemPackage

/// Folders that files are written into.
public enum Folder {
  /// Whether a path leads to a folder.
  public static func exists(at path: FilePath) -> Bool {
    (try? FileStatus(of: path))?.isFolder ?? false
  }

  /// Makes the folder and those above it, where they are missing.
  ///
  /// - Parameters:
  ///   - path: An empty one is the current folder.
  ///   - permissions: Of a folder that is made, less the process's umask.
  /// - Throws: What the system says; `fileExists` where a file has the name.
  public static func make(
    at path: FilePath,
    permissions: FilePermissions = FilePermissions(rawValue: 0o777)
  ) throws(Errno) {
    guard !path.isEmpty, !exists(at: path) else { return }
    let parent = path.removingLastComponent()
    if parent != path { try make(at: parent, permissions: permissions) }
    guard path.withPlatformString({ mkdir($0, permissions.rawValue) }) != 0 else { return }
    let error = Errno(rawValue: errno)
    // Somebody else may have made it meanwhile.
    guard !exists(at: path) else { return }
    throw error
  }
}
