internal import CLinux
internal import Glibc
package import SystemPackage

/// Folders for output files.
package enum Folder {
  /// Whether a path leads to a folder.
  package static func exists(at path: FilePath) -> Bool {
    (try? FileStatus(of: path))?.isFolder ?? false
  }

  /// Creates the folder and any missing parent folders.
  ///
  /// - Parameters:
  ///   - path: The path of the folder; an empty path is the current folder.
  ///   - permissions: The mode of new folders, before the process's umask is applied.
  /// - Throws: The system's error; `fileExists` if a file has the name.
  package static func make(
    at path: FilePath,
    permissions: FilePermissions = FilePermissions(rawValue: 0o777)
  ) throws(Errno) {
    guard !path.isEmpty, !exists(at: path) else { return }
    let parent = path.removingLastComponent()
    if parent != path { try make(at: parent, permissions: permissions) }
    guard path.withPlatformString({ mkdir($0, permissions.rawValue) }) != 0 else { return }
    let error = Errno(rawValue: errno)
    // Another process may have created the folder in the meantime.
    guard !exists(at: path) else { return }
    throw error
  }

  /// Returns the absolute path of a folder without symbolic links; `nil` if it does not exist.
  package static func withoutLinks(_ path: FilePath) -> FilePath? {
    guard let whole = path.withPlatformString({ realpath($0, nil) }) else { return nil }
    defer { free(whole) }
    return FilePath(platformString: whole)
  }

  /// Whether a folder is on a file system that other machines or programs may change without the kernel noticing.
  package static func isOnNetwork(_ path: FilePath) -> Bool {
    path.withPlatformString(clinux_is_on_network)
  }

  /// Removes a folder unless it contains something.
  package static func removeIfEmpty(_ place: OutputPlace) {
    guard let location = try? place.location(creating: nil) else { return }
    _ = location.withName { unlinkat(location.folder.rawValue, $0, AT_REMOVEDIR) }
  }
}
