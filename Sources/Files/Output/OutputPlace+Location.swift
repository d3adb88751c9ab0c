internal import Glibc
package import SystemPackage

/// An open folder and the name of a file in it.
///
/// Every step of a replacement uses the open folder, so replacing the folder by a link in the meantime has no effect.
struct OutputLocation: ~Copyable {
  /// The folder, opened with `O_PATH`, so that it can be used even if it may not be listed.
  let folder: FileDescriptor
  /// The name in the folder.
  let name: FilePath

  deinit {
    try? folder.close()
  }

  /// The access of the regular file that currently has the name; `nil` if it does not exist.
  var access: FileAccess? {
    let status = withName { try? FileStatus(ofName: $0, in: folder.rawValue) }
    guard let status, status.kind == .regular else { return nil }
    return status.access
  }

  /// Calls a function with the name as a C string.
  borrowing func withName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    name.withPlatformString(body)
  }
}

extension OutputPlace {
  /// The flags for opening a folder: `O_PATH`, a macro that Swift does not import, and others.
  private static let folderOptions: CInt = 0o10_000_000 | O_DIRECTORY | O_CLOEXEC

  /// Opens the folder that contains the file.
  ///
  /// - Parameter permissions: The mode of missing derived folders, which are created; `nil` creates none.
  func location(creating permissions: FilePermissions?) throws(FileReplacementError) -> OutputLocation {
    let target = isNamed ? Self.resolvingLinks(path) : path
    let names = target.components.suffix(max(1, derivedCount))
    guard let name = names.last, name.kind == .regular else {
      let errno: Errno = path.isEmpty ? .noSuchFileOrDirectory : .isDirectory
      throw FileReplacementError(operation: "create a file at", path: path, errno: errno)
    }
    var reached = target
    for _ in names { reached.removeLastComponent() }
    let access = accessOfNewFile
    // Until they have their access, only the owner may use them.
    let mode = owningFile == nil ? permissions : permissions.map { _ in .ownerReadWriteExecute }
    var folder = try Self.open(reached.isEmpty ? "." : reached, permissions: permissions)
    for component in names.dropLast() {
      reached.append(component)
      let inner = Result { () throws(FileReplacementError) in
        try Self.open(component, at: reached, in: folder, permissions: mode, access: access)
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
  ///
  /// If it is created, it has the permissions, and then gets the access of a folder of files with the given access.
  private static func open(
    _ component: FilePath.Component,
    at path: FilePath,
    in parent: FileDescriptor,
    permissions: FilePermissions?,
    access: FileAccess?
  ) throws(FileReplacementError) -> FileDescriptor {
    let result = FilePath(root: nil, [component]).withPlatformString { name in
      let folder = openat(parent.rawValue, name, folderOptions | O_NOFOLLOW)
      guard folder < 0, errno == ENOENT, let permissions else { return folder }
      if mkdirat(parent.rawValue, name, permissions.rawValue) == 0 {
        if let access { give(access, toFolder: name, in: parent) }
      } else if errno != EEXIST {
        return -1
      }
      // Another process may have created it in the meantime.
      return openat(parent.rawValue, name, folderOptions | O_NOFOLLOW)
    }
    guard result < 0 else { return FileDescriptor(rawValue: result) }
    throw FileReplacementError(operation: "create a file in", path: path, errno: Errno(rawValue: errno))
  }

  private static func give(_ access: FileAccess, toFolder name: UnsafePointer<CChar>, in parent: FileDescriptor) {
    // A descriptor of `O_PATH` cannot change it.
    let folder = openat(parent.rawValue, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return }
    access.give(toFolder: FileDescriptor(rawValue: folder))
    close(folder)
  }

  /// Follows the links at the end of a path, even if they lead to a file that does not exist yet.
  package static func resolvingLinks(_ path: FilePath) -> FilePath {
    var path = path
    // The kernel follows as many; opening the path then fails if it is a loop.
    for _ in 0..<40 {
      var bytes: [CChar] = Array(repeating: 0, count: Int(PATH_MAX))
      let count = path.withPlatformString { readlink($0, &bytes, bytes.count - 1) }
      guard count > 0 else { break }
      path = path.removingLastComponent().pushing(FilePath(platformString: bytes))
    }
    return path
  }
}
