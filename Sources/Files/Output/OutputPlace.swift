internal import Glibc
package import SystemPackage

/// A place where a file is created, replaced or removed.
///
/// It records which part of its path the user named and which part the program derived, for instance from the name of a
/// clip. Symbolic links are followed in the named part but never in the derived part: a file planted in a folder of
/// clips must not redirect what the program writes.
package struct OutputPlace: Sendable {
  /// The whole path, as shown in messages.
  package let path: FilePath
  /// The number of derived components at the end of the path; 0 if the user named the file itself.
  let derivedCount: Int
  /// The file that a new file at this place belongs to, such as the board of a cover; `nil` if it belongs to none.
  let owningFile: FilePath?

  /// Creates a place for a file that the user named.
  package init(named path: FilePath) {
    self.path = path
    derivedCount = 0
    owningFile = nil
  }

  /// Creates a place for a file whose path ends in components that the program derived.
  ///
  /// - Parameters:
  ///   - path: The whole path.
  ///   - count: The number of derived components at the end, at least 1: the file name and the folders above it.
  ///   - owner: The file that a new file belongs to, such as the board of a cover. The new file, and each
  ///     derived folder that is created for it, get the owner and group of that file, and can be read and
  ///     written by the same users.
  package init(_ path: FilePath, derivedComponents count: Int, belongingTo owner: FilePath? = nil) {
    self.path = path
    derivedCount = max(1, count)
    owningFile = owner
  }

  /// The folder that contains the file.
  package var folder: FilePath {
    let folder = path.removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  /// Whether the user named the file itself, so that a link in its place is followed.
  package var isNamed: Bool { derivedCount == 0 }
}

extension OutputPlace: Hashable {
  /// Compares paths: two places with the same path are equal.
  package static func == (one: OutputPlace, other: OutputPlace) -> Bool { one.path == other.path }

  /// Hashes the path.
  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

extension OutputPlace {
  /// What currently exists at a place.
  package enum Occupant: Sendable {
    /// Nothing, or a link that may be followed but leads to nothing.
    case nothing
    /// A regular file.
    case file(FileIdentity, bytes: Int)
    /// A symbolic link that must not be followed.
    case link
    /// A kind of file that is never replaced.
    case special(SpecialFile)
  }

  /// Returns what currently exists at the place.
  package func occupant() -> Occupant {
    let status: FileStatus
    do {
      status = try FileStatus(of: path, followsLinks: isNamed)
    } catch {
      // Links named by the user were followed already, unless they form a loop.
      return isNamed && error == .tooManySymbolicLinkLevels ? .link : .nothing
    }
    switch status.kind {
    case .regular: return .file(status.identity, bytes: status.bytes)
    case .link: return .link
    case .special(let kind): return .special(kind)
    }
  }

  /// Opens the file for reading, without blocking.
  ///
  /// - Throws: The system's error; `tooManySymbolicLinkLevels` for a link that must not be followed.
  package func openForReading() throws(Errno) -> FileDescriptor {
    let options: FileDescriptor.OpenOptions = isNamed ? [] : .noFollow
    do {
      return try FileDescriptor.open(path, .readOnly, options: options.union([.nonBlocking, .closeOnExec]))
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Creates a new file in place of a regular file, and opens it for writing.
  ///
  /// Used for files that are written line by line and read in the meantime. Call
  /// ``check(isForced:sparing:sparesData:isOurs:)`` first. The old file is not written to, because it may have other
  /// names, and stays if the new one cannot be created.
  package func create() throws(FileReplacementError) -> FileDescriptor {
    guard case .file = occupant() else { return try createNew(creatingFolders: nil, for: O_WRONLY) }
    let place = try location(creating: nil)
    let (folder, temporary) = (place.folder.rawValue, ReplacementFile.temporaryName())
    let file = temporary.withPlatformString {
      openat(folder, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ReplacementFile.usualPermissions.rawValue)
    }
    guard file >= 0 else { throw FileReplacementError(operation: "create", path: path, errno: Errno(rawValue: errno)) }
    guard temporary.withPlatformString({ from in place.withName { renameat(folder, from, folder, $0) } }) == 0 else {
      let error = Errno(rawValue: errno)
      _ = temporary.withPlatformString { unlinkat(folder, $0, 0) }
      close(file)
      throw FileReplacementError(operation: "create", path: path, errno: error)
    }
    return FileDescriptor(rawValue: file)
  }

  /// The access of a new file; `nil` if it depends on the process's umask.
  var accessOfNewFile: FileAccess? { owningFile.flatMap { FileAccess(ofFilesOf: $0) } }

  /// Creates the missing folders above the file.
  ///
  /// - Throws: The system's error; `notDirectory` if a file or link has the name of a derived folder.
  package func makeFolders() throws(FileReplacementError) {
    _ = try location(creating: FilePermissions(rawValue: 0o777))
  }

  /// Creates a file where nothing is, and opens it for reading and writing.
  ///
  /// - Parameter folders: The mode of missing derived folders, which are created.
  /// - Throws: The system's error; `fileExists` if anything has the name.
  package func createNew(creatingFolders folders: FilePermissions) throws(FileReplacementError) -> FileDescriptor {
    try createNew(creatingFolders: folders, for: O_RDWR)
  }

  private func createNew(
    creatingFolders folders: FilePermissions?,
    for access: Int32
  ) throws(FileReplacementError) -> FileDescriptor {
    let place = try location(creating: folders)
    let mode = ReplacementFile.usualPermissions.rawValue
    let file = place.withName { openat(place.folder.rawValue, $0, access | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
    guard file >= 0 else { throw FileReplacementError(operation: "create", path: path, errno: Errno(rawValue: errno)) }
    return FileDescriptor(rawValue: file)
  }

  /// Opens a regular file for reading and writing; returns its size too.
  package func openForUpdating() throws(FileReplacementError) -> (file: FileDescriptor, bytes: Int) {
    let place = try location(creating: nil)
    let options = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let opened = place.withName { openat(place.folder.rawValue, $0, options) }
    guard opened >= 0 else { throw FileReplacementError(operation: "open", path: path, errno: Errno(rawValue: errno)) }
    let file = FileDescriptor(rawValue: opened)
    guard let status = try? FileStatus(of: file), status.kind == .regular else {
      try? file.close()
      throw FileReplacementError(operation: "open", path: path, errno: .fileExists)
    }
    return (file, status.bytes)
  }

  /// Whether the place is empty or contains a regular file made by the program.
  ///
  /// - Parameter isOurs: Returns whether the program made the file, which is open for reading.
  package func isFree(_ isOurs: (FileDescriptor) -> Bool) -> Bool {
    switch occupant() {
    case .nothing: return true
    case .link, .special: return false
    case .file:
      guard let file = try? openForReading() else { return false }
      defer { try? file.close() }
      return isOurs(file)
    }
  }

  /// Removes the file at the place if it is a regular file made by the program; anything else stays.
  ///
  /// - Parameter isOurs: Returns whether the program made the file, which is open for reading.
  package func remove(ifOurs isOurs: (FileDescriptor) -> Bool) {
    guard case .file = occupant(), isFree(isOurs), let name = try? location(creating: nil) else { return }
    _ = name.withName { unlinkat(name.folder.rawValue, $0, 0) }
  }
}
