internal import Glibc
package import SystemPackage

/// The reason why a file could not be replaced: the operation, the path, and the system's error.
package struct FileReplacementError: Error, Hashable, Sendable {
  /// The operation that failed: `create a file in`, `write`, `rename to`.
  package let operation: String
  /// The path the operation was applied to.
  package let path: FilePath
  /// The system's error.
  package let errno: Errno
  /// Whether the new version is in place nevertheless, but may not be on disk yet.
  package let isInPlace: Bool

  /// Creates an error.
  package init(operation: String, path: FilePath, errno: Errno, isInPlace: Bool = false) {
    self.operation = operation
    self.path = path
    self.errno = errno
    self.isInPlace = isInPlace
  }
}

/// The next version of a file, until it is committed.
///
/// It is written beside the file that it will replace and takes its place in one step: a reader sees either the old
/// version or the new one, and a failure before that step leaves the old one unchanged. If the file system supports
/// it, the new version has no name until then (`O_TMPFILE`), so even a killed process leaves no temporary file.
package struct ReplacementFile: ~Copyable {
  /// The new version, open for reading and writing.
  package private(set) var descriptor: FileDescriptor
  private let place: OutputPlace
  private let location: OutputLocation
  /// The temporary name of the new version in the folder, if it has one.
  private var temporary: FilePath?

  /// The mode of a new file, before the process's umask is applied.
  package static let usualPermissions: FilePermissions = [.ownerReadWrite, .groupReadWrite, .otherReadWrite]

  /// Starts a new version of the file at a place.
  ///
  /// The new version gets the owner, group and mode of the old one, if this process is permitted to set them. Without
  /// an old one, it gets the access of the file that the place belongs to, if any.
  ///
  /// - Parameters:
  ///   - place: The place of the file, which may not exist yet.
  ///   - permissions: The mode of a file that does not exist yet and belongs to no other, before the process's umask is
  ///     applied.
  ///   - folders: The mode of missing folders, which are created; `nil` creates none.
  package init(
    for place: OutputPlace,
    permissions: FilePermissions = usualPermissions,
    creatingFolders folders: FilePermissions? = nil
  ) throws(FileReplacementError) {
    let location = try place.location(creating: folders)
    let access = location.access ?? place.accessOfNewFile
    let new = try Self.attempt("create a file in", place.folder) { () throws(Errno) in
      // Until it has its access, only the owner may use it.
      let isOpen = access == nil && place.owningFile == nil
      return try Self.createNew(in: location, permissions: isOpen ? permissions : .ownerReadWrite)
    }
    self.place = place
    self.location = location
    (descriptor, temporary) = new
    // The lock lasts as long as any process has the file open; see `removeLeftovers(in:)`.
    _ = flock(descriptor.rawValue, LOCK_EX | LOCK_NB)
    access?.give(to: descriptor)
  }

  /// Starts a new version of a file that the user named; a symbolic link stays, and its target is replaced.
  package init(
    for path: FilePath,
    permissions: FilePermissions = usualPermissions
  ) throws(FileReplacementError) {
    try self.init(for: OutputPlace(named: path), permissions: permissions)
  }

  deinit {
    try? descriptor.close()
    if let temporary {
      _ = temporary.withPlatformString { unlinkat(location.folder.rawValue, $0, 0) }
    }
  }

  /// Syncs the new version to disk and replaces the old one with it.
  ///
  /// - Parameter syncsFolder: Whether to sync the name as well. Otherwise the complete old version may reappear after a
  ///   power failure.
  package consuming func commit(syncsFolder: Bool = false) throws(FileReplacementError) {
    guard syncsFolder else { return try putInPlace(sync: FileSync.content) }
    let path = place.folder
    // A folder that cannot be opened is reported while the old version is still in place.
    let folder = try Self.attempt("open", path) { () throws(Errno) in
      try Self.opened(openat(location.folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }
    defer { try? folder.close() }
    try putInPlace(sync: FileSync.whole)
    guard FileSync.whole(folder.rawValue) == 0 else {
      throw FileReplacementError(operation: "sync", path: path, errno: Errno(rawValue: errno), isInPlace: true)
    }
  }

  private consuming func putInPlace(sync: (CInt) -> CInt) throws(FileReplacementError) {
    let path = place.path
    try Self.attempt("write", path) { () throws(Errno) in try Self.check(sync(descriptor.rawValue)) }
    if temporary == nil {
      do {
        if try linkUnnamed(as: location.name) { return }
        try linkUnnamedTemporarily()
      } catch  where Self.meansLinkRefused(error) {
        try Self.attempt("create a file in", place.folder) { () throws(Errno) in try copyToNamed(sync: sync) }
      } catch {
        throw FileReplacementError(operation: "create", path: path, errno: error)
      }
    }
    let (folder, source) = (location.folder.rawValue, temporary)
    try Self.attempt("rename to", path) { () throws(Errno) in
      let status = source?.withPlatformString { from in location.withName { renameat(folder, from, folder, $0) } }
      try Self.check(status ?? -1)
    }
    temporary = nil
  }

  // MARK: - Names

  /// Gives the unnamed file a name in the folder.
  ///
  /// - Returns: False if the name is taken.
  private borrowing func linkUnnamed(as name: FilePath) throws(Errno) -> Bool {
    let source = "/proc/self/fd/\(descriptor.rawValue)"
    let folder = location.folder.rawValue
    guard name.withPlatformString({ linkat(AT_FDCWD, source, folder, $0, AT_SYMLINK_FOLLOW) }) != 0 else { return true }
    guard errno == EEXIST else { throw Errno(rawValue: errno) }
    return false
  }

  private mutating func linkUnnamedTemporarily() throws(Errno) {
    let name = Self.temporaryName()
    guard try linkUnnamed(as: name) else { throw .fileExists }
    temporary = name
  }

  /// Copies the unnamed file to a file with a temporary name, for systems that refuse to name an unnamed file.
  private mutating func copyToNamed(sync: (CInt) -> CInt) throws(Errno) {
    let access = try FileStatus(of: descriptor).access
    let (copy, name) = try Self.createNamed(in: location, permissions: .ownerReadWrite)
    let unnamed = descriptor
    (descriptor, temporary) = (copy, name)
    defer { try? unnamed.close() }
    try unnamed.copyAll(to: copy)
    access.give(to: copy)
    try Self.check(sync(copy.rawValue))
  }

  /// Creates a new version, unnamed where the file system supports it.
  private static func createNew(
    in location: borrowing OutputLocation,
    permissions: FilePermissions
  ) throws(Errno) -> (FileDescriptor, temporary: FilePath?) {
    do throws(Errno) {
      return (try createUnnamed(in: location, permissions: permissions), nil)
    } catch {
      guard meansUnsupported(error) else { throw error }
      return try createNamed(in: location, permissions: permissions)
    }
  }

  /// Creates an unnamed new version.
  private static func createUnnamed(
    in location: borrowing OutputLocation,
    permissions: FilePermissions
  ) throws(Errno) -> FileDescriptor {
    // `O_TMPFILE`, a macro that Swift does not import: `__O_TMPFILE` combined with `O_DIRECTORY`.
    let unnamed = 0o20_000_000 | O_DIRECTORY
    return try opened(openat(location.folder.rawValue, ".", unnamed | O_RDWR | O_CLOEXEC, permissions.rawValue))
  }

  /// Creates a new version that has a name from the start, and locks it before another process can mistake it for a
  /// leftover.
  private static func createNamed(
    in location: borrowing OutputLocation,
    permissions: FilePermissions
  ) throws(Errno) -> (FileDescriptor, FilePath) {
    while true {
      let name = temporaryName()
      let file = try opened(
        name.withPlatformString {
          openat(location.folder.rawValue, $0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions.rawValue)
        }
      )
      if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, try FileStatus(of: file).nameCount > 0 {
        return (file, name)
      }
      try? file.close()
    }
  }

  /// Returns a new name for a file or folder until it is in place.
  static func temporaryName() -> FilePath {
    FilePath(temporaryPrefix + "\(getpid())-" + String(UInt64.random(in: 0...UInt64.max), radix: 36) + temporarySuffix)
  }

  static let temporaryPrefix = ".clipcanvas-"
  static let temporarySuffix = ".tmp"
}

// MARK: - System calls

extension ReplacementFile {
  /// Whether an error from `O_TMPFILE` means that the file system or the kernel does not support it.
  private static func meansUnsupported(_ error: Errno) -> Bool {
    error == .notSupported || error == .isDirectory || error == .invalidArgument
  }

  /// Whether an error from `linkat` means that an unnamed file cannot be given a name here at all: the file system or a
  /// security module refuses, or `/proc` is missing.
  private static func meansLinkRefused(_ error: Errno) -> Bool {
    [.notPermitted, .notSupported, .noFunction, .invalidArgument, .noSuchFileOrDirectory, .improperLink].contains(error)
  }

  private static func check(_ status: CInt) throws(Errno) {
    guard status == 0 else { throw Errno(rawValue: errno) }
  }

  private static func opened(_ descriptor: CInt) throws(Errno) -> FileDescriptor {
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: descriptor)
  }

  private static func attempt<Result>(
    _ operation: String,
    _ path: FilePath,
    _ body: () throws(Errno) -> Result
  ) throws(FileReplacementError) -> Result {
    do {
      return try body()
    } catch {
      throw FileReplacementError(operation: operation, path: path, errno: error)
    }
  }
}
