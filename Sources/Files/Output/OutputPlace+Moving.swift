internal import CLinux
internal import Glibc
internal import SystemPackage

extension OutputPlace {
  /// Moves a file to another place on the same file system, unless something has its name already.
  ///
  /// The new name is synced to disk; if that fails, the file stays where it was. If the target belongs to a file, the
  /// moved file gets its access as a new one would.
  ///
  /// - Throws: The system's error; `fileExists` if anything has the name.
  package func move(to target: OutputPlace) throws(FileReplacementError) {
    let source = try location(creating: nil)
    let place = try target.location(creating: nil)
    if let access = target.accessOfNewFile, let file = try? openForReading() {
      access.give(to: file)
      try? file.close()
    }
    if let error = source.move(to: place) {
      throw FileReplacementError(operation: "move a file to", path: target.path, errno: error)
    }
    guard let error = Self.sync(place.folder) else { return }
    _ = place.move(to: source)
    throw FileReplacementError(operation: "sync", path: target.folder, errno: error)
  }

  /// Syncs the names in a folder, which may have been opened without the right to read it; returns the system's error.
  private static func sync(_ folder: FileDescriptor) -> Errno? {
    let readable = openat(folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard readable >= 0 else { return Errno(rawValue: errno) }
    defer { close(readable) }
    return FileSync.whole(readable) == 0 ? nil : Errno(rawValue: errno)
  }
}

extension OutputLocation {
  /// Moves the file to another name, unless something has that already; returns the system's error.
  fileprivate borrowing func move(to target: borrowing OutputLocation) -> Errno? {
    let (from, to) = (folder.rawValue, target.folder.rawValue)
    return name.withPlatformString { old in
      target.name.withPlatformString { new in
        if clinux_rename(from, old, to, new, false) == 0 { return nil }
        let error = Errno(rawValue: errno)
        guard error == .invalidArgument || error == .noFunction else { return error }
        // File systems that cannot move without replacing usually have hard links.
        guard linkat(from, old, to, new, 0) == 0 else { return Errno(rawValue: errno) }
        unlinkat(from, old, 0)
        return nil
      }
    }
  }
}
