internal import Glibc
package import SystemPackage

/// An open folder and the name of a file in it.
///
/// Every step of a replacement goes through the open folder, so a folder that is exchanged for a link in the meantime
/// changes nothing.
struct OutputLocation: ~Copyable {
  /// Open as `O_PATH`: usable even where its names may not be listed.
  let folder: FileDescriptor
  /// The name in the folder.
  let name: FilePath

  deinit {
    try? folder.close()
  }

  /// The access of a regular file that has the name now.
  var access: FileAccess? {
    let status = withName { try? FileStatus(ofName: $0, in: folder.rawValue) }
    guard let status, status.kind == .regular else { return nil }
    return status.access
  }

  /// Calls the system with the name.
  borrowing func withName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    name.withPlatformString(body)
  }
}

extension OutputPlace {
  /// `O_PATH`, a macro that Swift does not import, with what else a folder is opened by.
  private static let folderOptions: CInt = 0o10_000_000 | O_DIRECTORY | O_CLOEXEC

  /// Opens the folder that the file lies in.
  ///
  /// - Parameter permissions: The mode of folders that are created where derived ones are missing; `nil` creates none.
  func location(creating permissions: FilePermissions?) throws(FileReplacementError) -> OutputLocation {
    let target = isNamed ? Self.resolvingLinks(path) : path
    let names = target.components.suffix(max(1, derivedCount))
    guard let name = names.last, name.kind == .regular else {
      let errno: Errno = path.isEmpty ? .noSuchFileOrDirectory : .isDirectory
      throw FileReplacementError(operation: "create a file at", path: path, errno: errno)
    }
    var reached = target
    for _ in names { reached.removeLastComponent() }
    var folder = try Self.open(reached.isEmpty ? "." : reached, permissions: permissions)
    for component in names.dropLast() {
      reached.append(component)
      let inner = Result { () throws(FileReplacementError) in
        try Self.open(component, at: reached, in: folder, permissions: permissions)
      }
      try? folder.close()
      folder = try inner.get()
    }
    return OutputLocation(folder: folder, name: FilePath(root: nil, [name]))
  }

  /// Opens the folder that the user named.
  private static func open(
    _ path: FilePath,
    permissions: FilePermissions?
  ) throws(FileReplacementError) -> FileDescriptor {
    if let permissions {
      do {
        try Folder.make(at: path, permissions: permissions)
      } catch {
        throw FileReplacementError(operation: "create the folder", path: path, errno: error)
      }
    }
    let folder = path.withPlatformString { Glibc.open($0, folderOptions) }
    guard folder >= 0 else {
      throw FileReplacementError(operation: "create a file in", path: path, errno: Errno(rawValue: errno))
    }
    return FileDescriptor(rawValue: folder)
  }

  /// Opens one derived folder, which may not be a link.
  private static func open(
    _ component: FilePath.Component,
    at path: FilePath,
    in parent: FileDescriptor,
    permissions: FilePermissions?
  ) throws(FileReplacementError) -> FileDescriptor {
    let result = FilePath(root: nil, [component]).withPlatformString { name in
      let folder = openat(parent.rawValue, name, folderOptions | O_NOFOLLOW)
      guard folder < 0, errno == ENOENT, let permissions else { return folder }
      // Somebody else may have created it meanwhile.
      guard mkdirat(parent.rawValue, name, permissions.rawValue) == 0 || errno == EEXIST else { return -1 }
      return openat(parent.rawValue, name, folderOptions | O_NOFOLLOW)
    }
    guard result < 0 else { return FileDescriptor(rawValue: result) }
    throw FileReplacementError(operation: "create a file in", path: path, errno: Errno(rawValue: errno))
  }

  /// Follows the links at the end of a path, also to where nothing is yet.
  package static func resolvingLinks(_ path: FilePath) -> FilePath {
    var path = path
    // As many as the kernel follows; a loop then fails when it is opened.
    for _ in 0..<40 {
      var bytes: [CChar] = Array(repeating: 0, count: Int(PATH_MAX))
      let count = path.withPlatformString { readlink($0, &bytes, bytes.count - 1) }
      guard count > 0 else { break }
      path = path.removingLastComponent().pushing(FilePath(platformString: bytes))
    }
    return path
  }
}
