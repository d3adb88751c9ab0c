internal import Glibc
public import SystemPackage

/// Why a file could not be replaced: what was tried, on which path, and what the system said.
public struct FileReplacementError: Error, Hashable, Sendable {
  /// What was tried: `create a file in`, `write`, `rename`.
  public let operation: String
  /// On which path.
  public let path: FilePath
  /// What the system said.
  public let errno: Errno
  /// Whether the new version has taken the old one's place all the same, and only may not be on the disk.
  public let isInPlace: Bool

  /// Makes one of its parts.
  public init(operation: String, path: FilePath, errno: Errno, isInPlace: Bool = false) {
    self.operation = operation
    self.path = path
    self.errno = errno
    self.isInPlace = isInPlace
  }
}

/// The next version of a file, on its way.
///
/// It is written beside the file it will replace and takes its place in one step, so a reader sees the old or the new
/// one, and nothing that goes wrong before that step changes the old one by a byte. Where the file system can, the new
/// version has no name until then (`O_TMPFILE`), so that even a killed process leaves nothing behind. A symbolic link
/// stays a link: what it points to is replaced.
public struct ReplacementFile: ~Copyable {
  /// What is written to.
  public let descriptor: FileDescriptor
  private let target: FilePath
  /// The name of the new version, once it has one.
  private var temporary: FilePath?

  /// Starts a new version of the file at `path`, whose folder must exist.
  ///
  /// The new version has the owner, group and mode of the old one, as far as this process may give them. A new file gets
  /// `permissions`, less the process's umask.
  public init(
    for path: FilePath,
    permissions: FilePermissions = [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
  ) throws(FileReplacementError) {
    target = Self.resolvingLinks(path)
    let folder = Self.folder(of: target)
    let access = FileAccess(of: target)
    // Until it has the access of the old version, it is the owner's alone.
    let permissions = access == nil ? permissions : .ownerReadWrite
    do {
      // O_TMPFILE, a macro that Swift does not see: __O_TMPFILE together with O_DIRECTORY.
      let unnamed = FileDescriptor.OpenOptions(rawValue: 0o20_000_000 | O_DIRECTORY)
      descriptor = try FileDescriptor.open(
        folder,
        .readWrite,
        options: [unnamed, .closeOnExec],
        permissions: permissions
      )
      temporary = nil
    } catch  where Self.meansUnsupported(error as? Errno) {
      (descriptor, temporary) = try Self.attempt("create a file in", folder) {
        try Self.createNamed(in: folder, permissions: permissions)
      }
    } catch {
      throw FileReplacementError(operation: "create a file in", path: folder, errno: error as? Errno ?? .ioError)
    }
    // Held for as long as anybody has the file open; see `removeLeftovers(in:)`.
    _ = flock(descriptor.rawValue, LOCK_EX | LOCK_NB)
    access?.give(to: descriptor)
  }

  deinit {
    try? descriptor.close()
    if let temporary {
      _ = temporary.withPlatformString { unlink($0) }
    }
  }

  /// Makes sure that the new version is on the disk, and puts it in the old one's place.
  ///
  /// - Parameter syncsFolder: Whether its name is to be on the disk too when this returns. Where not, the old version may
  ///   be back after a power cut, whole.
  public consuming func commit(syncsFolder: Bool = false) throws(FileReplacementError) {
    guard syncsFolder else { return try putInPlace(sync: fdatasync) }
    let path = Self.folder(of: target)
    // What cannot be opened is told while the old version is still in its place.
    let folder = try Self.attempt("open", path) {
      try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
    }
    defer { try? folder.close() }
    try putInPlace(sync: fsync)
    guard fsync(folder.rawValue) == 0 else {
      throw FileReplacementError(operation: "sync", path: path, errno: Errno(rawValue: errno), isInPlace: true)
    }
  }

  private consuming func putInPlace(sync: (CInt) -> CInt) throws(FileReplacementError) {
    let (descriptor, target) = (descriptor, target)
    try Self.attempt("write", target) { try Self.check(sync(descriptor.rawValue)) }
    if temporary == nil {
      if try linkUnnamed(as: target) { return }
      let name = Self.temporaryName(in: Self.folder(of: target))
      guard try linkUnnamed(as: name) else {
        throw FileReplacementError(operation: "create", path: name, errno: .fileExists)
      }
      temporary = name
    }
    let source = temporary
    try Self.attempt("rename to", target) {
      try source?.withPlatformString { from in
        try target.withPlatformString { to in try Self.check(rename(from, to)) }
      }
    }
    temporary = nil
  }

  /// Gives the unnamed file a name.
  ///
  /// False when the name is taken.
  private borrowing func linkUnnamed(as path: FilePath) throws(FileReplacementError) -> Bool {
    let source = "/proc/self/fd/\(descriptor.rawValue)"
    let failed = path.withPlatformString { linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) } != 0
    if failed && errno == EEXIST { return false }
    if failed { throw FileReplacementError(operation: "create", path: path, errno: Errno(rawValue: errno)) }
    return true
  }

  /// Creates a new version that has a name from the beginning, and locks it before anybody takes it for a leftover.
  private static func createNamed(
    in folder: FilePath,
    permissions: FilePermissions
  ) throws -> (FileDescriptor, FilePath) {
    while true {
      let name = temporaryName(in: folder)
      let file = try FileDescriptor.open(
        name,
        .readWrite,
        options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: permissions
      )
      var status = stat()
      if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK, fstat(file.rawValue, &status) == 0,
        status.st_nlink > 0
      {
        return (file, name)
      }
      try? file.close()
    }
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

  private static func folder(of path: FilePath) -> FilePath {
    let folder = path.removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  static let temporaryPrefix = ".clipcanvas-"
  static let temporarySuffix = ".tmp"

  private static func temporaryName(in folder: FilePath) -> FilePath {
    let unique = "\(getpid())-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
    return folder.appending(temporaryPrefix + unique + temporarySuffix)
  }

  /// What `O_TMPFILE` gives on file systems and kernels that do not know it.
  private static func meansUnsupported(_ error: Errno?) -> Bool {
    error == .notSupported || error == .isDirectory || error == .invalidArgument
  }

  private static func check(_ status: Int32) throws(Errno) {
    guard status == 0 else { throw Errno(rawValue: errno) }
  }

  private static func attempt<Result>(
    _ operation: String,
    _ path: FilePath,
    _ body: () throws -> Result
  ) throws(FileReplacementError) -> Result {
    do {
      return try body()
    } catch {
      throw FileReplacementError(operation: operation, path: path, errno: error as? Errno ?? .ioError)
    }
  }
}
